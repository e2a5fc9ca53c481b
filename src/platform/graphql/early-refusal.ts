import type { GraphQLRequestContext } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { Refusal } from '../../shared/errors.js';
import type { Context } from './context.js';

/**
 * Ends a request that was refused before its document is parsed. Apollo Server answers what a hook throws there as an
 * internal error, and a request without an operation as a bad request. So a refused request loses its operation, which
 * ends it, and `tellErrors` answers with the refusal. Throws what is not a refusal.
 */
export function endBeforeParsing({ request, contextValue }: GraphQLRequestContext<Context>, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  contextValue.refusal = error;
  delete request.query;
  delete request.extensions;
}

/** A refusal as an error of GraphQL. */
export function asGraphqlError(refusal: Refusal): GraphQLError {
  return new GraphQLError(refusal.message, { originalError: refusal });
}
