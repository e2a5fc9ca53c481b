import type { IncomingMessage } from 'node:http';
import { SIGN_IN_MINUTES } from './oidc.provider.js';

// `__Host-`: browsers take it only over HTTPS (or from this machine), for this host alone and for all its paths.
const SESSION = '__Host-tillgate-console';
const SIGN_IN = '__Host-tillgate-sign-in';

// A value of any other form is none of ours, so it is not looked up.
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const SEALED = /^[A-Za-z0-9_-]{1,4000}$/;

/** The secret of the session in the cookies of a request; null without one. */
export function sessionSecretIn(request: IncomingMessage): string | null {
  return cookieIn(request, SESSION, SECRET);
}

/** Strict, so that no page of another site uses the session. Without an age, so that it ends with the browser. */
export function sessionCookie(secret: string): string {
  return `${SESSION}=${secret}; Path=/; Secure; HttpOnly; SameSite=Strict`;
}

/** Deletes the cookie of the session. Browsers take a deletion under `__Host-` only with `Path=/` and `Secure`, too. */
export function noSessionCookie(): string {
  return `${SESSION}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0`;
}

/** The sealed sign-in that the browser keeps while its user is at the provider; null without it. */
export function begunSignInIn(request: IncomingMessage): string | null {
  return cookieIn(request, SIGN_IN, SEALED);
}

/** Lax, as the provider sends the browser back here. */
export function signInCookie(sealed: string): string {
  return `${SIGN_IN}=${sealed}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${SIGN_IN_MINUTES * 60}`;
}

export function noSignInCookie(): string {
  return `${SIGN_IN}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`;
}

/** The value of a cookie; null if it is missing, of another form, or sent twice, as then one is not ours. */
function cookieIn({ headers: { cookie = '' } }: IncomingMessage, name: string, form: RegExp): string | null {
  const values = cookie
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && form.test(value) ? value : null;
}
