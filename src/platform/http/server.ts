import { ServerResponse, createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MalformedRequest, type Refusal } from '../../shared/errors.js';
import { Overload, type PacedRefusals } from '../overload/overload.js';
import { crossOriginOf, refuseForeignPage } from './browsers.js';
import { clientAddress, type ProxyTrust } from './client-address.js';
import { Exchange } from './exchange.js';
import { Listener, OpenExchanges, type Tls } from './listener.js';
import {
  AddressTooLong,
  MAX_URL_CHARACTERS,
  Stopping,
  answerBrokenRequests,
  asRefusal,
  sendProblem,
} from './problem.js';
import { requestLog } from './request-log.js';
import { restApp, type RestAppParts } from './rest-app.js';

/** Since Node.js 22.21 and 24.9; earlier ones take every request with `Upgrade` for one that must change protocols. */
interface UpgradeOption {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean;
}

const LIMITS: ServerOptions & UpgradeOption = {
  maxHeaderSize: 16 * 1024,
  /** Node.js would answer without a body: `refuseWithoutHost` does it with one. */
  requireHostHeader: false,
  /** The time that a client may take to send its headers, and its whole request, even one with a document. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** The pause between two checks of those two. */
  connectionsCheckingInterval: 1000,
  /**
   * Longer than load balancers keep an idle connection, so that we never close one on which a request is on its way.
   */
  keepAliveTimeout: 75_000,
  shouldUpgradeCallback: asksForSocket,
};
/** The path of the console. */
export const CONSOLE_PATH = '/console';
export const GRAPHQL_PATH = '/graphql';
const MAX_CONNECTIONS = 10_000;
/**
 * The time for which a connection may be silent during a request or its answer. Longer than any answer of ours takes.
 */
const SILENCE_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;

export interface HttpServerParts extends RestAppParts {
  readonly graphql: {
    handle(exchange: Exchange): Promise<void>;
    refuse(exchange: Exchange, refusal: Refusal): void;
    upgrade(exchange: Exchange, socket: Duplex, head: Buffer): void;
  };
  /** Ends within the grace what would not end by itself. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** The maximum number of connections beside those of requests. */
  readonly maxStreams: number;
  readonly refusals: PacedRefusals;
  readonly countRequest: ((exchange: Exchange) => void) | null;
  readonly watchRequest: ((exchange: Exchange) => void) | null;
  /** Null where nothing is traced. Runs `answer` as a part of the request's trace. */
  readonly tracing: { watch(exchange: Exchange, answer: () => void): void } | null;
  /** The number of requests that wait for a connection to the database. */
  readonly waiting: () => number;
  readonly maxWaiting: number;
  readonly maxDelayMs: number;
  readonly corsOrigins: readonly string[];
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trust: ProxyTrust | null;
  readonly logClientAddress: boolean;
  readonly tls: Tls | null;
}

/** The HTTP server: request id, log, metrics, CORS, limits, overload and trace, then GraphQL or REST. */
export function createHttpServer(parts: HttpServerParts): Listener {
  const { graphql, refusals, tracing, tls } = parts;
  const open = new OpenExchanges();
  const overload = new Overload(parts, open);
  const crossOrigin = crossOriginOf(parts.corsOrigins);
  const writeLine = requestLog(parts);
  const app = restApp(parts, () => {
    if (open.leaving) throw new Stopping();
    overload.refuseReadiness();
  });

  const asksForCertificate = parts.resource.possession.certificates === 'tls';
  const server = createNodeServer(tls, asksForCertificate, (request, response) => {
    const exchange = new Exchange(request, response, clientAddress(request, parts.trust));
    open.add(exchange);
    const { url = '' } = request;
    const isOfConsole = parts.console !== null && (url === CONSOLE_PATH || url.startsWith(`${CONSOLE_PATH}/`));
    if (isOfConsole && parts.console) exchange.page = parts.console.page;
    const isGraphql = isOfConsole ? isOfGraphql(url.slice(CONSOLE_PATH.length)) : isOfGraphql(url);
    if (isGraphql) exchange.api = 'graphql';
    exchange.onStream = () => leave(exchange);
    exchange.onCaller = identity => overload.share(exchange, identity);
    exchange.takeTurn = () => overload.takeTurn(exchange);
    response.once('close', () => finish(exchange));
    if (!isOfConsole && crossOrigin?.(request, response)) return;
    try {
      refuseWithoutHost(request);
      if (url.length > MAX_URL_CHARACTERS) throw new AddressTooLong();
      if (!isForOperators(url)) overload.admit(exchange);
    } catch (error) {
      const refusal = asRefusal(error, exchange.requestId);
      refusals.send(() => (isGraphql ? graphql.refuse(exchange, refusal) : sendProblem(exchange, refusal)));
      return;
    }
    if (tracing) tracing.watch(exchange, () => answer(exchange));
    else answer(exchange);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const response = new ServerResponse(request);
    const exchange = new Exchange(request, response, clientAddress(request, parts.trust));
    exchange.api = 'graphql';
    socket.on('error', () => undefined);
    try {
      refuseWithoutHost(request);
      if (!asksForSocket(request)) throw new MalformedRequest('Only `/graphql` is served over a WebSocket.');
      refuseForeignPage(request, parts.corsOrigins);
      overload.admit(exchange);
      overload.leave(exchange);
      graphql.upgrade(exchange, socket, head);
    } catch (error) {
      response.assignSocket(socket as Socket);
      response.shouldKeepAlive = false;
      response.once('finish', () => socket.end());
      refusals.send(() => graphql.refuse(exchange, asRefusal(error, exchange.requestId)));
    }
  });
  /** The exchange is over, or its answer has become a stream. */
  function leave(exchange: Exchange): void {
    open.remove(exchange);
    overload.leave(exchange);
    exchange.isInside = false;
    exchange.trace?.end();
    parts.countRequest?.(exchange);
    parts.watchRequest?.(exchange);
  }
  function finish(exchange: Exchange): void {
    if (!exchange.isStream) leave(exchange);
    writeLine?.(exchange);
  }
  function answer(exchange: Exchange): void {
    if (exchange.api === 'graphql') return void graphql.handle(exchange);
    app(exchange.request, exchange.response);
  }
  answerBrokenRequests(server, open);
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1). Node.js would answer 417 without a
  // body.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.maxConnections = MAX_CONNECTIONS + parts.maxStreams;
  server.timeout = SILENCE_MS;
  return new Listener(server, open, tls ? 'https' : 'http', parts.drain, () => {
    overload.stop();
    open.stop();
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

function createNodeServer(tls: Tls | null, asksForCertificate: boolean, handle: Handle): Server {
  if (!tls) return createServer(LIMITS, handle);
  const options = { ...LIMITS, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: TLS_HANDSHAKE_MS } as const;
  // The issuer of a client's certificate does not matter: the handshake proves its key, and the thumbprint in the
  // token says which it must be (RFC 8705, 3). Clients without one send unbound tokens.
  const asking = asksForCertificate && { requestCert: true, rejectUnauthorized: false };
  return createTlsServer({ ...options, ...asking }, handle);
}

function isOfGraphql(url: string): boolean {
  return url === GRAPHQL_PATH || url.startsWith(`${GRAPHQL_PATH}?`);
}

function asksForSocket({ url = '', headers }: IncomingMessage): boolean {
  return isOfGraphql(url) && headers.upgrade?.toLowerCase() === 'websocket';
}

/** RFC 9112, 3.2. */
function refuseWithoutHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new MalformedRequest('The header Host is missing. Send the name of the server in it.');
  }
}

/** Operators need to see a gateway most when it is overloaded. */
function isForOperators(url: string): boolean {
  return url === '/livez' || url === '/readyz' || url === '/metrics';
}
