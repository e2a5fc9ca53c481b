import { randomBytes } from 'node:crypto';
import type { Exchange } from '../http/exchange.js';
import { pageHeaders, type PageRights } from '../http/browsers.js';
import { sendText } from '../http/send.js';

/** A page, before it is known which nonce lets its own scripts and styles run. */
export interface Page {
  readonly title: string;
  /** What stands in `head` beside the usual. */
  readonly head?: string;
  readonly style: string;
  readonly body: string;
  /** A script of its own that runs before `source`. */
  readonly before?: string;
  /** The address of a script. */
  readonly source?: string;
  /** A script of its own that runs at last. It finds `data` as a constant of that name. */
  readonly script?: string;
  readonly data?: unknown;
  readonly rights: (nonce: string) => PageRights;
}

/** The mark of the gateway: a till, with a gate in it. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M7 24V13a9 9 0 0 1 18 0v11M12 24V13a4 4 0 0 1 8 0v11M5 24h22" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>';

export async function sendPage(exchange: Exchange, page: Page): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const headers = { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders(page.rights(nonce)) };
  await sendText(exchange, 200, headers, htmlOf(page, nonce));
}

function htmlOf({ title, head = '', style, body, before, source, script, data }: Page, nonce: string): string {
  const own = (code: string): string => `<script nonce="${nonce}">\n${code}</script>\n`;
  const scripts = [
    before === undefined ? '' : own(before),
    source === undefined ? '' : `<script nonce="${nonce}" src="${source}"></script>\n`,
    script === undefined ? '' : own(`const data = ${scriptJson(data)};\n${script}`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
${head}<style nonce="${nonce}">${style}</style>
</head>
<body>
${body}
${scripts.join('')}</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** A value as a literal of a script. The end of the script is the one thing that could be misread in it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
