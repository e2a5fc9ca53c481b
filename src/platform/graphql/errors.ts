import type { IncomingMessage } from 'node:http';
import type { GraphQLRequestContextWillSendResponse, HTTPGraphQLHead } from '@apollo/server';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { InsufficientScope, STATUS_OF, type FieldProblem, type Refusal } from '../../shared/errors.js';
import { problemCode } from '../../shared/problems.js';
import type { Exchange } from '../http/exchange.js';
import { challengeOf } from '../http/problem.js';
import type { Logger } from '../logging/logger.js';
import type { Context } from './context.js';
import { asGraphqlError } from './early-refusal.js';
import { formatError, isInternal, isOfDocument, refusalIn } from './format-error.js';
import { PersistedQueryNotFound } from './persisted-operations.js';

/** Refusals of the request as a whole, which decide its HTTP status also if a part of it ran. */
const DECIDES_STATUS = new Set(['too_many_requests', 'unavailable']);

/**
 * Adds to the errors of a response what GraphQL alone cannot tell: status, headers, request id. Logs internal errors.
 */
export function tellErrors(
  { errors: found, response, operationName, contextValue }: GraphQLRequestContextWillSendResponse<Context>,
  log: Logger,
): void {
  const { exchange, result, refusal } = contextValue;
  const errors = refusal ? [asGraphqlError(refusal)] : (found ?? result?.errors);
  if (!errors || response.body.kind !== 'single') return;
  const { requestId } = exchange;
  for (const error of errors.filter(isInternal)) {
    log.error({ err: error.originalError ?? error, requestId, operationName }, 'GraphQL operation failed');
  }
  const { http } = response;
  const { singleResult } = response.body;
  if (refusal) singleResult.errors = errors.map(error => formatError(error.toJSON(), error));
  singleResult.errors = singleResult.errors?.map(error => {
    const { code, errors: fields } = (error.extensions ?? {}) as { code?: string; errors?: readonly FieldProblem[] };
    exchange.refused(problemCode(String(code)), fields);
    return { ...error, extensions: { ...error.extensions, requestId } };
  });
  tellOverHttp(exchange, http, errors, singleResult.data);
  if (http.status === 400 && acceptsOnlyJson(exchange.request) && errors.every(isOfDocument)) http.status = 200;
}

/** The status and the headers of refusals. If nothing ran there is no data, and the refusal decides the status. */
function tellOverHttp(
  exchange: Exchange,
  http: HTTPGraphQLHead,
  errors: readonly GraphQLError[],
  data: ExecutionResult['data'],
): void {
  const isForbidden = forbidsAll(data, errors);
  for (const refusal of errors.map(refusalIn)) {
    if (!refusal) continue;
    const decidesStatus = DECIDES_STATUS.has(refusal.kind) || (isForbidden && refusal.kind === 'forbidden');
    if (decidesStatus || data === undefined) http.status = statusOf(refusal);
    if (refusal.retryAfterSeconds) http.headers.set('retry-after', String(refusal.retryAfterSeconds));
    if (isForbidden && refusal instanceof InsufficientScope) {
      http.headers.set('www-authenticate', challengeOf(exchange, refusal));
    }
  }
}

/** Apollo's clients expect the status 200 where a hash is not known, and send the text of the operation then. */
function statusOf(refusal: Refusal): number {
  return refusal instanceof PersistedQueryNotFound ? 200 : STATUS_OF[refusal.kind].status;
}

/** True if the token allows none of the fields at the root. A field inside of another does not count. */
function forbidsAll(data: ExecutionResult['data'], errors: readonly GraphQLError[]): boolean {
  const forbidden = errors.filter(error => refusalIn(error)?.kind === 'forbidden');
  if (!data) return forbidden.length > 0;
  const refused = new Set(forbidden.filter(({ path }) => path?.length === 1).map(({ path }) => path?.[0]));
  return Object.keys(data).every(name => refused.has(name));
}

/**
 * A client that accepts only application/json cannot know whether another status than 200 comes from an intermediary
 * (GraphQL over HTTP, section 6.4.1), so mistakes in the document or its variables have the status 200.
 */
function acceptsOnlyJson({ headers: { accept } }: IncomingMessage): boolean {
  return accept !== undefined && /^application\/json\b[^,]*$/i.test(accept);
}
