import type { Context, OperationPlugin } from '../graphql/context.js';
import { callerWithKey } from './idempotency-header.js';

/** Gives the caller of a GraphQL operation its idempotency key, whichever executor runs the operation. */
export function idempotencyPlugin(): OperationPlugin {
  /** Throws `MalformedRequest`. */
  const admit = (context: Context): void => {
    context.exchange.caller = context.caller = callerWithKey(context.caller, context.exchange);
  };
  return {
    admit,
    requestDidStart: async () => ({
      didResolveOperation: async ({ contextValue }) => {
        if (!contextValue.result) admit(contextValue);
      },
    }),
  };
}
