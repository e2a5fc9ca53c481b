import { HeaderMap, type ApolloServerPlugin, type GraphQLRequestContextResponseForOperation } from '@apollo/server';
import type { ExecutionResult, GraphQLError } from 'graphql';
import { jsonOf } from '../http/json.js';
import type { Admission } from './admission.js';
import type { Variables } from './argument-values.js';
import type { CompileQueue } from './compile-queue.js';
import type { CompiledOperation } from './compiled-operation.js';
import type { Context, OperationPlugin } from './context.js';
import { oncePerPlace } from './errors-per-place.js';
import { formatError } from './format-error.js';
import type { KnownDocuments } from './known-documents.js';

/** A request's body as it came. */
interface Asked {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/**
 * Operations that come again and again run as compiled functions, which costs a third of walking through the document each time; and as
 * they were parsed, validated and held to the limits before, Apollo is not asked about them again. The answer is that of graphql-js, or the
 * operation is not compiled (docs/adr/0008). Everything else takes the ordinary way: several writes at once, what comes rarely, what asks
 * for the schema. Errors are told by Apollo, whoever met them.
 */
export class CompiledOperations {
  constructor(
    private readonly documents: KnownDocuments,
    private readonly admission: Admission,
    private readonly queue: CompileQueue,
    private readonly plugins: readonly OperationPlugin[],
  ) {}

  /** The answer to an operation that is compiled already, or null: then Apollo answers, with what `context.ran` has, if anything ran. */
  async answer(body: unknown, context: Context): Promise<string | Buffer | null> {
    const { query, variables, operationName, extensions } = Object(body) as Asked;
    if (typeof query !== 'string' || (extensions ?? null) !== null || Array.isArray(body)) return null;
    if (!isName(operationName) || !isVariables(variables)) return null;
    const known = this.documents.find(query, operationName);
    const given = variables ?? {};
    const compiled = known?.variants.compiled(given);
    if (!known || !compiled) return null;
    try {
      for (const plugin of this.plugins) plugin.admit(context);
      this.admission.check(known, given, context);
    } catch {
      return null;
    }
    await this.admission.charge(context);
    const result = await run(compiled, context, given);
    if (!result.errors) return jsonOf({ data: result.data }, '\n');
    context.ran = result;
    return null;
  }

  /** For what comes by Apollo: runs what is compiled, and notes what is worth it. */
  plugin(): ApolloServerPlugin<Context> {
    return {
      requestDidStart: async () => ({
        responseForOperation: async request => {
          const { contextValue: context } = request;
          const { known } = context;
          const variables = request.request.variables ?? {};
          const compiled = known?.variants.compiled(variables);
          const result = context.ran ?? (compiled && (await run(compiled, context, variables)));
          return result
            ? { http: { status: undefined, headers: new HeaderMap() }, body: bodyOf(request, result) }
            : null;
        },
        willSendResponse: async ({ contextValue: { known }, source, request: { variables }, response: { body } }) => {
          if (known && body.kind === 'single' && !body.singleResult.errors) {
            this.queue.answered(source, known, variables ?? {});
          }
        },
      }),
    };
  }
}

async function run({ run: execute, begin }: CompiledOperation, context: Context, variables: Variables) {
  if (begin) context.begun = begin(context.caller, variables);
  const result = (await execute(undefined, context, variables)) as ExecutionResult;
  return result.errors ? { ...result, errors: oncePerPlace(result.data, result.errors) } : result;
}

function isName(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string';
}

function isVariables(value: unknown): value is Variables | null | undefined {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}

/** Errors take the way that they take from an ordinary execution: remembered for the plugins, and shown as all errors are. */
function bodyOf(request: GraphQLRequestContextResponseForOperation<Context>, { data, errors }: ExecutionResult) {
  if (errors) (request as { errors?: readonly GraphQLError[] }).errors = errors;
  const shown = errors && { errors: errors.map(error => formatError(error.toJSON(), error)) };
  return { kind: 'single' as const, singleResult: { ...shown, data } };
}
