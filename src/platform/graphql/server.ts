import type { IncomingMessage } from 'node:http';
import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { InternalError, type Refusal } from '../../shared/errors.js';
import { within } from '../database/deadline.js';
import { MAX_BODY_BYTES, MAX_UPLOADING_BODY_BYTES, readJson } from '../http/body.js';
import { asksForPage } from '../http/browser.js';
import type { Exchange } from '../http/exchange.js';
import { READ_UNITS, type Gate } from '../http/gate.js';
import { searchOf } from '../http/query.js';
import { MethodNotAllowed, allowHeader, asRefusal } from '../http/problem.js';
import { sendText, usualHeaders } from '../http/send.js';
import type { Logger } from '../logging/logger.js';
import type { DocumentCounts } from '../metrics/metrics.js';
import { sendRefusal, withRequestId } from './answer.js';
import { Admission } from './admission.js';
import { admissionPlugin } from './admission-plugin.js';
import { CompileQueue } from './compile-queue.js';
import { Compiler } from './compiled-operation.js';
import { CompiledOperations } from './compiled-operations.js';
import type { Context, OperationPlugin } from './context.js';
import { formatError } from './format-error.js';
import { KnownDocuments } from './known-documents.js';
import { refuseDeepNesting } from './limits.js';
import { literalProblemsPlugin } from './literal-problems.js';
import { contentType, mediaTypeOf } from './media-type.js';
import { PersistedOperations, type Came } from './persisted-operations.js';
import type { ReadAhead } from './read-ahead.js';
import { refusalsPlugin } from './refusals-plugin.js';
import type { GraphqlSettings } from './settings.js';

const METHODS = ['GET', 'HEAD', 'POST'];

export interface GraphqlDoor {
  handle(exchange: Exchange): Promise<void>;
  /** Answers what is not even looked at, in the form of this door. */
  refuse(exchange: Exchange, refusal: Refusal): void;
  stop(): Promise<void>;
  readonly counts: DocumentCounts;
}

/**
 * The GraphQL door: straight from node:http to Apollo Server. Who calls is settled before Apollo sees the request; only
 * the page that a browser gets, where there is one, is for everyone.
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
  const documents = new KnownDocuments(schema, limits);
  const admission = new Admission(limits);
  let working = 0;
  const queue = new CompileQueue(new Compiler(schema, limits, readAhead), documents, () => working > 0);
  const compiled = new CompiledOperations(documents, admission, queue, plugins);
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
      ApolloServerPluginLandingPageDisabled(),
      ...plugins,
      admissionPlugin(documents, admission),
      literalProblemsPlugin(),
      compiled.plugin(),
      refusalsPlugin(log),
    ],
  });
  await apollo.start();

  async function answer(exchange: Exchange) {
    const { request } = exchange;
    const caller = await gate.admit(exchange, READ_UNITS);
    if (!METHODS.includes(request.method ?? '')) throw new MethodNotAllowed(METHODS);
    const limitBytes = caller.may('operations') ? MAX_UPLOADING_BODY_BYTES : MAX_BODY_BYTES;
    const body = request.method === 'POST' ? await readJson(request, ['application/json'], limitBytes) : undefined;
    const context: Context = { caller, exchange, documentUnits: 0, writes: 0 };
    return within(timeoutMs, () => run(context, body));
  }

  async function run(context: Context, body: unknown) {
    const { request } = context.exchange;
    const came = { body, search: searchOf(request) };
    const asked = persisted ? persisted.resolve(came) : came;
    context.exchange.isOfManifest = persisted !== null;
    const type = mediaTypeOf(request);
    const json = type && (await compiled.answer(asked.body, context));
    if (json) return { type, json };
    const text = documentIn(asked);
    if (!documents.has(text)) {
      // What a manifest has was read before it was served.
      if (!persisted) await admission.admitDocument(text, context);
      refuseDeepNesting(text);
    }
    const httpGraphQLRequest = read(request, asked);
    return apollo.executeHTTPGraphQLRequest({ httpGraphQLRequest, context: async () => context });
  }

  async function sendMethods(exchange: Exchange): Promise<void> {
    await gate.admit(exchange, READ_UNITS);
    exchange.response.writeHead(204, { ...usualHeaders(exchange), Allow: allowHeader(METHODS) }).end();
  }

  return {
    async handle(exchange) {
      const { requestId } = exchange;
      working += 1;
      try {
        if (sendExplorer && wantsPage(exchange.request)) return await sendExplorer(exchange);
        if (exchange.request.method === 'OPTIONS') return await sendMethods(exchange);
        const answered = await answer(exchange);
        if ('json' in answered) return await sendText(exchange, 200, contentType(answered.type), answered.json);
        const { status, headers, body } = answered;
        if (body.kind !== 'complete') throw new Error('Incremental delivery is not supported.');
        await sendText(
          exchange,
          status ?? 200,
          Object.fromEntries(headers),
          status && status >= 400 ? withRequestId(body.string, requestId) : body.string,
        );
      } catch (error) {
        const refusal = asRefusal(error, requestId);
        if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'GraphQL request failed');
        sendRefusal(exchange, refusal);
      } finally {
        working -= 1;
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

function read(request: IncomingMessage, { body, search }: Came): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Node.js leaves out the body of the answer to a HEAD.
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  return { method, headers, search, body };
}

function documentIn({ body, search }: Came): string {
  if (body === undefined) return new URLSearchParams(search).get('query') ?? '';
  const { query } = Object(body) as { query?: unknown };
  return typeof query === 'string' ? query : '';
}
