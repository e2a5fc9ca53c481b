import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from '../graphql/context.js';
import { callerWithKey } from './idempotency-header.js';

/** Gives the caller of a GraphQL operation its idempotency key. Refuses a malformed one. */
export function idempotencyPlugin(): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ contextValue: context }) => {
        context.exchange.caller = context.caller = callerWithKey(context.caller, context.exchange);
      },
    }),
  };
}
