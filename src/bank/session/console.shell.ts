import { randomBytes } from 'node:crypto';
import { pageHeaders } from '../../platform/http/browsers.js';
import type { Exchange } from '../../platform/http/exchange.js';
import { sendText } from '../../platform/http/send.js';
import type { ConsolePage } from './console.page.js';
import type { SignInWay } from './session.entity.js';

/** A till, with a gate in it. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M7 24V13a9 9 0 0 1 18 0v11M12 24V13a4 4 0 0 1 8 0v11M5 24h22" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>';

export const POLICIES = {
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
};

/** Sends what every address of the console begins with. It holds no data, so anybody may have it. */
export async function sendShell(exchange: Exchange, page: ConsolePage, signIn: SignInWay): Promise<void> {
  const nonce = randomBytes(16).toString('base64url');
  const rights = {
    // A module that a script of ours imports has its nonce, too.
    scriptSrc: [`'nonce-${nonce}'`],
    styleSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    frameSrc: ["'self'"],
    formAction: ["'self'"],
    requireTrustedTypesFor: ["'script'"],
  } as const;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    ...pageHeaders(rights, 'same-origin'),
    ...POLICIES,
  };
  await sendText(exchange, 200, headers, htmlOf(page, nonce, signIn));
}

function htmlOf({ script, style, font, preload }: ConsolePage, nonce: string, signIn: SignInWay): string {
  const at = (name: string): string => `/console/assets/${name}`;
  const links = preload.map(name => `<link rel="modulepreload" nonce="${nonce}" href="${at(name)}">\n`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="sign-in" content="${signIn}">
<title>Console</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<link rel="preload" as="font" type="font/woff2" crossorigin href="${at(font)}">
${style === null ? '' : `<link rel="stylesheet" href="${at(style)}">\n`}${links.join('')}<script type="module" nonce="${nonce}" src="${at(script)}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}
