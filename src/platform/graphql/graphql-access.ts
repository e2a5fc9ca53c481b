import type { IncomingMessage } from 'node:http';
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql';
import type { Caller } from '../../shared/caller.js';

/** An operation of a document that the gateway has, and no client sends. */
export interface OwnOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** GraphQL within the process, for other ways in: rules, costs, limits and errors are those of `/graphql`. */
export interface GraphqlAccess {
  readonly schema: GraphQLSchema;
  /** The reason why no request can have the document, with the line, such as an unknown field; null if one can. */
  problemIn(document: string): string | null;
  /** Executes an operation for an HTTP request, once for each, since that is charged by what its operation costs. */
  execute(message: IncomingMessage, caller: Caller, operation: OwnOperation): Promise<FormattedExecutionResult>;
}
