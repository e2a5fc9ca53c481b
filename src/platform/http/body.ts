import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { MalformedRequest, TooLarge, UnsupportedMediaType } from '../../shared/errors.js';

/** The largest JSON body of either door, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Reads a JSON body. Throws `UnsupportedMediaType` for another content type or coding, `TooLarge` beyond 1 MiB,
 * `MalformedRequest` for text that is not JSON in UTF-8.
 */
export async function readJson(
  request: IncomingMessage,
  accepted: readonly string[] = ['application/json'],
): Promise<unknown> {
  refuseOtherThan(request, accepted);
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new MalformedRequest('The body is not JSON in UTF-8.');
  }
}

/** Reads a form of an OAuth request (RFC 6749, section 4.4.2). */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  refuseOtherThan(request, ['application/x-www-form-urlencoded']);
  return new URLSearchParams((await readBytes(request, 16 * 1024)).toString('utf8'));
}

function refuseOtherThan(request: IncomingMessage, accepted: readonly string[]): void {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (!accepted.includes(type.trim().toLowerCase())) {
    throw new UnsupportedMediaType(`The content type must be ${accepted.join(' or ')}.`);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnsupportedMediaType('The body must not be compressed.');
  }
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit: limitBytes, length: request.headers['content-length'] });
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw new TooLarge(`The body is larger than ${limitBytes} bytes.`);
    }
    throw new MalformedRequest('The body did not arrive whole.');
  }
}
