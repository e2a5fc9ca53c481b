import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../platform/http/exchange.js';
import { pageHeaders, type PageRights } from '../../platform/http/browsers.js';
import { sendText } from '../../platform/http/send.js';

export const NAME = 'Tillgate';

/** A page, before it is known which nonce lets its own scripts and styles run. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  /** The content of `head` beside the usual. */
  readonly head?: string;
  readonly style: string;
  readonly body: string;
  /** A script of its own that runs before `source`. */
  readonly before?: string;
  /** The address of a script. */
  readonly source?: string;
  /** A script of its own that runs last. It finds `data` as a constant of that name. */
  readonly script?: string;
  readonly data?: unknown;
  readonly rights: (nonce: string) => PageRights;
}

/** The mark of the gateway: a till, with a gate in it. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M7 24V13a9 9 0 0 1 18 0v11M12 24V13a4 4 0 0 1 8 0v11M5 24h22" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>';

/** The style that pages to read have in common: light and dark, wide and narrow, and no font but the reader's own. */
export const BASE_STYLE = `
:root {
  --paper: light-dark(#fbfbf9, #121615); --ink: light-dark(#1b2422, #e6ecea); --soft: light-dark(#55625f, #9fb0ab);
  --line: light-dark(#dfe4e1, #2b3431); --card: light-dark(#fff, #1a201e); --accent: light-dark(#0f766e, #5eead4);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 3rem) clamp(1rem, 4vw, 2rem) 4rem; }
header { display: flex; gap: 1rem; align-items: center; }
header svg { width: 3rem; height: 3rem; flex: none; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; }
header p { margin: .15rem 0 0; color: var(--soft); max-width: 46rem; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.1rem; }
h3 { margin: 0; font-size: .95rem; font-weight: 600; }
p { margin: .5rem 0; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.soft { color: var(--soft); }
code, pre { font: .875rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; }
`;

export async function sendPage(exchange: Exchange, page: Page): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const headers = { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders(page.rights(nonce)) };
  await sendText(exchange, page.status ?? 200, headers, htmlOf(page, nonce));
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
