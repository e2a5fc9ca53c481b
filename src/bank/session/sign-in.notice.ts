import { randomBytes } from 'node:crypto';
import { STATUS_OF } from '../../shared/errors.js';
import { pageHeaders } from '../../platform/http/browsers.js';
import type { Exchange } from '../../platform/http/exchange.js';
import { sendWhole } from '../../platform/http/send.js';
import { POLICIES } from './console.shell.js';
import type { SignInFailure } from './oidc.errors.js';

interface Notice {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

const AGAIN = 'Sign in again';
const REFUSED = STATUS_OF.forbidden.status;

const NOTICES: Readonly<Record<SignInFailure, Notice>> = {
  expired: {
    status: STATUS_OF.malformed.status,
    title: 'The sign-in has expired',
    text: 'It was begun in another browser, or more than ten minutes ago.',
  },
  cancelled: { status: REFUSED, title: 'The sign-in was cancelled', text: 'Nobody was signed in.' },
  refused: {
    status: REFUSED,
    title: 'The sign-in failed',
    text: 'The answer of the identity provider could not be accepted. If it happens again, tell the operator of the gateway.',
  },
  not_allowed: {
    status: REFUSED,
    title: 'No access to the console',
    text: 'You are signed in at the identity provider, and have no role for this console, or belong to no program. Ask the administrator of your identity provider for the role viewer, operator or approver, or for a group that has one of them.',
  },
  unavailable: {
    status: STATUS_OF.unavailable.status,
    title: 'The identity provider cannot be reached',
    text: 'Try again in a moment.',
  },
};

/** Tells a person why nobody was signed in. */
export function sendFailure(exchange: Exchange, failure: SignInFailure): void {
  exchange.refused(`sign_in_${failure}`);
  const { status, title, text } = NOTICES[failure];
  const shown = `<p>${text}</p>\n<p><a href="/console/sign-in">${AGAIN}</a></p>\n<p class="soft">Request ${exchange.requestId}</p>`;
  send(exchange, status, title, '', shown);
}

/**
 * Goes on to a path of the console. A page of this host sends the browser there: with a redirect the browser would
 * still come from the provider, and keep the cookie of the session to itself.
 */
export function sendOnward(exchange: Exchange, to: string): void {
  const address = to.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
  const refresh = `<meta http-equiv="refresh" content="0;url=${address}">\n`;
  send(exchange, 200, 'You are signed in', refresh, `<p><a href="${address}">Go on to the console</a></p>`);
}

const STYLE = `:root { color-scheme: light dark; }
body { margin: 20vh auto 0; max-width: 32rem; padding: 0 1.5rem; font: 1rem/1.55 system-ui, sans-serif; background: light-dark(#fbfbf9, #121615); color: light-dark(#1b2422, #e6ecea); }
h1 { font-size: 1.5rem; line-height: 1.2; }
a { color: light-dark(#0f766e, #5eead4); font-weight: 600; }
.soft { color: light-dark(#55625f, #9fb0ab); font-size: .875rem; overflow-wrap: anywhere; }`;

function send(exchange: Exchange, status: number, title: string, head: string, body: string): void {
  const nonce = randomBytes(16).toString('base64url');
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    ...pageHeaders({ styleSrc: [`'nonce-${nonce}'`] }, 'same-origin'),
    ...POLICIES,
  };
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  sendWhole(exchange, status, headers, html);
}
