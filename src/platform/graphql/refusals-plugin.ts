import type { IncomingMessage } from 'node:http';
import type { ApolloServerPlugin } from '@apollo/server';
import { InsufficientScope, STATUS_OF } from '../../shared/errors.js';
import { wwwAuthenticate } from '../auth/bearer.js';
import type { Logger } from '../logging/logger.js';
import type { Context } from './context.js';
import { isInternal, isOfDocument, refusalIn } from './format-error.js';

/** Refusals that are about the whole request decide its HTTP status; others leave the 200 that GraphQL answers with. */
const DECIDES_STATUS = new Set(['forbidden', 'too_many_requests', 'unavailable']);

/** Says over HTTP what GraphQL alone cannot: status, headers, request id. */
export function refusalsPlugin(log: Logger): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ errors, response, operationName, contextValue: { caller, exchange } }) => {
        for (const error of errors?.filter(isInternal) ?? []) {
          const { requestId } = caller;
          log.error({ err: error.originalError ?? error, requestId, operationName }, 'operation failed');
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
        for (const refusal of errors.map(refusalIn)) {
          if (!refusal) continue;
          if (DECIDES_STATUS.has(refusal.kind)) response.http.status = STATUS_OF[refusal.kind].status;
          if (refusal.retryAfterSeconds) response.http.headers.set('retry-after', String(refusal.retryAfterSeconds));
          if (refusal instanceof InsufficientScope) {
            response.http.headers.set('www-authenticate', wwwAuthenticate(refusal));
          }
        }
      },
    }),
  };
}

/**
 * Who asks for application/json by its name has to take any other status than 200 for that of something in between, which knows no GraphQL
 * (GraphQL over HTTP, section 6.4.1): so what is wrong with a document or with its variables comes with 200.
 */
function knowsJsonAlone({ headers: { accept } }: IncomingMessage): boolean {
  return accept !== undefined && /^application\/json\b[^,]*$/i.test(accept);
}
