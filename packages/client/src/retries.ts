import { NoAnswer, type TillgateError } from './errors.js';

/** The first pause is up to this, the next up to twice as long, and so on, up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/**
 * The gateway did not read the request in time; too many requests; something broke; something in between has no gateway
 * to ask.
 */
const PASSING_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/**
 * Codes of GraphQL errors that pass, so that a retry may succeed. A refused field comes with status 200.
 * `idempotency_in_progress`: the first request with the key is still doing the write.
 */
const PASSING_CODES = new Set([
  'rate_limited',
  'overloaded',
  'unavailable',
  'timed_out',
  'stopping',
  'internal_error',
  'idempotency_in_progress',
]);
/** Nothing was done. */
const REFUSED_AT_THE_DOOR = new Set(['rate_limited', 'overloaded', 'stopping']);

/** True if the same request may be answered otherwise later. */
export function isPassing(error: TillgateError): boolean {
  return error instanceof NoAnswer || PASSING_STATUSES.has(error.status) || PASSING_CODES.has(error.code);
}

/** True if the request may have been done although it was not answered with a success. */
export function leavesDoubt(error: TillgateError): boolean {
  return isPassing(error) && !REFUSED_AT_THE_DOOR.has(error.code);
}

/**
 * Any pause up to the longest of this attempt, so that clients that failed together do not come again together. What
 * the gateway asks for with `Retry-After` is waited for whole, and the random part after it.
 */
export function pauseMs(attempt: number, askedMs = 0, longestMs = LONGEST_PAUSE_MS): number {
  return askedMs + Math.random() * Math.min(longestMs, FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 20));
}

/** `Retry-After` in milliseconds: it comes as seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}
