import type { IncomingMessage } from 'node:http';
import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { InternalError, STATUS_OF, type Refusal } from '../../shared/errors.js';
import { MAX_BODY_BYTES, MAX_UPLOADING_BODY_BYTES, endsConnection, readJson } from '../http/body.js';
import { compress, isWorthCompressing } from '../http/compression.js';
import type { Exchange } from '../http/exchange.js';
import { READ_UNITS, type Gate } from '../http/gate.js';
import { searchOf } from '../http/query.js';
import { asRefusal, refusalHeaders } from '../http/problem.js';
import { API_HEADERS, landingPageHeaders } from '../http/security-headers.js';
import type { Logger } from '../logging/logger.js';
import { CompiledQueries } from './compiled-queries.js';
import type { Context } from './context.js';
import { chargePlugin } from './charge-plugin.js';
import { formatError, refusalExtensions } from './format-error.js';
import { MAX_TOKENS, refuseDeepNesting } from './limits.js';
import { refusalsPlugin } from './refusals-plugin.js';

export interface GraphqlDoor {
  handle(exchange: Exchange): Promise<void>;
  /** Answers what is not even looked at, in the form of this door. */
  refuse(exchange: Exchange, refusal: Refusal): void;
  stop(): Promise<void>;
}

/**
 * The GraphQL door: straight from node:http to Apollo Server. Who calls is settled before Apollo sees the request; only
 * the landing page, which holds no data, is for everyone.
 */
export async function openGraphqlDoor(
  schema: GraphQLSchema,
  gate: Gate,
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
    plugins: [ApolloServerPluginCacheControlDisabled(), refusalsPlugin(schema, log), chargePlugin(), compiled.plugin()],
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
    const caller = await gate.admit(exchange, READ_UNITS);
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
      const { requestId } = exchange;
      try {
        const answered = await answer(exchange);
        if (typeof answered === 'string') return await send(exchange, 200, JSON_ANSWER, answered);
        const { status, headers, body } = answered;
        if (body.kind !== 'complete') throw new Error('incremental delivery is not served');
        const isPage = headers.get('content-type')?.startsWith('text/html');
        await send(
          exchange,
          status ?? 200,
          { ...Object.fromEntries(headers), ...(isPage && landingPageHeaders(body.string)) },
          status && status >= 400 ? withRequestId(body.string, requestId) : body.string,
        );
      } catch (error) {
        const refusal = asRefusal(error, requestId);
        if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'graphql request failed');
        exchange.refused(refusal.code);
        sendRefusal(exchange, refusal);
      }
    },
    refuse: sendRefusal,
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

function sendRefusal(exchange: Exchange, refusal: Refusal): void {
  const { request, requestId } = exchange;
  const body = JSON.stringify({
    errors: [{ message: refusal.message, extensions: { ...refusalExtensions(refusal), requestId } }],
  });
  const headers = {
    ...refusalHeaders(refusal),
    ...JSON_ANSWER,
    ...(endsConnection(request) && { connection: 'close' }),
  };
  sendNow(exchange, STATUS_OF[refusal.kind].status, headers, body);
}

async function send(exchange: Exchange, status: number, headers: Record<string, string>, body: string): Promise<void> {
  if (!isWorthCompressing(body)) return sendNow(exchange, status, headers, body);
  const packed = await compress(exchange.request, body);
  exchange.response.appendHeader('vary', 'accept-encoding');
  sendNow(
    exchange,
    status,
    { ...headers, ...(packed && { 'content-encoding': packed.coding }) },
    packed?.bytes ?? body,
  );
}

function sendNow(
  { response, requestId, rateHeaders }: Exchange,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer,
): void {
  // All headers at once: those that were set before would be merged one by one.
  response.writeHead(status, {
    ...API_HEADERS,
    'X-Request-Id': requestId,
    'cache-control': 'no-store',
    ...rateHeaders,
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
