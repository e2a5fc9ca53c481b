import type { IncomingMessage } from 'node:http';
import type { ApolloServerPlugin, HTTPGraphQLHead } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import { InsufficientScope, STATUS_OF, type Refusal } from '../../shared/errors.js';
import { wwwAuthenticate } from '../auth/bearer.js';
import type { Logger } from '../logging/logger.js';
import type { Context } from './context.js';
import { isInternal, isOfDocument, refusalIn } from './format-error.js';

/** Refusals that are about the whole request decide its HTTP status; others leave the 200 that GraphQL answers with. */
const DECIDES_STATUS = new Set(['too_many_requests', 'unavailable']);

/** Says over HTTP what GraphQL alone cannot: status, headers, request id. */
export function refusalsPlugin(log: Logger): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ errors, response, operationName, contextValue: { caller, exchange } }) => {
        for (const error of errors?.filter(isInternal) ?? []) {
          const { requestId } = caller;
          log.error({ err: error.originalError ?? error, requestId, operationName }, 'GraphQL operation failed');
        }
        if (!errors || response.body.kind !== 'single') return;
        const { singleResult } = response.body;
        for (const { extensions } of singleResult.errors ?? []) exchange.refused(String(extensions?.['code']));
        singleResult.errors = singleResult.errors?.map(error => ({
          ...error,
          extensions: { ...error.extensions, requestId: caller.requestId },
        }));
        if (response.http.status === 400 && knowsJsonAlone(exchange.request) && errors.every(isOfDocument)) {
          response.http.status = 200;
        }
        sayOverHttp(response.http, errors.map(refusalIn), forbidsAll(singleResult.data, errors));
      },
    }),
  };
}

/** The status and the headers that refusals have. `isForbidden`: nothing of the request is allowed. */
function sayOverHttp(http: HTTPGraphQLHead, refusals: readonly (Refusal | undefined)[], isForbidden: boolean): void {
  for (const refusal of refusals) {
    if (!refusal) continue;
    const decides = DECIDES_STATUS.has(refusal.kind) || (isForbidden && refusal.kind === 'forbidden');
    if (decides) http.status = STATUS_OF[refusal.kind].status;
    if (refusal.retryAfterSeconds) http.headers.set('retry-after', String(refusal.retryAfterSeconds));
    if (isForbidden && refusal instanceof InsufficientScope) {
      http.headers.set('www-authenticate', wwwAuthenticate(refusal));
    }
  }
}

/** Whether the token allows nothing of what was asked for: each field at the root is refused for it. A field further in costs itself alone. */
function forbidsAll(
  data: Readonly<Record<string, unknown>> | null | undefined,
  errors: readonly GraphQLError[],
): boolean {
  const forbidden = errors.filter(error => refusalIn(error)?.kind === 'forbidden');
  if (!data) return forbidden.length > 0;
  const refused = new Set(forbidden.filter(({ path }) => path?.length === 1).map(({ path }) => path?.[0]));
  return Object.keys(data).every(name => refused.has(name));
}

/**
 * Who asks for application/json by its name has to take any other status than 200 for that of something in between, which knows no GraphQL
 * (GraphQL over HTTP, section 6.4.1): so what is wrong with a document or with its variables comes with 200.
 */
function knowsJsonAlone({ headers: { accept } }: IncomingMessage): boolean {
  return accept !== undefined && /^application\/json\b[^,]*$/i.test(accept);
}
