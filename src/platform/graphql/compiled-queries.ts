import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestContextResponseForOperation } from '@apollo/server';
import {
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { Context } from './context.js';
import { formatError, isInternal, refusalIn } from './format-error.js';

/** Compiling takes some milliseconds, so a document has to come this often before it is worth them. */
const COMPILE_AT_USE = 3;

interface Known {
  uses: number;
  /** undefined until it is compiled; null where it cannot be. */
  run?: CompiledQuery['query'] | null;
}

/**
 * Runs queries that come again and again as compiled functions, which costs a third of walking through the document each time. A
 * function knows the document alone: who asks is in the context of the request, as ever. Everything else runs the ordinary way:
 * mutations, what comes rarely, and what asks for the schema.
 */
export function compiledQueries(schema: GraphQLSchema): ApolloServerPlugin<Context> {
  // Apollo keeps the documents that it has parsed and validated, and lets the rarely used ones go; so do we with them.
  const known = new WeakMap<DocumentNode, Map<string | null, Known>>();

  function compiled(document: DocumentNode, { operation, name, selectionSet }: OperationDefinitionNode) {
    if (operation !== OperationTypeNode.QUERY) return null;
    const operations = known.get(document) ?? new Map<string | null, Known>();
    if (operations.size === 0) known.set(document, operations);
    const operationName = name?.value ?? null;
    const found = operations.get(operationName) ?? { uses: 0 };
    operations.set(operationName, found);
    found.uses += 1;
    if (found.uses < COMPILE_AT_USE) return null;
    if (found.run === undefined) {
      const asksForSchema = selectionSet.selections.some(
        selection => selection.kind !== Kind.FIELD || selection.name.value.startsWith('__'),
      );
      const result = asksForSchema ? null : compileQuery(schema, document, operationName ?? undefined);
      found.run = result && isCompiledQuery(result) ? result.query : null;
    }
    return found.run;
  }

  return {
    requestDidStart: async () => ({
      responseForOperation: async request => {
        // Where the document has no such operation there is none, whatever its type says; Apollo refuses it in its own way.
        const operation = request.operation as OperationDefinitionNode | undefined;
        const run = operation && compiled(request.document, operation);
        if (!run) return null;
        const result = (await run(undefined, request.contextValue, request.request.variables ?? {})) as ExecutionResult;
        // A mistake of the client is told the way of the specification, by running it once more; what broke is not tried twice.
        if (result.errors && !result.errors.some(isOurFault)) return null;
        return {
          http: { status: undefined, headers: new HeaderMap() },
          body: { kind: 'single', singleResult: { ...result, ...shownErrors(request, result.errors) } },
        };
      },
    }),
  };
}

function isOurFault(error: GraphQLError): boolean {
  return isInternal(error) || refusalIn(error)?.kind === 'unavailable';
}

/** Errors take the way that they take from an ordinary execution: remembered for the plugins, and shown as all errors are. */
function shownErrors(
  request: GraphQLRequestContextResponseForOperation<Context>,
  errors: readonly GraphQLError[] | undefined,
) {
  if (!errors) return {};
  (request as { errors?: readonly GraphQLError[] }).errors = errors;
  return { errors: errors.map(error => formatError(error.toJSON(), error)) };
}
