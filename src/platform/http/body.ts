import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import getRawBody from 'raw-body';
import { MalformedRequest, Refusal, TooLarge, UnsupportedMediaType } from '../../shared/errors.js';
import { readNothing, valueOfJson } from '../input/read-input.js';
import { exchangeOf } from './exchange.js';
import { turnToRead } from '../rate/reading-queue.js';
import { holdBody, isMemoryWanted } from './large-bodies.js';

/** The largest JSON body, over REST and GraphQL alike, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The largest JSON body of callers who may upload documents, in bytes: 10 MiB are 14 MiB in base64. */
export const MAX_UPLOADING_BODY_BYTES = 15 * 1024 * 1024;
/** Receiving and reading this many bytes takes as long as the smallest read, which is one unit. */
const BYTES_OF_UNIT = 16 * 1024;
/** A longer body waits for its turn to be parsed, which takes up to 13 ms for a megabyte. */
const MAX_BYTES_AT_ONCE = 64 * 1024;
/** The longest pause of a sender inside of a body, and the pause between two checks of that and of its speed. */
const MAX_PAUSE_MS = 5000;
const CHECK_EVERY_MS = 500;
/**
 * A large body that comes more slowly than this after its first seconds is refused where others wait for its memory: it
 * could hardly be complete within the 30 seconds that a request may take, and would hold the memory for as long.
 */
const LEAST_BYTES_A_SECOND = 32 * 1024;
const FIRST_MS = 3000;
/** The body is charged for while it comes, whenever so much more has come. */
const BYTES_BETWEEN_CHARGES = 128 * 1024;
/** The time for which the refusal of an unread body waits. Its client is told to try again after a second or more. */
const HELD_BACK_MS = 500;
/** Requests whose sender paused too long: the rest of the body is not waited for. */
const stalled = new WeakSet<IncomingMessage>();
/**
 * The part of an unread body that Node.js reads off the wire after the answer. For more it is cheaper to close the
 * connection.
 */
const MAX_UNREAD_BYTES = 64 * 1024;

/**
 * Reads a JSON body, and charges for its length. Throws `UnsupportedMediaType` for another content type or coding,
 * `TooLarge` beyond the limits of bytes and values, `RateLimited`, `MalformedRequest` for text that is not JSON in
 * UTF-8, `InvalidInput` where an object in it has a name twice.
 */
export async function readJson(
  request: IncomingMessage,
  accepted: readonly string[] = ['application/json'],
  limitBytes = MAX_BODY_BYTES,
): Promise<unknown> {
  const bytes = await readDocument(request, accepted, limitBytes);
  const { caller } = exchangeOf(request);
  if (caller && bytes.length > MAX_BYTES_AT_ONCE) await turnToRead(caller);
  try {
    return valueOfJson(bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new MalformedRequest('The body must be JSON in UTF-8.');
  }
}

/**
 * For a write whose path says all: refuses a body that says more, such as the amount of a hold that is released whole.
 * `{}` says nothing. Throws `InvalidInput`, and what `readJson` throws.
 */
export async function noBody(request: IncomingMessage): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (coding !== undefined || Number(length ?? 0) > 0) readNothing(await readJson(request));
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
  let watch: BodyWatch | null = null;
  try {
    watch = watchBody(request, limitBytes);
    const reading = getRawBody(request, { limit: limitBytes, length: request.headers['content-length'] });
    const bytes = await Promise.race([reading, watch.refused]);
    await exchangeOf(request).chargeBody(Math.floor(bytes.length / BYTES_OF_UNIT));
    return bytes;
  } catch (error) {
    if (error instanceof Refusal) {
      await holdBack(request, error);
      throw error;
    }
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') {
      throw new TooLarge(`The body is larger than ${limitBytes} bytes. Send less at once.`);
    }
    throw new MalformedRequest('The body is incomplete. Send the request again.');
  } finally {
    watch?.stop();
  }
}

interface BodyWatch {
  readonly refused: Promise<never>;
  stop(): void;
}

/**
 * Waits with a refusal after which the client may try again, where the connection has to end with it: who begins anew
 * at once would keep the process busy with bodies that it does not read.
 */
export async function holdBack(request: IncomingMessage, { retryAfterSeconds }: Refusal): Promise<void> {
  if (retryAfterSeconds === undefined || !endsConnection(request)) return;
  request.pause();
  await sleep(HELD_BACK_MS);
}

/**
 * Watches a body while it comes. It is charged for as it comes, also where it never ends. One that is not short takes
 * memory that is shared out, at once or, where it says no length, once so much has come; one that pauses too long is
 * refused, and so is a large one that is too slow while others wait for its memory.
 */
function watchBody(request: IncomingMessage, limitBytes: number): BodyWatch {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => undefined);
  const exchange = exchangeOf(request);
  const startedMs = performance.now();
  let [length, lastMs, heldBytes, chargedBytes] = [0, startedMs, 0, 0];
  let free = (): void => undefined;
  const hold = (bytes: number): void => {
    if (bytes <= heldBytes || !exchange.caller) return;
    free();
    heldBytes = 0;
    free = holdBody(exchange.caller, bytes);
    heldBytes = bytes;
  };
  exchange.response.once('close', () => free());
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_BYTES_AT_ONCE && declared <= limitBytes) hold(declared);
  const check = setInterval(() => {
    const nowMs = performance.now();
    const seconds = (nowMs - startedMs) / 1000;
    const isLate = nowMs - startedMs > FIRST_MS && length < seconds * LEAST_BYTES_A_SECOND;
    const isSlow = heldBytes > MAX_BODY_BYTES && isLate && exchange.caller !== null && isMemoryWanted(exchange.caller);
    if (!isSlow && nowMs - lastMs < MAX_PAUSE_MS) return;
    stalled.add(request);
    const what = isSlow ? 'came too slowly' : 'stopped coming for too long';
    reject(new MalformedRequest(`The body ${what}. Send the request again.`));
  }, CHECK_EVERY_MS);
  const count = (chunk: Buffer): void => {
    lastMs = performance.now();
    length += chunk.length;
    try {
      if (!declared && length > MAX_BYTES_AT_ONCE) hold(length > MAX_BODY_BYTES ? limitBytes : MAX_BODY_BYTES);
    } catch (error) {
      reject(error);
    }
    if (length - chargedBytes < BYTES_BETWEEN_CHARGES) return;
    chargedBytes = length;
    exchange.chargeBody(Math.floor(length / BYTES_OF_UNIT)).catch(reject);
  };
  request.on('data', count);
  return {
    refused,
    stop: () => {
      clearInterval(check);
      request.off('data', count);
    },
  };
}

/** Reads a form of an OAuth request (RFC 6749, section 4.4.2). */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const bytes = await readDocument(request, ['application/x-www-form-urlencoded'], 16 * 1024);
  return new URLSearchParams(bytes.toString('utf8'));
}

/**
 * True if the connection must close after an answer that came before the body was read, so its rest is no next request.
 */
export function endsConnection(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (stalled.has(request)) return true;
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return coding !== undefined || Number(length ?? 0) > MAX_UNREAD_BYTES;
}
