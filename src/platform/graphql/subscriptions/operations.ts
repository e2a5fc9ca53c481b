import {
  HeaderMap,
  type GraphQLRequestContextDidResolveOperation,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLResponse,
} from '@apollo/server';
import { GraphQLError, OperationTypeNode } from 'graphql';
import { Refusal } from '../../../shared/errors.js';
import { responseOf } from '../compiled-operations.js';
import type { Context } from '../context.js';
import { asGraphqlError } from '../early-refusal.js';
import { StreamRequired, SubscriptionsOnly } from './refusals.js';

/** Refuses an operation that the request may not have. Throws a `GraphQLError`. */
export function refuseMisplaced({
  operation,
  contextValue: { opening, exchange },
}: GraphQLRequestContextDidResolveOperation<Context>): void {
  const isSubscription = operation?.operation === OperationTypeNode.SUBSCRIPTION;
  if (isSubscription && !opening) throw asGraphqlError(new StreamRequired());
  if (!isSubscription && opening?.allows === 'subscriptions') throw asGraphqlError(new SubscriptionsOnly());
  const isWrite = operation?.operation === OperationTypeNode.MUTATION;
  const { method } = exchange.request;
  if (isWrite && (opening?.allows === 'reads' || method === 'QUERY')) throw writesByReading(method);
}

/**
 * Opens a subscription that was parsed, validated and admitted like every operation; null for another operation. What
 * Apollo makes of an open one is not sent: the caller takes `context.opening.subscription`.
 */
export async function openSubscription({
  operation,
  document,
  source,
  schema,
  request,
  contextValue: context,
}: GraphQLRequestContextResponseForOperation<Context>): Promise<GraphQLResponse | null> {
  const { opening } = context;
  // Apollo asks even where a document has no operation of that name.
  const found = operation as typeof operation | undefined;
  if (found?.operation !== OperationTypeNode.SUBSCRIPTION || !opening) return null;
  const { operationName, variables = {} } = request;
  try {
    const refused = await opening.open({ schema, document, text: source, operationName, variables }, context);
    if (refused) context.result = refused;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    context.result = { errors: [asGraphqlError(error)] };
  }
  return responseOf(context.result ?? {});
}

/** As Apollo refuses a mutation by GET whose answer is no stream. */
function writesByReading(method = 'GET'): GraphQLError {
  const http = { status: 405, headers: new HeaderMap([['allow', 'POST']]) };
  return new GraphQLError(
    `${method} requests only support query and subscription operations, not mutation operations`,
    {
      extensions: { code: 'BAD_REQUEST', http },
    },
  );
}
