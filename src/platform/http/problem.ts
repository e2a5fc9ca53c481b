import {
  InsufficientScope,
  InternalError,
  MalformedRequest,
  Refusal,
  STATUS_OF,
  Unauthenticated,
} from '../../shared/errors.js';
import { problemType } from '../../shared/problems.js';
import { wwwAuthenticate } from '../auth/bearer.js';
import { refusalOf } from '../database/refusal-of.js';
import { endsConnection } from './body.js';
import type { Exchange } from './exchange.js';
import { sendWhole } from './send.js';
import { shownPath } from './shown-path.js';

export class RouteNotFound extends Refusal {
  readonly code = 'route_not_found';
  constructor() {
    super('The path does not exist. `/docs` lists all paths.');
  }
}

export const MAX_URL_CHARACTERS = 8 * 1024;

/** Something is served at this path, and not by this method. */
export class MethodNotAllowed extends Refusal {
  readonly code = 'method_not_allowed';
  /** What `Allow` has to say (RFC 9110, 15.5.6). OPTIONS is answered everywhere. */
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

/** This process ends: others serve. */
export class Stopping extends Refusal {
  readonly code = 'stopping';
  constructor() {
    super('The process is shutting down. Send the request to another process.');
  }
}

/** The refusal that a client is told of, whatever was thrown. What is not a refusal is `internal_error` and stays inside. */
export function asRefusal(error: unknown, requestId: string): Refusal {
  const refusal = refusalOf(error);
  if (refusal) return refusal;
  // Express itself throws for a path that cannot be decoded.
  if (error instanceof URIError) return new MalformedRequest('The path must be valid percent-encoded UTF-8.');
  return new InternalError(requestId);
}

/** Whether a refusal says what an access token has to be like: another token is what the caller needs. */
export function challenges(refusal: Refusal): refusal is Unauthenticated | InsufficientScope {
  return refusal instanceof Unauthenticated || refusal instanceof InsufficientScope;
}

/** Headers that belong to a refusal: `WWW-Authenticate` (RFC 6750), `Allow` and `Retry-After` (RFC 9110). */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  return {
    ...(challenges(refusal) && { 'WWW-Authenticate': wwwAuthenticate(refusal) }),
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
  exchange.refused(refusal.code);
  const { status } = STATUS_OF[refusal.kind];
  const [path = '/'] = (request.url ?? '/').split('?');
  const body = JSON.stringify(problemDetails(refusal, shownPath(path), requestId));
  const headers = {
    ...refusalHeaders(refusal),
    'Content-Type': 'application/problem+json; charset=utf-8',
    // A body that was not read whole would be taken for the next request.
    ...(endsConnection(request) && { Connection: 'close' }),
  };
  sendWhole(exchange, status, headers, body);
}
