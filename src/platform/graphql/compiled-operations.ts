import { HeaderMap, type ApolloServerPlugin, type GraphQLResponse } from '@apollo/server';
import { OperationTypeNode, type ExecutionResult } from 'graphql';
import type { Variables } from '../../../lib/graphql-compiler/arguments.js';
import type { CompileQueue } from '../../../lib/graphql-compiler/compile-queue.js';
import { jsonOf } from '../http/json.js';
import type { Admission } from './admission.js';
import type { Context, OperationPlugin } from './context.js';
import { formatError } from './format-error.js';
import { AnalyzedOperation } from './analyzed-operation.js';
import { onlyReads } from './request.js';

interface RequestBody {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/**
 * Repeated operations run as compiled functions, which takes a third of the time of graphql-js. They were parsed and
 * validated before, so Apollo is not asked about them again: that took a fifth of the CPU time of a first page.
 * The result is the same, or the operation is not compiled (docs/adr/0008). Apollo answers whatever has errors.
 */
export class CompiledOperations {
  constructor(
    private readonly admission: Admission,
    private readonly queue: CompileQueue,
    private readonly plugins: readonly OperationPlugin[],
  ) {}

  /** The response to a compiled operation. Null if Apollo has to answer, with `context.result` if the operation ran. */
  async answer(body: unknown, context: Context): Promise<string | Buffer | null> {
    const { query, variables, operationName, extensions } = Object(body) as RequestBody;
    if (typeof query !== 'string' || (extensions ?? null) !== null || Array.isArray(body)) return null;
    if (!isName(operationName) || !isVariables(variables)) return null;
    const analyzed = this.admission.documents.find(query, operationName);
    const given = variables ?? {};
    if (!(analyzed instanceof AnalyzedOperation)) return null;
    // Apollo refuses what is no query by GET.
    if (onlyReads(context.exchange.request) && analyzed.operation.operation !== OperationTypeNode.QUERY) return null;
    const compiled = analyzed.variants.compiled(given);
    if (!compiled) return null;
    try {
      for (const plugin of this.plugins) plugin.admit(context);
      this.admission.check(analyzed, given, context);
    } catch {
      return null;
    }
    await this.admission.charge(context);
    await this.admission.open(analyzed, context);
    const result = await compiled.execute(context, given);
    if (!result.errors) return jsonOf({ data: result.data, ...positionIn(context) }, '\n');
    context.result = result;
    return null;
  }

  /** For requests that Apollo answers: executes compiled operations, and queues others that are worth compiling. */
  plugin(): ApolloServerPlugin<Context> {
    return {
      requestDidStart: async () => ({
        responseForOperation: async ({ request, contextValue: context }) => {
          const variables = request.variables ?? {};
          const compiled = context.analyzed?.variants.compiled(variables);
          if (compiled) context.result = await compiled.execute(context, variables);
          return context.result ? responseOf(context.result) : null;
        },
        willSendResponse: async ({ contextValue, request, response: { body } }) => {
          const { analyzed, opening } = contextValue;
          const isWithoutErrors = body.kind === 'single' && !body.singleResult.errors && !opening?.isOpen;
          if (analyzed && isWithoutErrors) this.queue.answered(analyzed, request.variables ?? {});
          if (body.kind === 'single' && !opening?.isOpen) Object.assign(body.singleResult, positionIn(contextValue));
        },
      }),
    };
  }
}

/**
 * The extensions of an answer with the position that its client is told. In the answer to a GET it would differ each
 * time, and no client could keep the answer: there only the header has it.
 */
function positionIn({ exchange }: Context): { readonly extensions?: { readonly position: string } } {
  const position = onlyReads(exchange.request) ? null : exchange.reading?.text;
  return position ? { extensions: { position } } : {};
}

/** A result that was not made by Apollo, for Apollo to send. */
export function responseOf({ data, errors }: ExecutionResult): GraphQLResponse {
  const formatted = errors && { errors: errors.map(error => formatError(error.toJSON(), error)) };
  const http = { status: undefined, headers: new HeaderMap() };
  return { http, body: { kind: 'single', singleResult: { ...formatted, ...(data !== undefined && { data }) } } };
}

function isName(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string';
}

function isVariables(value: unknown): value is Variables | null | undefined {
  return value === undefined || (typeof value === 'object' && !Array.isArray(value));
}
