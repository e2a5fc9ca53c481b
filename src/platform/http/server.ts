import { ServerResponse, createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { InternalError, MalformedRequest, type Refusal } from '../../shared/errors.js';
import type { DevIssuer } from '../auth/dev-issuer.js';
import type { Logger } from '../logging/logger.js';
import { Overload, type PacedRefusals } from '../overload/overload.js';
import { readForm } from './body.js';
import { crossOriginOf, isOfPage, refuseForeignPage, requireOwnHost } from './browsers.js';
import { clientAddress, type Trust } from './client-address.js';
import { documentRoute } from './representation.js';
import { exactRouter, refuseOtherMethods } from './exact-router.js';
import { Exchange, exchangeOf, type OwnPage } from './exchange.js';
import { admitting, type Gate } from './gate.js';
import { Listener, OpenExchanges, type Tls } from './listener.js';
import {
  AddressTooLong,
  MAX_URL_CHARACTERS,
  RouteNotFound,
  Stopping,
  answerBrokenRequests,
  asRefusal,
  sendProblem,
} from './problem.js';
import { requestLog } from './request-log.js';
import { answerAsUsual } from './send.js';

/** Since Node.js 22.21 and 24.9; earlier ones take every request with `Upgrade` for one that must change protocols. */
interface UpgradeOption {
  readonly shouldUpgradeCallback: (request: IncomingMessage) => boolean;
}

const LIMITS: ServerOptions & UpgradeOption = {
  maxHeaderSize: 16 * 1024,
  /** Node.js would answer without a body: `refuseWithoutHost` does it with one. */
  requireHostHeader: false,
  /** How long a client may take to send its headers, and its whole request, even one with a document. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often those two are checked. */
  connectionsCheckingInterval: 1000,
  /**
   * Longer than load balancers keep an idle connection, so that we never close one on which a request is on its way.
   */
  keepAliveTimeout: 75_000,
  shouldUpgradeCallback: asksForSocket,
};
/** The path of the console. */
const CONSOLE = '/console';
const MAX_CONNECTIONS = 10_000;
/** How long a connection may be silent during a request or its answer. Longer than any answer of ours takes. */
const SILENCE_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;

export interface HttpDoors {
  readonly graphql: {
    handle(exchange: Exchange): Promise<void>;
    refuse(exchange: Exchange, refusal: Refusal): void;
    upgrade(exchange: Exchange, socket: Duplex, head: Buffer): void;
  };
  /** Ends within the grace what would not end by itself. */
  readonly drain: (graceMs: number) => Promise<void>;
  /** How many connections may be open beside those of requests. */
  readonly maxStreams: number;
  /** The host that the server listens on. */
  readonly host: string;
  /** Pages for browsers. They run before authentication, and hold no data. */
  readonly pages: Router;
  /** What REST requests pass behind the gate: middleware, then the routes of the nouns. */
  readonly routes: readonly RequestHandler[];
  readonly gate: Gate;
  /** The page of the gateway's own that calls it, and who does there; null where it is off. */
  readonly console: {
    readonly door: OwnPage;
    /** Gets what requests for files pass. */
    routes(files: readonly RequestHandler[]): Router;
  } | null;
  readonly refusals: PacedRefusals;
  /** Null where tokens come from a real issuer: then `/oauth/token` is 404. */
  readonly devIssuer: DevIssuer | null;
  /** Null where nobody may see metrics: then `/metrics` is 404. */
  readonly operatorRoutes: Router | null;
  readonly countRequest: ((exchange: Exchange) => void) | null;
  /** Null where nothing is traced. Runs `answer` as a part of the request's trace. */
  readonly tracing: { watch(exchange: Exchange, answer: () => void): void } | null;
  /** Resolves if the gateway can do its work now. */
  readonly ready: () => Promise<void>;
  /** How many requests wait for a connection to the database. */
  readonly waiting: () => number;
  readonly maxWaiting: number;
  readonly maxDelayMs: number;
  readonly corsOrigins: readonly string[];
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trust: Trust | null;
  readonly logClientAddress: boolean;
  readonly tls: Tls | null;
  /** The OpenAPI document of this gateway. */
  readonly describe: () => object;
  /** The JSON Schema of the events of this gateway. */
  readonly describeEvents: () => object;
  readonly log: Logger;
}

/** The HTTP server: request id, log, metrics, CORS, limits, overload and trace, then GraphQL or REST. */
export function createHttpServer(doors: HttpDoors): Listener {
  const { graphql, refusals, tracing, tls } = doors;
  const open = new OpenExchanges();
  const overload = new Overload(doors, open);
  const crossOrigin = crossOriginOf(doors.corsOrigins);
  const writeLine = requestLog(doors);
  const app = restOf(doors, () => {
    if (open.leaving) throw new Stopping();
    overload.refuseReadiness();
  });

  const server = createNodeServer(tls, (request, response) => {
    const exchange = new Exchange(request, response, clientAddress(request, doors.trust));
    open.add(exchange);
    const { url = '' } = request;
    const isOfConsole = doors.console !== null && (url === CONSOLE || url.startsWith(`${CONSOLE}/`));
    if (isOfConsole && doors.console) exchange.page = doors.console.door;
    const isGraphql = isOfConsole ? isOfGraphql(url.slice(CONSOLE.length)) : isOfGraphql(url);
    if (isGraphql) exchange.door = 'graphql';
    exchange.onStream = () => leave(exchange);
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
    const exchange = new Exchange(request, response, clientAddress(request, doors.trust));
    exchange.door = 'graphql';
    socket.on('error', () => undefined);
    try {
      refuseWithoutHost(request);
      if (!asksForSocket(request)) throw new MalformedRequest('Only `/graphql` is served over a WebSocket.');
      refuseForeignPage(request, doors.corsOrigins);
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
    doors.countRequest?.(exchange);
  }
  function finish(exchange: Exchange): void {
    if (!exchange.isStream) leave(exchange);
    writeLine?.(exchange);
  }
  function answer(exchange: Exchange): void {
    if (exchange.door === 'graphql') return void graphql.handle(exchange);
    app(exchange.request, exchange.response);
  }
  answerBrokenRequests(server, open);
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1). Node.js would answer 417 without a
  // body.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.maxConnections = MAX_CONNECTIONS + doors.maxStreams;
  server.timeout = SILENCE_MS;
  return new Listener(server, open, tls ? 'https' : 'http', doors.drain, () => {
    overload.stop();
    open.stop();
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

function createNodeServer(tls: Tls | null, handle: Handle): Server {
  if (!tls) return createServer(LIMITS, handle);
  return createTlsServer({ ...LIMITS, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: TLS_HANDSHAKE_MS }, handle);
}

/**
 * Health, tokens and pages, then authentication, REST, 404 and problems. `mayServe` throws while others should serve.
 */
function restOf(
  { host, pages, console, routes, gate, devIssuer, operatorRoutes, ready, describe, describeEvents, log }: HttpDoors,
  mayServe: () => void,
): Express {
  const app = express();
  app.disable('x-powered-by');
  // An entity tag would cost a hash of every answer, and no cache may keep our answers.
  app.disable('etag');
  answerAsUsual(app);

  const own = exactRouter();
  own.get('/livez', (_, res) => void res.json({ status: 'ok' }));
  own.get('/readyz', async (_, res) => {
    mayServe();
    await ready();
    res.json({ status: 'ok' });
  });
  own.get('/openapi.json', documentRoute(describe));
  own.get('/events.schema.json', documentRoute(describeEvents));
  if (operatorRoutes) own.use(operatorRoutes);
  if (devIssuer) {
    own.post('/oauth/token', async (req, res) => {
      if (isOfPage(req)) requireOwnHost(req, host);
      const ask = async () => devIssuer.token({ authorization: req.headers.authorization, form: await readForm(req) });
      const { status, headers, body } = await gate.guard(exchangeOf(req), ask, answer => answer.status === 401);
      res.status(status).set(headers).json(body);
    });
  }

  app.use(refuseOtherMethods(own), pages);
  const api = [admitting(gate), ...routes];
  if (console) app.use(console.routes(api));
  app.use(...api);
  app.use(() => {
    throw new RouteNotFound();
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    const { requestId } = exchangeOf(req);
    const refusal = asRefusal(error, requestId);
    if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'request failed');
    if (res.headersSent) next(error);
    else sendProblem(exchangeOf(req), refusal);
  });
  return app;
}

function isOfGraphql(url: string): boolean {
  return url === '/graphql' || url.startsWith('/graphql?');
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
