import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { MalformedRequest, Refusal, TooLarge, Unavailable, UnsupportedMediaType } from '../../shared/errors.js';
import { valueOfJson } from '../input/read-input.js';
import { exchangeOf } from './exchange.js';

/** The largest JSON body, over REST and GraphQL alike, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The same for callers who may upload documents: a document of 10 MiB is 14 MiB in base64. */
export const MAX_UPLOADING_BODY_BYTES = 15 * 1024 * 1024;
/** Receiving and reading this many bytes takes as long as the smallest read, which is one unit. */
const BYTES_OF_UNIT = 16 * 1024;
/** How many bodies above `MAX_BODY_BYTES` are accepted at once: each stays in memory until its request is answered. */
const MAX_LARGE_BODIES = 16;
let largeBodies = 0;
/**
 * How much of an unread body Node.js reads off the wire after the answer. For more it is cheaper to close the
 * connection.
 */
const MAX_UNREAD_BYTES = 64 * 1024;

/**
 * Reads a JSON body, and charges for its length. Throws `UnsupportedMediaType` for another content type or coding,
 * `TooLarge` beyond the limits of bytes and values, `RateLimited`, `MalformedRequest` for text that is not JSON in UTF-8, `InvalidInput` where an object in it has a name twice.
 */
export async function readJson(
  request: IncomingMessage,
  accepted: readonly string[] = ['application/json'],
  limitBytes = MAX_BODY_BYTES,
): Promise<unknown> {
  const bytes = await readDocument(request, accepted, limitBytes);
  try {
    return valueOfJson(bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new MalformedRequest('The body must be JSON in UTF-8.');
  }
}

/**
 * Reads a body as bytes, and charges for its length. Throws `UnsupportedMediaType` for another content type or coding,
 * `TooLarge` beyond the limit, `RateLimited`.
 */
export async function readDocument(
  request: IncomingMessage,
  accepted: readonly string[],
  limitBytes: number,
): Promise<Buffer> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (!accepted.includes(type.trim().toLowerCase())) {
    throw new UnsupportedMediaType(`The content type must be ${accepted.join(' or ')}.`);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnsupportedMediaType('The body must not be compressed. Send it without Content-Encoding.');
  }
  const length = Number(request.headers['content-length'] ?? limitBytes);
  if (length > MAX_BODY_BYTES && length <= limitBytes) holdLargeBody(request);
  try {
    const bytes = await getRawBody(request, { limit: limitBytes, length: request.headers['content-length'] });
    await exchangeOf(request).chargeBody(Math.floor(bytes.length / BYTES_OF_UNIT));
    return bytes;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw new TooLarge(`The body is larger than ${limitBytes} bytes. Send less at once.`);
    }
    throw new MalformedRequest('The body is incomplete. Send the request again.');
  }
}

/** Reads a form of an OAuth request (RFC 6749, section 4.4.2). */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const bytes = await readDocument(request, ['application/x-www-form-urlencoded'], 16 * 1024);
  return new URLSearchParams(bytes.toString('utf8'));
}

/**
 * Whether the connection must close after an answer that came before the body was read, so its rest is no next request.
 */
export function endsConnection(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || Number(length ?? 0) > MAX_UNREAD_BYTES;
}

function holdLargeBody(request: IncomingMessage): void {
  if (largeBodies >= MAX_LARGE_BODIES) {
    throw new Unavailable('Too many large bodies are being received. Try again in a moment.');
  }
  largeBodies += 1;
  exchangeOf(request).response.once('close', () => (largeBodies -= 1));
}
