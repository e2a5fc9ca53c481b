import type { GraphQLRequestContext } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { Refusal } from '../../shared/errors.js';
import type { Context } from './context.js';

/**
 * Runs what may refuse a request before its document is parsed. Apollo Server answers what a hook throws there as an
 * internal error, and a request without an operation as a bad request. So a refused request loses its operation, which
 * ends it, and `errorsPlugin` answers with the refusal.
 */
export async function refusingBeforeParsing(
  { request, contextValue }: GraphQLRequestContext<Context>,
  work: () => Promise<void> | void,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    contextValue.refusal = error;
    delete request.query;
    delete request.extensions;
  }
}

/** A refusal as an error of GraphQL. */
export function asGraphqlError(refusal: Refusal): GraphQLError {
  return new GraphQLError(refusal.message, { originalError: refusal });
}
