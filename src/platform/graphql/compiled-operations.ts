import {
  HeaderMap,
  type ApolloServerPlugin,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLRequestContextWillSendResponse,
  type GraphQLResponse,
} from '@apollo/server';
import type { ExecutionResult } from 'graphql';
import type { CompileQueue } from '../../../lib/graphql-compiler/compile-queue.js';
import type { Context } from './context.js';
import { formatError } from './format-error.js';
import { isInAddress } from './request.js';

/**
 * Repeated operations run as compiled functions, inside Apollo Server's pipeline and in place of graphql-js: that takes
 * a third of the time. The result is the same, or the operation is not compiled (docs/adr/0008).
 */
export class CompiledOperations {
  constructor(private readonly queue: CompileQueue) {}

  /** The response of a compiled operation; null where graphql-js executes it. */
  async respond({
    request,
    contextValue: context,
  }: GraphQLRequestContextResponseForOperation<Context>): Promise<GraphQLResponse | null> {
    if (context.isWatched) return null;
    const variables = request.variables ?? {};
    const compiled = context.analyzed?.variants.compiled(variables);
    if (!compiled) return null;
    context.result = await compiled.execute(context, variables);
    return responseOf(context.result);
  }

  /** Notes an operation that was answered, so that it is compiled when it is worth it. Tells the position. */
  answered({ contextValue, request, response: { body } }: GraphQLRequestContextWillSendResponse<Context>): void {
    const { analyzed, opening, isWatched } = contextValue;
    if (body.kind !== 'single' || opening?.isOpen) return;
    if (analyzed && !isWatched && !body.singleResult.errors) this.queue.answered(analyzed, request.variables ?? {});
    Object.assign(body.singleResult, positionIn(contextValue));
  }
}

/**
 * The extensions of an answer with the position that its client is told. In the answer to a GET it would differ each
 * time, and no client could keep the answer: there only the header has it.
 */
function positionIn({ exchange }: Context): { readonly extensions?: { readonly position: string } } {
  const position = isInAddress(exchange.request) ? null : exchange.reading?.text;
  return position ? { extensions: { position } } : {};
}

const HOOKS_OF_SERVER = [
  'serverWillStart',
  'startupDidFail',
  'contextCreationDidFail',
  'invalidRequestWasReceived',
  'unexpectedErrorProcessingRequest',
] as const;

/**
 * A plugin whose requests graphql-js executes if it listens to the execution or its errors: Apollo Server calls neither
 * hook for a response that another plugin gives, as compiled operations are answered.
 */
export function watchingExecution(plugin: ApolloServerPlugin<Context>): ApolloServerPlugin<Context> {
  const hooks = HOOKS_OF_SERVER.flatMap(hook => (plugin[hook] ? [[hook, plugin[hook].bind(plugin)] as const] : []));
  return {
    ...Object.fromEntries(hooks),
    requestDidStart: async requestContext => {
      const listener = await plugin.requestDidStart?.(requestContext);
      if (listener?.executionDidStart || listener?.didEncounterErrors) requestContext.contextValue.isWatched = true;
      return listener;
    },
  };
}

/** A result that was not made by Apollo, for Apollo to send. */
export function responseOf({ data, errors }: ExecutionResult): GraphQLResponse {
  const formatted = errors && { errors: errors.map(error => formatError(error.toJSON(), error)) };
  const http = { status: undefined, headers: new HeaderMap() };
  return { http, body: { kind: 'single', singleResult: { ...formatted, ...(data !== undefined && { data }) } } };
}
