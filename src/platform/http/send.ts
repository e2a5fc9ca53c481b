import { ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import type { Express, Request, Response } from 'express';
import { compress, isWorthCompressing } from './compression.js';
import { exchangeOf, type Exchange } from './exchange.js';
import { jsonOf } from './json.js';
import { API_HEADERS } from './security-headers.js';

const LONG_CHARACTERS = 16 * 1024;

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** The headers that every answer has. `Idempotent-Replayed` tells of an answer from the record, of a result or of a refusal alike. */
export function usualHeaders({ requestId, rateHeaders, caller }: Exchange): OutgoingHttpHeaders {
  return {
    ...API_HEADERS,
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...rateHeaders,
    ...(caller?.replayed && { 'Idempotent-Replayed': 'true' }),
  };
}

/** Sends a text, compressed where it is large and its client takes it so. */
export async function sendText(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): Promise<void> {
  if (!isWorthCompressing(body)) return sendWhole(exchange, status, headers, body);
  const packed = await compress(exchange.request, body).catch(() => null);
  const others = exchange.response.getHeader('Vary');
  const vary = { Vary: others === undefined ? 'Accept-Encoding' : `${String(others)}, Accept-Encoding` };
  const coding = packed && { 'Content-Encoding': packed.coding };
  sendWhole(exchange, status, { ...headers, ...vary, ...coding }, packed?.bytes ?? body);
}

/** Sends an answer as it is. All headers go at once: those that were set before would be merged one by one. */
export function sendWhole(
  exchange: Exchange,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
): void {
  // A long text would be copied to stand behind the headers, and once more by each collection until it is sent; bytes stay where they are.
  const sent = typeof body === 'string' && body.length > LONG_CHARACTERS ? Buffer.from(body) : body;
  const length = Buffer.byteLength(sent);
  const all = { ...usualHeaders(exchange), ...headers, 'Content-Length': length };
  // A text of ASCII alone, as most are, needs no encoding: that saves a tenth of an answer's cost.
  ServerResponse.prototype.writeHead
    .call(exchange.response, status, all)
    .end(sent, length === sent.length ? 'latin1' : 'utf8');
}

interface Answers {
  json(this: Response, value: object): Response;
  writeHead(this: Response, status: number, headers?: OutgoingHttpHeaders): Response;
}

/** Makes the answers of an Express application like all others, however its routes send them. */
export function answerAsUsual(app: Express): void {
  const answers = (app as unknown as { response: Answers }).response;
  answers.json = function (value) {
    void sendText(exchangeOf(this.req), this.statusCode, JSON_TYPE, jsonOf(value));
    return this;
  };
  answers.writeHead = function (status, headers) {
    const { req }: { req: Request } = this;
    return ServerResponse.prototype.writeHead.call(this, status, {
      ...usualHeaders(exchangeOf(req)),
      ...headers,
    }) as Response;
  };
}
