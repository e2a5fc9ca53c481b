import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { InternalError, STATUS_OF, type Refusal } from '../../shared/errors.js';
import type { Bearer } from '../auth/bearer.js';
import { MAX_BODY_BYTES, MAX_UPLOADING_BODY_BYTES, readJson } from '../http/body.js';
import { authenticate } from '../http/caller.js';
import type { Exchange } from '../http/exchange.js';
import { searchOf } from '../http/query.js';
import { asRefusal, refusalHeaders } from '../http/problem.js';
import type { Logger } from '../logging/logger.js';
import { CompiledQueries } from './compiled-queries.js';
import type { Context } from './context.js';
import { formatError, refusalExtensions } from './format-error.js';
import { MAX_TOKENS, refuseDeepNesting } from './limits.js';
import { refusalsPlugin } from './refusals-plugin.js';

export interface GraphqlDoor {
  handle(exchange: Exchange): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The GraphQL door: straight from node:http to Apollo Server. Who calls is settled before Apollo sees the request; only
 * the landing page, which holds no data, is for everyone.
 */
export async function openGraphqlDoor(
  schema: GraphQLSchema,
  bearer: Bearer,
  log: Logger,
  production: boolean,
): Promise<GraphqlDoor> {
  const compiled = new CompiledQueries(schema);
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: !production,
    hideSchemaDetailsFromClientErrors: production,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxLexicalTokens: MAX_TOKENS },
    logger: log,
    formatError,
    plugins: [ApolloServerPluginCacheControlDisabled(), refusalsPlugin(schema, log), compiled.plugin()],
  });
  await apollo.start();

  async function answer(exchange: Exchange) {
    const { request } = exchange;
    if (wantsPage(request)) {
      const page = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: read(request, undefined),
        context: noContext,
      });
      if (page.headers.get('content-type')?.startsWith('text/html')) return page;
    }
    const caller = await authenticate(exchange, bearer);
    const limitBytes = caller.may('operations') ? MAX_UPLOADING_BODY_BYTES : MAX_BODY_BYTES;
    const body = request.method === 'POST' ? await readJson(request, ['application/json'], limitBytes) : undefined;
    const context: Context = { caller, exchange, writes: 0 };
    if (takesJson(request)) {
      const json = await compiled.answer(body, context);
      if (json !== null) return json;
    }
    const httpGraphQLRequest = read(request, body);
    refuseDeepNesting(documentIn(httpGraphQLRequest));
    return apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
  }

  return {
    async handle(exchange) {
      const { request, response, requestId } = exchange;
      try {
        const answered = await answer(exchange);
        if (typeof answered === 'string') return send(response, requestId, 200, JSON_ANSWER, answered);
        const { status, headers, body } = answered;
        if (body.kind !== 'complete') throw new Error('incremental delivery is not served');
        send(
          response,
          requestId,
          status ?? 200,
          Object.fromEntries(headers),
          status && status >= 400 ? withRequestId(body.string, requestId) : body.string,
        );
      } catch (error) {
        const refusal = asRefusal(error, requestId);
        if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'graphql request failed');
        exchange.refused(refusal.code);
        sendRefusal(request, response, refusal, requestId);
      }
    },
    stop: () => apollo.stop(),
  };
}

const JSON_ANSWER = { 'content-type': 'application/json; charset=utf-8' };

/** Whether the client gets plain JSON; of other media types Apollo knows which one to choose. */
function takesJson({ headers: { accept } }: IncomingMessage): boolean {
  return accept === undefined || accept === '*/*' || accept === 'application/json';
}

async function noContext(): Promise<Context> {
  throw new Error('the landing page runs no operation');
}

function wantsPage({ method, headers, url }: IncomingMessage): boolean {
  return method === 'GET' && !(url ?? '').includes('query=') && (headers.accept ?? '').includes('text/html');
}

function read(request: IncomingMessage, body: unknown): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return { method: request.method ?? 'GET', headers, search: searchOf(request), body };
}

/** Where Apollo refuses a request before there is an operation, no plugin is asked, and the errors would lack their request id. */
function withRequestId(body: string, requestId: string): string {
  const answer = JSON.parse(body) as { errors?: { extensions?: object }[] };
  const errors = answer.errors?.map(error => ({ ...error, extensions: { ...error.extensions, requestId } }));
  return JSON.stringify({ ...answer, errors });
}

function documentIn({ body, search }: HTTPGraphQLRequest): string {
  if (body === undefined) return new URLSearchParams(search).get('query') ?? '';
  const { query } = Object(body) as { query?: unknown };
  return typeof query === 'string' ? query : '';
}

function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal, requestId: string): void {
  const body = JSON.stringify({
    errors: [{ message: refusal.message, extensions: { ...refusalExtensions(refusal), requestId } }],
  });
  const headers = {
    ...refusalHeaders(refusal),
    'content-type': 'application/json; charset=utf-8',
    ...(!request.complete && { connection: 'close' }),
  };
  send(response, requestId, STATUS_OF[refusal.kind].status, headers, body);
}

function send(
  response: ServerResponse,
  requestId: string,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  // All headers at once: those that were set before would be merged one by one.
  response.writeHead(status, {
    'X-Request-Id': requestId,
    'cache-control': 'no-store',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
