import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';

/** Whether somebody looks with a browser: a program takes JSON at least as gladly as a page. */
export function asksForPage(request: IncomingMessage): boolean {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}
