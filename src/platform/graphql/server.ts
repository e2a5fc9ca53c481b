import type { IncomingMessage } from 'node:http';
import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { CompileQueue } from '../../../lib/graphql-compiler/compile-queue.js';
import { Compiler } from '../../../lib/graphql-compiler/compiler.js';
import { InternalError, type Refusal } from '../../shared/errors.js';
import { within } from '../database/deadline.js';
import { MAX_BODY_BYTES, MAX_UPLOADING_BODY_BYTES, readJson } from '../http/body.js';
import { asksForPage } from '../http/browsers.js';
import type { Exchange } from '../http/exchange.js';
import { READ_UNITS, type Gate } from '../http/gate.js';
import { searchOf } from '../http/query.js';
import { MethodNotAllowed, allowHeader, asRefusal } from '../http/problem.js';
import { sendText, usualHeaders } from '../http/send.js';
import type { Logger } from '../logging/logger.js';
import { contentType, mediaTypeOf, sendRefusal, withRequestId } from './answer.js';
import { Admission } from './admission.js';
import { CompiledOperations } from './compiled-operations.js';
import type { Context, OperationPlugin } from './context.js';
import { errorsPlugin } from './errors-plugin.js';
import { formatError } from './format-error.js';
import { shapeLimits } from './limits.js';
import { PersistedOperations, type GraphqlRequest } from './persisted-operations.js';
import { readingAhead, type ReadAhead } from './read-ahead.js';
import type { GraphqlSettings } from './settings.js';

const METHODS = ['GET', 'HEAD', 'POST'];

/** What is kept of GraphQL documents. */
export interface DocumentCounts {
  /** What all of it holds in memory, by estimate. */
  readonly bytes: () => number;
  /** Operations that wait to be compiled. */
  readonly waiting: () => number;
  /** Operations that were compiled since the start. */
  readonly compiled: () => number;
}

export interface GraphqlDoor {
  handle(exchange: Exchange): Promise<void>;
  /** Answers a request that is not looked at, in the form of this door. */
  refuse(exchange: Exchange, refusal: Refusal): void;
  stop(): Promise<void>;
  readonly counts: DocumentCounts;
}

/**
 * GraphQL over HTTP, from node:http to Apollo Server. The caller is authenticated before Apollo sees the request; only
 * the explorer page for browsers, if there is one, is public.
 */
export async function openGraphqlDoor(
  schema: GraphQLSchema,
  gate: Gate,
  log: Logger,
  settings: GraphqlSettings,
  readAhead: ReadAhead,
  plugins: readonly OperationPlugin[],
  sendExplorer: ((exchange: Exchange) => Promise<void>) | null,
): Promise<GraphqlDoor> {
  const { limits, timeoutMs, introspection } = settings;
  const persisted = await PersistedOperations.open(settings, schema);
  const admission = new Admission(schema, limits);
  const { documents } = admission;
  let openRequests = 0;
  const compiler = new Compiler(schema, shapeLimits(limits), (fields, operation) =>
    readingAhead(readAhead, fields, operation),
  );
  const queue = new CompileQueue(
    compiler,
    () => openRequests > 0,
    ({ document }) => documents.measureAgain(document),
  );
  const compiled = new CompiledOperations(admission, queue, plugins);
  const apollo = new ApolloServer<Context>({
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore: documents,
    parseOptions: { maxLexicalTokens: limits.maxTokens },
    logger: log,
    formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      // Nothing is reported to Apollo, whatever the environment says, and what would do it is not even installed.
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ...plugins,
      admission.plugin(),
      compiled.plugin(),
      errorsPlugin(log),
    ],
  });
  await apollo.start();

  async function answer(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const caller = await gate.admit(exchange, READ_UNITS);
    if (request.method === 'OPTIONS') {
      exchange.response.writeHead(204, { ...usualHeaders(exchange), Allow: allowHeader(METHODS) }).end();
      return;
    }
    if (!METHODS.includes(request.method ?? '')) throw new MethodNotAllowed(METHODS);
    const limitBytes = caller.may('operations') ? MAX_UPLOADING_BODY_BYTES : MAX_BODY_BYTES;
    const body = request.method === 'POST' ? await readJson(request, ['application/json'], limitBytes) : undefined;
    const context: Context = { caller, exchange, documentUnits: 0, writes: new Map() };
    await sendText(exchange, ...(await within(timeoutMs, () => run(context, body))));
  }

  /** The status, the headers and the body of a response. */
  async function run(context: Context, body: unknown): Promise<[number, Record<string, string>, string | Buffer]> {
    const { exchange } = context;
    const { request, requestId } = exchange;
    const sent = { body, search: searchOf(request) };
    const asked = persisted ? persisted.resolve(sent) : sent;
    exchange.isOfManifest = persisted !== null;
    const type = mediaTypeOf(request);
    const json = type && (await compiled.answer(asked.body, context));
    if (json) return [200, contentType(type), json];
    await admission.admitDocument(documentIn(asked), context);
    const httpGraphQLRequest = toApollo(request, asked);
    const response = await apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
    if (response.body.kind !== 'complete') throw new Error('Incremental delivery is not supported.');
    const { status = 200, headers } = response;
    const text = response.body.string;
    return [status, Object.fromEntries(headers), status >= 400 ? withRequestId(text, requestId) : text];
  }

  return {
    async handle(exchange) {
      const { requestId } = exchange;
      openRequests += 1;
      try {
        await (sendExplorer && wantsPage(exchange.request) ? sendExplorer(exchange) : answer(exchange));
      } catch (error) {
        const refusal = asRefusal(error, requestId);
        if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'GraphQL request failed');
        sendRefusal(exchange, refusal);
      } finally {
        openRequests -= 1;
      }
    },
    refuse: sendRefusal,
    counts: { bytes: () => documents.bytes, waiting: () => queue.length, compiled: () => queue.compiled },
    async stop() {
      queue.stop();
      await apollo.stop();
    },
  };
}

function wantsPage(request: IncomingMessage): boolean {
  return asksForPage(request) && !new URLSearchParams(searchOf(request)).has('query');
}

function toApollo(request: IncomingMessage, { body, search }: GraphqlRequest): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Node.js leaves out the body of the response to a HEAD.
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  return { method, headers, search, body };
}

function documentIn({ body, search }: GraphqlRequest): string {
  if (body === undefined) return new URLSearchParams(search).get('query') ?? '';
  const { query } = Object(body) as { query?: unknown };
  return typeof query === 'string' ? query : '';
}
