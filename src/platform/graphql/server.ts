import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import type { FormattedExecutionResult, GraphQLSchema } from 'graphql';
import { CompileQueue } from '../../../lib/graphql-compiler/compile-queue.js';
import { Compiler } from '../../../lib/graphql-compiler/compiler.js';
import { InternalError, type Refusal } from '../../shared/errors.js';
import { within } from '../database/deadline.js';
import { whileReading } from '../database/reading.js';
import type { Replicas } from '../database/replicas.js';
import { MAX_BODY_BYTES, MAX_UPLOADING_BODY_BYTES, readJson } from '../http/body.js';
import { asksForPage } from '../http/browsers.js';
import { exchangeOf, type Exchange } from '../http/exchange.js';
import { READ_UNITS, type Gate } from '../http/gate.js';
import { beginReading } from '../http/positions.js';
import { searchOf } from '../http/query.js';
import { MethodNotAllowed, allowHeader, asRefusal } from '../http/problem.js';
import { sendText, usualHeaders } from '../http/send.js';
import type { Logger } from '../logging/logger.js';
import { sendRefusal, sendRevalidated, withRequestId, type WholeAnswer } from './answer.js';
import { Admission } from './admission.js';
import { startApollo } from './apollo.js';
import { CompiledOperations } from './compiled-operations.js';
import type { Context } from './context.js';
import type { GraphqlAccess } from './graphql-access.js';
import { gatewayPlugin } from './gateway-plugin.js';
import { shapeLimits } from './limits.js';
import { PersistedOperations, problemIn } from './persisted-operations.js';
import { persistedPlugin } from './persisted-plugin.js';
import { PageOperations, type PageManifest } from './page-operations.js';
import {
  BODY_TYPE,
  isInAddress,
  onlyReads,
  positionsIn,
  readAddress,
  toApollo,
  type GraphqlRequest,
} from './request.js';
import type { GraphqlSettings } from './settings.js';
import { HttpStream, framingFor } from './subscriptions/http-stream.js';
import type { ProcessGroup } from '../workers/process-group.js';
import { OpenSubscriptions, type SubscriptionCounts } from './subscriptions/open-subscriptions.js';
import { SubscriptionOpening, type SubscriptionParts } from './subscriptions/opening.js';
import { Sockets } from './subscriptions/sockets.js';

const METHODS = ['GET', 'HEAD', 'POST', 'QUERY'];
/** The methods of a page of ours, which needs nothing that a link can send. */
const PAGE_METHODS = ['POST'];
/** The headers of an operation that comes on another way than by HTTP. */
const JSON_ALONE: readonly [string, string][] = [['content-type', 'application/json']];

/** Counts of the GraphQL documents that are kept. */
export interface DocumentCounts {
  /** The memory that all of it holds, by estimate. */
  readonly bytes: () => number;
  /** Operations that wait to be compiled. */
  readonly waiting: () => number;
  /** Operations that were compiled since the start. */
  readonly compiled: () => number;
}

/** The endpoint `/graphql` of a running gateway. */
export interface GraphqlEndpoint extends GraphqlAccess {
  handle(exchange: Exchange): Promise<void>;
  /** Answers a request that is not looked at, with an error in the form of GraphQL. */
  refuse(exchange: Exchange, refusal: Refusal): void;
  /** Takes over a connection on which a client asks for a WebSocket. */
  upgrade(exchange: Exchange, socket: Duplex, head: Buffer): void;
  /** Tells the clients of open subscriptions within the grace to go elsewhere, and accepts no more. */
  drain(graceMs: number): Promise<void>;
  stop(): Promise<void>;
  readonly counts: DocumentCounts;
  readonly subscriptions: SubscriptionCounts;
}

/** The parts of the GraphQL endpoint. */
export interface GraphqlEndpointParts {
  readonly schema: GraphQLSchema;
  readonly gate: Gate;
  readonly log: Logger;
  readonly settings: GraphqlSettings;
  /** Run before those of the gateway, in this order. */
  readonly plugins: readonly ApolloServerPlugin<Context>[];
  /** Sends the explorer page to browsers; null if it is off. */
  readonly sendExplorer: ((exchange: Exchange) => Promise<void>) | null;
  /** The operations of the console's page; null if the console is off. */
  readonly page: { readonly operations: PageManifest } | null;
  /** The replicas that may answer reads; null if there are none. */
  readonly replicas: Replicas | null;
  /** The processes that share the limit of open subscriptions. */
  readonly processes: ProcessGroup;
  /** Gets each operation of a WebSocket, which is no request of HTTP. */
  readonly watchRequest: ((exchange: Exchange) => void) | null;
}

/**
 * GraphQL over HTTP, from node:http to Apollo Server. The caller is authenticated before Apollo sees the request; only
 * the explorer page for browsers, if there is one, is public.
 */
export async function openGraphqlEndpoint({
  schema,
  gate,
  log,
  settings,
  plugins,
  sendExplorer,
  page,
  replicas,
  processes,
  watchRequest,
}: GraphqlEndpointParts): Promise<GraphqlEndpoint> {
  const { limits, timeoutMs } = settings;
  const persisted = await PersistedOperations.open(settings, schema);
  const pageOperations = page && (await PageOperations.open(page.operations, schema, limits, log));
  const admission = new Admission(schema, limits);
  const { documents } = admission;
  let openRequests = 0;
  const compiler = new Compiler(schema, shapeLimits(limits));
  const queue = new CompileQueue(
    compiler,
    () => openRequests > 0,
    ({ document }) => documents.measureAgain(document),
  );
  const compiled = new CompiledOperations(queue);
  const all = new OpenSubscriptions(settings.subscriptions, processes, gate.standing);
  const subscribing: SubscriptionParts = { all, admission, timeoutMs, log, watchRequest };
  const apollo = await startApollo(schema, settings, documents, log, [
    persistedPlugin({ manifest: persisted, page: pageOperations, documents }),
    ...plugins,
    gatewayPlugin(admission, compiled, log),
  ]);

  /** Answers a request, or gives the stream that is its answer. */
  async function answer(exchange: Exchange): Promise<HttpStream | null> {
    const { request } = exchange;
    const methods = exchange.page ? PAGE_METHODS : METHODS;
    const caller = await gate.admit(exchange, READ_UNITS);
    if (request.method === 'OPTIONS') {
      exchange.response
        .writeHead(204, { ...usualHeaders(exchange), Allow: allowHeader(methods), 'Accept-Query': BODY_TYPE })
        .end();
      return null;
    }
    if (!methods.includes(request.method ?? '')) throw new MethodNotAllowed(methods);
    const limitBytes = caller.may('operations') ? MAX_UPLOADING_BODY_BYTES : MAX_BODY_BYTES;
    const sent: GraphqlRequest = isInAddress(request)
      ? readAddress(searchOf(request))
      : { body: await readJson(request, [BODY_TYPE], limitBytes), search: '' };
    const framing = framingFor(request);
    const opening = framing && new SubscriptionOpening(subscribing, onlyReads(request) ? 'reads' : 'all');
    const context: Context = { caller, exchange, documentUnits: 0, writes: new Map(), ...(opening && { opening }) };
    try {
      const reading = replicas && beginReading(exchange, replicas, positionsIn(sent));
      const work = () => run(context, sent);
      const whole = await within(timeoutMs, reading ? () => whileReading(reading, work) : work);
      if (framing && opening?.subscription) return new HttpStream(exchange, framing, opening.subscription, subscribing);
      if (isInAddress(request)) await sendRevalidated(exchange, ...whole);
      else await sendText(exchange, ...whole);
      return null;
    } catch (error) {
      await opening?.abandon();
      throw error;
    }
  }

  /** The status, the headers and the body of a response. */
  async function run(context: Context, sent: GraphqlRequest): Promise<WholeAnswer> {
    const { request, requestId } = context.exchange;
    const { status, headers, text } = await apollo.answer(context, toApollo(request, sent, context.opening));
    return [status, headers, status >= 400 ? withRequestId(text, requestId) : text];
  }

  /** Answers an operation of the gateway's own documents within the time of a request. */
  const execute: GraphqlAccess['execute'] = async (message, caller, body) => {
    const exchange = exchangeOf(message);
    const context: Context = { caller, exchange, documentUnits: 0, writes: new Map(), isOwnDocument: true };
    const reading = replicas && beginReading(exchange, replicas, []);
    const work = () => apollo.answer(context, { method: 'POST', headers: new HeaderMap(JSON_ALONE), search: '', body });
    openRequests += 1;
    try {
      const { text } = await within(timeoutMs, reading ? () => whileReading(reading, work) : work);
      return JSON.parse(text) as FormattedExecutionResult;
    } finally {
      openRequests -= 1;
    }
  };

  const sockets = new Sockets(subscribing, gate, async (context, body) => {
    if (replicas) context.exchange.reading = replicas.reading([]);
    const { text } = await apollo.answer(context, {
      method: 'POST',
      headers: new HeaderMap(JSON_ALONE),
      search: '',
      body,
    });
    return withRequestId(text, context.exchange.requestId);
  });

  return {
    schema,
    problemIn: document => problemIn(document, schema, limits),
    execute,
    async handle(exchange) {
      const { requestId } = exchange;
      openRequests += 1;
      let stream: HttpStream | null = null;
      try {
        if (sendExplorer && !exchange.page && wantsPage(exchange.request)) await sendExplorer(exchange);
        else stream = await answer(exchange);
      } catch (error) {
        const refusal = asRefusal(error, requestId);
        if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'GraphQL request failed');
        sendRefusal(exchange, refusal);
      } finally {
        openRequests -= 1;
      }
      await stream?.run();
    },
    refuse: sendRefusal,
    upgrade: (exchange, socket, head) => sockets.upgrade(exchange, socket, head),
    drain: graceMs => all.drain(graceMs),
    subscriptions: all.counts,
    counts: { bytes: () => documents.bytes, waiting: () => queue.length, compiled: () => queue.compiled },
    async stop() {
      all.stop();
      queue.stop();
      await apollo.stop();
    },
  };
}

function wantsPage(request: IncomingMessage): boolean {
  return asksForPage(request) && !new URLSearchParams(searchOf(request)).has('query');
}
