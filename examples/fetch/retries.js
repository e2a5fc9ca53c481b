// When to send a request again, and how long to wait before.

/** The first pause is up to this, the next up to twice as long, and so on, up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;

/**
 * The gateway did not read the request in time; too many requests; something broke; something in between has no gateway
 * to ask.
 */
const PASSING_STATUSES = [408, 429, 500, 502, 503, 504];
/**
 * The same over GraphQL, where a refused field comes with 200, and a write that the first request with its key is still
 * doing (409).
 */
const PASSING_CODES = [
  'rate_limited',
  'overloaded',
  'unavailable',
  'timed_out',
  'stopping',
  'internal_error',
  'idempotency_in_progress',
];

/**
 * Whether the same request may be answered otherwise later. Everything else is about the request: 400, 404, 409 and 422
 * will be said again, and 422 `idempotency_key_reused` means that the key was used for something else, which is a
 * mistake in the program that made it.
 */
export function isPassing(error) {
  // What did not come from the gateway has no code: no connection, no answer in time, half an answer.
  if (error.code === undefined || error.status === undefined) return true;
  return PASSING_STATUSES.includes(error.status) || PASSING_CODES.includes(error.code);
}

/** Tells whether a refused request may have been carried out. One that was refused before it began was not. */
export function leavesDoubt(error) {
  return isPassing(error) && !['rate_limited', 'overloaded', 'stopping'].includes(error.code);
}

/**
 * Any pause up to the longest of this attempt, so that many clients that failed together do not come again together
 * ("full jitter"). What the gateway asks for is waited for whole, and the jitter after it.
 */
export function waitMs(attempt, askedMs = 0) {
  return askedMs + Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

/** `Retry-After` in milliseconds: it comes as seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterMs(headers) {
  const text = headers.get('retry-after');
  if (text === null) return 0;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

/** Resolves after the pause, and rejects as soon as the signal is aborted. */
export function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
