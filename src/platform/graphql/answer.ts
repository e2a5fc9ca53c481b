import { STATUS_OF, type Refusal } from '../../shared/errors.js';
import { endsConnection } from '../http/body.js';
import { compress, isWorthCompressing } from '../http/compression.js';
import type { Exchange } from '../http/exchange.js';
import { refusalHeaders } from '../http/problem.js';
import { API_HEADERS } from '../http/security-headers.js';
import { refusalExtensions } from './format-error.js';
import { PersistedQueryNotFound } from './persisted-operations.js';

export const JSON_ANSWER = { 'content-type': 'application/json; charset=utf-8' };

/** Where Apollo refuses a request before there is an operation, no plugin is asked, and the errors would lack their request id. */
export function withRequestId(body: string, requestId: string): string {
  const answer = JSON.parse(body) as { errors?: { extensions?: object }[] };
  const errors = answer.errors?.map(error => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return JSON.stringify({ ...answer, errors });
}

/** Answers with a refusal that no part of Apollo has seen. */
export function sendRefusal(exchange: Exchange, refusal: Refusal): void {
  const { request, requestId } = exchange;
  const body = JSON.stringify({
    errors: [{ message: refusal.message, extensions: { ...refusalExtensions(refusal), requestId } }],
  });
  const headers = {
    ...refusalHeaders(refusal),
    ...JSON_ANSWER,
    ...(endsConnection(request) && { connection: 'close' }),
  };
  // Apollo's clients take this one out of an ordinary answer, and then send the text.
  const status = refusal instanceof PersistedQueryNotFound ? 200 : STATUS_OF[refusal.kind].status;
  sendNow(exchange, status, headers, body);
}

export async function send(
  exchange: Exchange,
  status: number,
  headers: Record<string, string>,
  body: string,
): Promise<void> {
  if (!isWorthCompressing(body)) return sendNow(exchange, status, headers, body);
  const packed = await compress(exchange.request, body);
  exchange.response.appendHeader('vary', 'accept-encoding');
  sendNow(
    exchange,
    status,
    { ...headers, ...(packed && { 'content-encoding': packed.coding }) },
    packed?.bytes ?? body,
  );
}

function sendNow(
  { response, requestId, rateHeaders }: Exchange,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer,
): void {
  const length = Buffer.byteLength(body);
  // All headers at once: those that were set before would be merged one by one.
  response.writeHead(status, {
    ...API_HEADERS,
    'X-Request-Id': requestId,
    'cache-control': 'no-store',
    ...rateHeaders,
    ...headers,
    'content-length': length,
  });
  // A text of ASCII alone, as most are, needs no encoding: that saves a tenth of an answer's cost.
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}
