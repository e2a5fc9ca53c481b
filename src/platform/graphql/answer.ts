import { STATUS_OF, type Refusal } from '../../shared/errors.js';
import { endsConnection } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { refusalHeaders } from '../http/problem.js';
import { sendWhole } from '../http/send.js';
import { refusalExtensions } from './format-error.js';
import { contentType, mediaTypeOf } from './media-type.js';
import { PersistedQueryNotFound } from './persisted-operations.js';

/** Where Apollo refuses a request before there is an operation, no plugin is asked, and the errors would lack their request id. */
export function withRequestId(body: string, requestId: string): string {
  const answer = JSON.parse(body) as { errors?: { extensions?: object }[] };
  const errors = answer.errors?.map(error => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return JSON.stringify({ ...answer, errors });
}

/** Answers with a refusal that no part of Apollo has seen. */
export function sendRefusal(exchange: Exchange, refusal: Refusal): void {
  const { request, requestId } = exchange;
  exchange.refused(refusal.code);
  const body = JSON.stringify({
    errors: [{ message: refusal.message, extensions: { ...refusalExtensions(refusal), requestId } }],
  });
  const headers = {
    ...refusalHeaders(refusal),
    ...contentType(mediaTypeOf(request) ?? 'application/json'),
    ...(endsConnection(request) && { connection: 'close' }),
  };
  // Apollo's clients take this one out of an ordinary answer, and then send the text.
  const status = refusal instanceof PersistedQueryNotFound ? 200 : STATUS_OF[refusal.kind].status;
  sendWhole(exchange, status, headers, body);
}
