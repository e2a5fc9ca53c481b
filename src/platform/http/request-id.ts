import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isNumber } from './shown-path.js';

const SANE = /^[A-Za-z0-9._~:/+=-]{1,128}$/;

/**
 * The caller's `X-Request-Id` if it is short, plain and not one long number, which may be a tax id or a card's, else one of ours. It goes
 * into logs, events and answers, so it is not just any text.
 */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) && !isNumber(given) ? given : randomUUID();
}
