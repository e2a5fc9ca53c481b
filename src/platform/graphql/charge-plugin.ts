import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '../../shared/errors.js';
import { operationUnits } from '../http/gate.js';
import type { Context } from './context.js';
import { asRequestError } from './format-error.js';

/** Charges an operation for what it costs before it runs. Comes after those that find out the cost and the number of writes. */
export function chargePlugin(): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ contextValue: { exchange, writes } }) => {
        try {
          await exchange.charge(operationUnits(exchange.cost, writes));
        } catch (error) {
          throw error instanceof Refusal ? asRequestError(error) : error;
        }
      },
    }),
  };
}
