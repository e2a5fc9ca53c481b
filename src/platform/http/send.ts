import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Express, Request, Response } from 'express';
import Negotiator from 'negotiator';
import { API_HEADERS, FRAMED_HEADERS } from './browsers.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { jsonOf } from './json.js';

/** From this length a text is sent as bytes. */
const LONG_CHARACTERS = 16 * 1024;
/** Below this length (a packet or two) compressing costs more time than the network saves. */
const COMPRESSED_CHARACTERS = 8 * 1024;
/** More would queue for the few threads that also read files: then an answer is sent uncompressed. */
const MAX_COMPRESSING = 16;

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/**
 * The headers of every answer. `Idempotent-Replayed` marks a recorded answer, be it a result or a refusal. A failure is
 * never recorded, so an answer that fails behind its record does not have it.
 */
export function usualHeaders(
  { requestId, interactionId, rateHeaders, caller, isFramed, reading, dpopNonce }: Exchange,
  status = 200,
): OutgoingHttpHeaders {
  const position = reading?.text;
  return {
    ...(isFramed ? FRAMED_HEADERS : API_HEADERS),
    'X-Request-Id': requestId,
    'x-fapi-interaction-id': interactionId,
    'Cache-Control': 'no-store',
    ...rateHeaders,
    ...(dpopNonce !== null && { 'DPoP-Nonce': dpopNonce }),
    ...(position && { 'Tillgate-Position': position }),
    ...(status < 500 && caller?.replayed && { 'Idempotent-Replayed': 'true' }),
  };
}

/**
 * Sends a text, compressed where it is large and its client accepts that. The length of a compressed text gives away
 * secrets beside texts that an attacker chose (BREACH), but no foreign page can send our tokens for its user.
 */
export async function sendText(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): Promise<void> {
  if (body.length < COMPRESSED_CHARACTERS) return sendWhole(exchange, status, headers, body);
  const coding = compressing < MAX_COMPRESSING ? codingFor(exchange.request) : null;
  const packed = coding && (await compressed(coding, body).catch(() => null));
  const others = headers['Vary'] ?? exchange.response.getHeader('Vary');
  const vary = { Vary: others === undefined ? 'Accept-Encoding' : `${String(others)}, Accept-Encoding` };
  const encoding = packed && { 'Content-Encoding': coding };
  sendWhole(exchange, status, { ...headers, ...vary, ...encoding }, packed ?? body);
}

/** Sends an answer as it is. All headers go at once: those that were set before would be merged one by one. */
export function sendWhole(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): void {
  // Node.js copies a text to append it to the headers, and each collection copies it until it is sent. Bytes stay in
  // place.
  const sent = typeof body === 'string' && body.length > LONG_CHARACTERS ? Buffer.from(body) : body;
  const length = Buffer.byteLength(sent);
  exchange.answerBytes = length;
  const all = { ...usualHeaders(exchange, status), ...headers, 'Content-Length': length };
  // A text of ASCII alone, as most are, needs no encoding: that saves a tenth of an answer's cost.
  ServerResponse.prototype.writeHead
    .call(exchange.response, status, all)
    .end(sent, length === sent.length ? 'latin1' : 'utf8');
}

export type ContentCoding = 'zstd' | 'br' | 'gzip';

/**
 * Zstandard packs an answer as small as the others in a quarter of their time, and brotli a little smaller than gzip.
 */
const CODINGS: readonly ContentCoding[] = ['zstd', 'br', 'gzip'];

/**
 * The levels at which each of them makes a page of 100 transactions a thirteenth of its size. Higher ones take two to
 * three times as long for a tenth less; the default of brotli is for files that are compressed once.
 */
export const LEVELS = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 3 } },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  gzip: { level: 6 },
} as const satisfies Record<ContentCoding, object>;

/**
 * A method that the types of the package leave out: of codings with the same weight the first preferred one is given.
 */
interface EncodingNegotiator {
  encoding(available: string[], options: { readonly preferred: readonly string[] }): string | undefined;
}

/** The coding that a client likes best, and of several the first of `codings` (RFC 9110, 12.5.3); null for none. */
export function codingFor(request: IncomingMessage, codings: readonly ContentCoding[] = CODINGS): ContentCoding | null {
  const preferred = [...codings, 'identity'];
  const negotiator: EncodingNegotiator = new Negotiator(request);
  const coding = negotiator.encoding(preferred, { preferred });
  return codings.find(one => one === coding) ?? null;
}

const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
let compressing = 0;

export async function compressed(coding: ContentCoding, body: string | Buffer): Promise<Buffer> {
  compressing += 1;
  try {
    if (coding === 'zstd') return await zstd(body, LEVELS.zstd);
    return await (coding === 'br' ? brotli(body, LEVELS.br) : zip(body, LEVELS.gzip));
  } finally {
    compressing -= 1;
  }
}

interface ResponseMethods {
  json(this: Response, value: object): Response;
  writeHead(this: Response, status: number, headers?: OutgoingHttpHeaders): Response;
}

/**
 * Gives every answer of an Express application the usual headers, however its routes send it. Express documents
 * `app.response` as the place to replace methods of its responses ('Overriding the Express API').
 */
export function answerAsUsual(app: Express): void {
  const answers = (app as unknown as { response: ResponseMethods }).response;
  answers.json = function (value) {
    void sendText(exchangeOf(this.req), this.statusCode, JSON_TYPE, jsonOf(value));
    return this;
  };
  answers.writeHead = function (status, headers) {
    const { req }: { req: Request } = this;
    const all = { ...usualHeaders(exchangeOf(req), status), ...headers };
    return ServerResponse.prototype.writeHead.call(this, status, all) as Response;
  };
}
