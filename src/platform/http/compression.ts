import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** Below, compressing costs more time than the network saves: a packet or two. */
const WORTH_CHARACTERS = 8 * 1024;
/** As well as gzip at its usual level, in less time. The default is for files that are compressed once. */
const BROTLI_QUALITY = 4;
/** More would wait for the few threads that also read files: then an answer goes as it is. */
const MAX_AT_ONCE = 16;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
let running = 0;

/** Whether a body is large enough, so that its answer depends on `Accept-Encoding`. */
export function isWorthCompressing(body: string | Buffer): boolean {
  return body.length >= WORTH_CHARACTERS;
}

/**
 * A large body in a coding that the client takes, by RFC 9110, 12.5.3. What is compressed tells its length, which gives away secrets beside
 * texts that an attacker chose (BREACH); no page can send our tokens for its user, so it would learn of what it may read only.
 */
export async function compress(
  request: IncomingMessage,
  body: string | Buffer,
): Promise<{ readonly coding: string; readonly bytes: Buffer } | null> {
  const coding = codingFor(request);
  if (coding === null || running >= MAX_AT_ONCE) return null;
  running += 1;
  try {
    return { coding, bytes: await packed(coding, body) };
  } finally {
    running -= 1;
  }
}

export type Coding = 'br' | 'gzip';

/** The coding that a client likes best of those we have; null for none. */
export function codingFor(request: IncomingMessage): Coding | null {
  const coding = new Negotiator(request).encoding(['br', 'gzip', 'identity']);
  return coding === 'br' || coding === 'gzip' ? coding : null;
}

export function packed(coding: Coding, body: string | Buffer): Promise<Buffer> {
  return coding === 'br' ? brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }) : zip(body);
}
