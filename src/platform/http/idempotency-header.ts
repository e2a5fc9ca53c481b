import type { IncomingMessage } from 'node:http';
import type { Idempotency } from '../../shared/caller.js';
import { MalformedRequest } from '../../shared/errors.js';

/** The longest idempotency key. */
export const MAX_KEY_BYTES = 1024;

/**
 * What HTTP lets in a header's value (RFC 9110, section 5.5). Node gives each byte as one character, and has taken the white space around the
 * value off. What the bytes mean is nobody's business here: a key in UTF-8 is the same key as long as it has the same bytes.
 */
const KEY = new RegExp(String.raw`^[\t\x20-\x7e\x80-\xff]{1,${MAX_KEY_BYTES}}$`);

/** The key is empty, or too long. */
export class BadIdempotencyKey extends MalformedRequest {
  constructor() {
    super(`The idempotency key must have 1 to ${MAX_KEY_BYTES} bytes.`);
  }
}

/** The idempotency key of a request, or null. Throws `MalformedRequest`. */
export function idempotencyOf({ headers, headersDistinct }: IncomingMessage): Idempotency | null {
  if (headers['x-idempotency-key'] === undefined && headers['idempotency-key'] === undefined) return null;
  const [usual, alias] = [headersDistinct['x-idempotency-key'] ?? [], headersDistinct['idempotency-key'] ?? []];
  // Several lines of one header are joined with commas elsewhere, and such a text would be a key as well.
  if (usual.length > 1 || alias.length > 1) {
    throw new MalformedRequest('The idempotency key must be sent only once. Remove the repeated header.');
  }
  const [key = '', other = key] = [...usual, ...alias];
  if (key !== other) {
    throw new MalformedRequest('X-Idempotency-Key and Idempotency-Key have different values. Send only one of them.');
  }
  if (!KEY.test(key)) throw new BadIdempotencyKey();
  return { key, place: null, outcomes: [] };
}
