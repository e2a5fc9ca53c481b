import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestContextResponseForOperation } from '@apollo/server';
import {
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  GraphQLSchema,
  type GraphQLError,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { operationUnits } from '../http/gate.js';
import { jsonOf } from '../http/json.js';
import type { Context } from './context.js';
import { formatError, isInternal, refusalIn } from './format-error.js';
import type { KnownOperations } from './known-operations.js';

/** Compiling takes some milliseconds, so a document has to come this often before it is worth them. */
const COMPILE_AT_USE = 3;

/**
 * Texts, numbers and names of enums are sent as resolvers give them, and columns and types see to it that they fit. graphql-jit would make three lists and
 * an object for each of them, before it knows whether there is an error to tell, which was a fifth of all that a page of a history allocated.
 */
const AS_THEY_ARE = { disableLeafSerialization: true };

/** A request's body as it came. */
interface Asked {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/**
 * Operations that come again and again run as compiled functions, which costs a third of walking through the document each time; and as
 * they were parsed, validated and held to the limits before, Apollo is not asked about them again. A function knows the document alone: who
 * asks is in the context of the request, as ever, and the variables are held against their rules and the limit of cost each time. Everything
 * else takes the ordinary way: several writes at once, what comes rarely, what asks for the schema, and whatever meets an error.
 */
export class CompiledOperations {
  private asQueries?: GraphQLSchema;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly known: KnownOperations,
  ) {}

  /** The answer to an operation that is compiled already, or null: then Apollo answers, with what `context.ran` has, if anything ran. */
  async answer(body: unknown, context: Context): Promise<string | Buffer | null> {
    const { query, variables, operationName, extensions } = Object(body) as Asked;
    if (typeof query !== 'string' || (extensions ?? null) !== null || Array.isArray(body)) return null;
    const found = this.known.find(query, operationName);
    if (!found?.run) return null;
    const { exchange } = context;
    exchange.isKnown = true;
    const given = variables ?? {};
    if (typeof given !== 'object' || Array.isArray(given)) return null;
    try {
      found.check(given as Record<string, unknown>);
      this.known.weigh(found, given as Record<string, unknown>, exchange);
    } catch {
      return null;
    }
    if (isWrite(found.operation)) context.writes = 1;
    await exchange.charge(operationUnits(exchange.cost, context.writes));
    if (found.begin) context.begun = found.begin(context.caller, given as Record<string, unknown>);
    const result = (await found.run(undefined, context, given)) as ExecutionResult;
    if (!result.errors) return jsonOf({ data: result.data }, '\n');
    context.ran = result;
    return null;
  }

  /** For what comes by Apollo: counts, compiles, and runs what is compiled. */
  plugin(): ApolloServerPlugin<Context> {
    return {
      requestDidStart: async () => ({
        responseForOperation: async request => {
          const { ran } = request.contextValue;
          // Where the document has no such operation there is none, whatever its type says; Apollo refuses it in its own way.
          const operation = request.operation as OperationDefinitionNode | undefined;
          const run = operation && this.compiled(request, operation);
          if (run) request.contextValue.exchange.isKnown = true;
          const result: ExecutionResult | null =
            ran ?? (run ? await run(undefined, request.contextValue, request.request.variables ?? {}) : null);
          if (!result) return null;
          // A query's mistake is told the way of the specification, by running it once more. What broke is not tried twice, nor is a write.
          if (result.errors && operation && !isWrite(operation) && !result.errors.some(isOurFault)) return null;
          return {
            http: { status: undefined, headers: new HeaderMap() },
            body: { kind: 'single', singleResult: { ...result, ...shownErrors(request, result.errors) } },
          };
        },
      }),
    };
  }

  private compiled(
    { document, source, request }: GraphQLRequestContextResponseForOperation<Context>,
    operation: OperationDefinitionNode,
  ) {
    const found = this.known.learn(source, request.operationName, document, operation);
    if (isWrite(operation) && found.rootFields !== 1) return null;
    found.uses += 1;
    if (found.uses >= COMPILE_AT_USE && found.run === undefined) found.run = this.compile(document, operation);
    return found.run;
  }

  private compile(document: DocumentNode, operation: OperationDefinitionNode) {
    const asksForSchema = operation.selectionSet.selections.some(
      selection => selection.kind !== Kind.FIELD || selection.name.value.startsWith('__'),
    );
    if (asksForSchema) return null;
    const [schema, compiled] = isWrite(operation)
      ? [(this.asQueries ??= writesAsQueries(this.schema)), asQuery(document, operation)]
      : [this.schema, document];
    const result = compileQuery(schema, compiled, operation.name?.value, AS_THEY_ARE);
    return isCompiledQuery(result) ? result.query : null;
  }
}

// graphql-jit lets the writes of an operation wait for each other by functions that the collector takes for old from the start, and keeps
// with all that they lead to (docs/adr/0016). One write has none to wait for, so it is compiled as a query of a schema whose queries are writes.
function writesAsQueries(schema: GraphQLSchema): GraphQLSchema {
  return new GraphQLSchema({ ...schema.toConfig(), query: schema.getMutationType(), mutation: null });
}

function asQuery(document: DocumentNode, write: OperationDefinitionNode): DocumentNode {
  const query = { ...write, operation: OperationTypeNode.QUERY };
  return {
    ...document,
    definitions: document.definitions.map(definition => (definition === write ? query : definition)),
  };
}

function isWrite({ operation }: OperationDefinitionNode): boolean {
  return operation === OperationTypeNode.MUTATION;
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
