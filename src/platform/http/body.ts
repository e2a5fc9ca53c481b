import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { MalformedRequest, TooLarge, UnsupportedMediaType } from '../../shared/errors.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The largest JSON body of either door, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The same for those who may upload documents: one of 10 MiB is 14 MiB in base64. */
export const MAX_UPLOADING_BODY_BYTES = 15 * 1024 * 1024;

/**
 * Reads a JSON body. Throws `UnsupportedMediaType` for another content type or coding, `TooLarge` beyond the limit,
 * `MalformedRequest` for text that is not JSON in UTF-8.
 */
export async function readJson(
  request: IncomingMessage,
  accepted: readonly string[] = ['application/json'],
  limitBytes = MAX_BODY_BYTES,
): Promise<unknown> {
  const bytes = await readDocument(request, accepted, limitBytes);
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new MalformedRequest('The body is not JSON in UTF-8.');
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
