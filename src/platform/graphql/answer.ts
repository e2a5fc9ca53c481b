import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_OF, type Refusal } from '../../shared/errors.js';
import { refusalHeaders } from '../http/problem.js';
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
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  requestId: string,
): void {
  const body = JSON.stringify({
    errors: [{ message: refusal.message, extensions: { ...refusalExtensions(refusal), requestId } }],
  });
  const headers = {
    ...refusalHeaders(refusal),
    ...JSON_ANSWER,
    ...(!request.complete && { connection: 'close' }),
  };
  // Apollo's clients take this one out of an ordinary answer, and then send the text.
  const status = refusal instanceof PersistedQueryNotFound ? 200 : STATUS_OF[refusal.kind].status;
  send(response, requestId, status, headers, body);
}

export function send(
  response: ServerResponse,
  requestId: string,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  // All headers at once: those that were set before would be merged one by one.
  response.writeHead(status, {
    'X-Request-Id': requestId,
    'cache-control': 'no-store',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
