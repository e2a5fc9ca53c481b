import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { InvalidInput, MalformedRequest, TooLarge, Unavailable, UnsupportedMediaType } from '../../shared/errors.js';
import { valueOfJson } from '../input/json-text.js';
import { exchangeOf } from './exchange.js';

/** The largest JSON body of either door, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The same for those who may upload documents: one of 10 MiB is 14 MiB in base64. */
export const MAX_UPLOADING_BODY_BYTES = 15 * 1024 * 1024;
/** How many bodies above `MAX_BODY_BYTES` are held at once: each is in memory until its request is answered, some of them twice. */
const MAX_LARGE_BODIES = 16;
let largeBodies = 0;
/** So much of a body that nobody reads is taken off the wire after the answer. For more it is cheaper to end the connection. */
const MAX_IDLE_BYTES = 64 * 1024;

/**
 * Reads a JSON body. Throws `UnsupportedMediaType` for another content type or coding, `TooLarge` beyond the limit,
 * `MalformedRequest` for text that is not JSON in UTF-8, `InvalidInput` where an object in it has a name twice.
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
    if (error instanceof InvalidInput) throw error;
    throw new MalformedRequest('The body must be JSON in UTF-8.');
  }
}

/** Reads a body as it is. Throws `UnsupportedMediaType` for another content type or coding, `TooLarge` beyond the limit. */
export async function readDocument(
  request: IncomingMessage,
  accepted: readonly string[],
  limitBytes: number,
): Promise<Buffer> {
  refuseOtherThan(request, accepted);
  return readBytes(request, limitBytes);
}

/** Reads a form of an OAuth request (RFC 6749, section 4.4.2). */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const bytes = await readDocument(request, ['application/x-www-form-urlencoded'], 16 * 1024);
  return new URLSearchParams(bytes.toString('utf8'));
}

function refuseOtherThan(request: IncomingMessage, accepted: readonly string[]): void {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (!accepted.includes(type.trim().toLowerCase())) {
    throw new UnsupportedMediaType(`The content type must be ${accepted.join(' or ')}.`);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnsupportedMediaType('The body must not be compressed. Send it without Content-Encoding.');
  }
}

/** Whether the connection has to end with an answer that was given before the body was read, or its rest would be taken for a request. */
export function endsConnection(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || Number(length ?? 0) > MAX_IDLE_BYTES;
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? limitBytes);
  if (length > MAX_BODY_BYTES && length <= limitBytes) holdLargeBody(request);
  try {
    return await getRawBody(request, { limit: limitBytes, length: request.headers['content-length'] });
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw new TooLarge(`The body is larger than ${limitBytes} bytes. Send less at once.`);
    }
    throw new MalformedRequest('The body is incomplete. Send the request again.');
  }
}

function holdLargeBody(request: IncomingMessage): void {
  if (largeBodies >= MAX_LARGE_BODIES) {
    throw new Unavailable('Too many large bodies are being received. Try again in a moment.');
  }
  largeBodies += 1;
  exchangeOf(request).response.once('close', () => (largeBodies -= 1));
}
