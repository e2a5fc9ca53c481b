import type { IncomingMessage } from 'node:http';

/** `__Host-`: browsers take it only over HTTPS (or from this machine), for this host alone and for all its paths. */
const SESSION = '__Host-tillgate-console';
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The secret of the session in the cookies of a request; null without one. */
export function sessionSecretIn(request: IncomingMessage): string | null {
  const value = cookieIn(request, SESSION);
  return value !== null && SECRET.test(value) ? value : null;
}

/** Without an age: the browser forgets it with its windows, and the gateway sooner. */
export function sessionCookie(secret: string): string {
  return `${SESSION}=${secret}; Path=/; Secure; HttpOnly; SameSite=Strict`;
}

export function noSessionCookie(): string {
  return `${SESSION}=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0`;
}

/** The value of a cookie; null if it is missing, or sent twice, as then one is not ours. */
function cookieIn({ headers: { cookie = '' } }: IncomingMessage, name: string): string | null {
  const values = cookie
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] as string) : null;
}
