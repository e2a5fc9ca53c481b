import type { IncomingMessage } from 'node:http';
import type { ApolloServerPlugin, HTTPGraphQLHead } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import { InsufficientScope, STATUS_OF } from '../../shared/errors.js';
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
        sayOverHttp(response.http, errors, singleResult.data);
        if (response.http.status === 400 && knowsJsonAlone(exchange.request) && errors.every(isOfDocument)) {
          response.http.status = 200;
        }
      },
    }),
  };
}

type Data = Readonly<Record<string, unknown>> | null | undefined;

/** The status and the headers that refusals have. `data` is undefined where nothing ran: then the refusal decides. */
function sayOverHttp(http: HTTPGraphQLHead, errors: readonly GraphQLError[], data: Data): void {
  const isForbidden = forbidsAll(data, errors);
  for (const refusal of errors.map(refusalIn)) {
    if (!refusal) continue;
    const decides =
      data === undefined || DECIDES_STATUS.has(refusal.kind) || (isForbidden && refusal.kind === 'forbidden');
    if (decides) http.status = STATUS_OF[refusal.kind].status;
    if (refusal.retryAfterSeconds) http.headers.set('retry-after', String(refusal.retryAfterSeconds));
    if (isForbidden && refusal instanceof InsufficientScope) {
      http.headers.set('www-authenticate', wwwAuthenticate(refusal));
    }
  }
}

/** Whether the token allows nothing of what was asked for: each field at the root is refused for it. A field further in costs itself alone. */
function forbidsAll(data: Data, errors: readonly GraphQLError[]): boolean {
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
