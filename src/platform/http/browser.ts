import type { IncomingMessage } from 'node:http';

/** Whether somebody looks with a browser: programs do not ask for HTML. */
export function asksForPage({ method, headers: { accept = '' } }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && accept.includes('text/html');
}
