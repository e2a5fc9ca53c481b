import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import {
  ApprovalRequired,
  InsufficientScope,
  InternalError,
  MalformedRequest,
  Refusal,
  STATUS_OF,
  Unauthenticated,
} from '../../shared/errors.js';
import { problemType } from '../../shared/problems.js';
import { schemeOf } from '../auth/authorization-header.js';
import { wwwAuthenticate } from '../auth/challenge.js';
import { refusalOf } from '../database/retry.js';
import { endsConnection } from './body.js';
import type { Exchange } from './exchange.js';
import { contractRecord } from './json.js';
import { JSON_TYPE, sendWhole } from './send.js';
import { shownPath } from './shown-path.js';
import { API_HEADERS } from './browsers.js';

export class RouteNotFound extends Refusal {
  readonly code = 'route_not_found';
  constructor() {
    super('The path does not exist. `/docs` lists all paths.');
  }
}

export const MAX_URL_CHARACTERS = 8 * 1024;

/** The path exists, but not for this method. */
export class MethodNotAllowed extends Refusal {
  readonly code = 'method_not_allowed';
  /** The header `Allow` (RFC 9110, 15.5.6). OPTIONS is answered everywhere. */
  readonly allow: string;
  constructor(methods: readonly string[]) {
    super(`The path supports only the methods ${methods.join(', ')}. Use one of them.`);
    this.allow = allowHeader(methods);
  }
}

/** The `Allow` header of a path with these methods. */
export function allowHeader(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

export class AddressTooLong extends Refusal {
  readonly code = 'uri_too_long';
  constructor() {
    super(`The path and query have more than ${MAX_URL_CHARACTERS} characters. Shorten them.`);
  }
}

/** This process stops, and others serve. */
export class Stopping extends Refusal {
  readonly code = 'stopping';
  constructor() {
    super('The process is shutting down. Send the request to another process.');
  }
}

/** The refusal that a client sees for an error. Any error that is no refusal is told as `internal_error` alone. */
export function asRefusal(error: unknown, requestId: string): Refusal {
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  // Express itself throws for a path that cannot be decoded.
  if (error instanceof URIError) return new MalformedRequest('The path must be valid percent-encoded UTF-8.');
  return new InternalError(requestId);
}

/** True if the caller needs another access token. */
export function challenges(refusal: Refusal): refusal is Unauthenticated | InsufficientScope {
  return refusal instanceof Unauthenticated || refusal instanceof InsufficientScope;
}

/** The challenge of an answer: what its request's token lacks. */
export function challengeOf(
  { challengePolicy, metadataUrl, authorization }: Exchange,
  refusal: Unauthenticated | InsufficientScope,
): string {
  const policy = { ...challengePolicy, metadataUrl: metadataUrl ?? challengePolicy.metadataUrl };
  return wwwAuthenticate(refusal, policy, schemeOf(authorization));
}

/** Headers that belong to a refusal: `WWW-Authenticate` (RFC 6750), `Allow` and `Retry-After` (RFC 9110). */
export function refusalHeaders(exchange: Exchange, refusal: Refusal): Record<string, string> {
  return {
    ...(challenges(refusal) && { 'WWW-Authenticate': challengeOf(exchange, refusal) }),
    ...(refusal instanceof MethodNotAllowed && { Allow: refusal.allow }),
    ...(refusal.retryAfterSeconds && { 'Retry-After': String(refusal.retryAfterSeconds) }),
  };
}

/** A refusal as RFC 9457 problem details. */
export function problemDetails(refusal: Refusal, instance: string, requestId: string): object {
  const { status, title } = STATUS_OF[refusal.kind];
  return {
    type: problemType(refusal.code),
    title,
    status,
    detail: refusal.message,
    instance,
    code: refusal.code,
    requestId,
    ...(refusal.errors && { errors: refusal.errors }),
  };
}

/** Answers with the details of a refusal. */
export function sendProblem(exchange: Exchange, refusal: Refusal): void {
  const { request, requestId } = exchange;
  exchange.refused(refusal.code, refusal.errors);
  if (refusal instanceof ApprovalRequired) return sendAccepted(exchange, refusal);
  const { status } = STATUS_OF[refusal.kind];
  const [path = '/'] = (request.url ?? '/').split('?');
  const body = JSON.stringify(problemDetails(refusal, shownPath(path), requestId));
  const headers = {
    ...refusalHeaders(exchange, refusal),
    'Content-Type': 'application/problem+json; charset=utf-8',
    // The rest of an unread body would be read as the next request.
    ...(endsConnection(request) && { Connection: 'close' }),
  };
  sendWhole(exchange, status, headers, body);
}

/**
 * Answers with the approval that the request waits for, without what it would change, which approvers read: it is no
 * error (RFC 9110, 15.3.3).
 */
function sendAccepted(exchange: Exchange, { approval }: ApprovalRequired): void {
  const place = approval.approvalId !== null && { Location: `/approvals/${approval.approvalId}` };
  const headers = { ...JSON_TYPE, ...place };
  sendWhole(exchange, STATUS_OF.accepted.status, headers, JSON.stringify({ ...contractRecord(approval), changes: [] }));
}

/** The statuses for errors that Node's parser finds before there is a request. Any other error is 400. */
const STATUSES: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers a request that is not valid HTTP or comes too slowly like every other refusal, and closes the connection. */
export function answerBrokenRequests(server: Server, open: Iterable<Exchange>): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isAnswering = [...open].some(({ request, response }) => request.socket === socket && response.headersSent);
    // The client is gone, or an answer is being sent and this one would be read as a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy();
    else socket.end(rawProblem(STATUSES[error.code ?? ''] ?? 400), () => socket.destroy());
  });
}

function rawProblem(status: number): string {
  const title = STATUS_CODES[status] ?? '';
  const requestId = randomUUID();
  const code = 'malformed_request';
  const detail = 'The request is not valid HTTP.';
  const body = JSON.stringify({ type: problemType(code), title, status, detail, code, requestId });
  return [
    `HTTP/1.1 ${status} ${title}`,
    `X-Request-Id: ${requestId}`,
    `x-fapi-interaction-id: ${requestId}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(API_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
