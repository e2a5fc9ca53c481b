import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { InternalError, MalformedRequest } from '../../shared/errors.js';
import type { DevIssuer } from '../auth/dev-issuer.js';
import type { GraphqlDoor } from '../graphql/server.js';
import type { Logger } from '../logging/logger.js';
import { metricsRoutes } from '../metrics/metrics-route.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracing } from '../tracing/tracing.js';
import { Overload } from '../overload/overload.js';
import type { PacedRefusals } from '../overload/paced-refusals.js';
import { readForm } from './body.js';
import { answerBrokenRequests } from './broken-request.js';
import { clientAddress, type Trust } from './client-address.js';
import { crossOriginOf } from './cross-origin.js';
import { documentRoute } from './document-route.js';
import { exactRouter, refuseOtherMethods } from './exact-router.js';
import { Exchange, exchangeOf } from './exchange.js';
import { requestUnits, type Gate } from './gate.js';
import { Listener } from './listener.js';
import { OpenExchanges } from './open-exchanges.js';
import { isOfPage, requireOwnHost } from './own-host.js';
import { AddressTooLong, MAX_URL_CHARACTERS, RouteNotFound, Stopping, asRefusal, sendProblem } from './problem.js';
import { requestLog } from './request-log.js';
import { answerAsUsual } from './send.js';
import type { Tls } from './tls.js';

const LIMITS: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  /** Node.js would answer without a body: `refuseWithoutHost` does it with one. */
  requireHostHeader: false,
  /** How long a client may take to send its headers, and its whole request, be it a document. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often those two are looked at. */
  connectionsCheckingInterval: 1000,
  /** Longer than load balancers keep an idle connection, so that the end of one never meets a request on its way. */
  keepAliveTimeout: 75_000,
};
const MAX_CONNECTIONS = 10_000;
/** A connection on which nothing moves while a request is answered, or its answer read. Longer than any answer of ours takes. */
const SILENCE_MS = 30_000;
const TLS_HANDSHAKE_MS = 10_000;

export interface HttpDoors {
  readonly graphql: GraphqlDoor;
  /** What is listened on. */
  readonly host: string;
  /** For people with browsers. They run before the gate, and hold no data. */
  readonly pages: Router;
  /** What REST requests pass behind the gate: middleware, then the routes of the nouns. */
  readonly routes: readonly RequestHandler[];
  readonly gate: Gate;
  readonly refusals: PacedRefusals;
  /** Absent where tokens come from a real issuer: then `/oauth/token` is 404. */
  readonly devIssuer: DevIssuer | null;
  /** Absent where nobody may see them: then `/metrics` is 404. */
  readonly metrics: Metrics | null;
  readonly metricsToken: string | null;
  /** Absent where nothing is traced. */
  readonly tracing: Tracing | null;
  /** Resolves if the gateway can do its work now. */
  readonly ready: () => Promise<void>;
  /** How many requests wait for a connection to the database. */
  readonly waiting: () => number;
  readonly maxWaiting: number;
  readonly maxDelayMs: number;
  readonly corsOrigins: readonly string[];
  /** Whose `X-Forwarded-For` is believed. */
  readonly trust: Trust | null;
  readonly logClientAddress: boolean;
  readonly tls: Tls | null;
  /** What this gateway tells of itself. */
  readonly describe: () => object;
  readonly log: Logger;
}

/** Everything that comes in by HTTP, in order: request id, log, metrics, CORS, limits, overload, trace, then GraphQL or REST. */
export function createHttpServer(doors: HttpDoors): Listener {
  const { graphql, metrics, tracing, tls } = doors;
  const open = new OpenExchanges();
  const overload = new Overload(doors, open);
  const { refusals } = doors;
  const crossOrigin = crossOriginOf(doors.corsOrigins);
  const writeLine = requestLog(doors);
  const app = restOf(doors, () => {
    if (open.closing) throw new Stopping();
    overload.refuseReadiness();
  });

  const server = createNodeServer(tls, (request, response) => {
    const exchange = new Exchange(request, response, clientAddress(request, doors.trust));
    open.add(exchange);
    const { url = '' } = request;
    const isGraphql = url === '/graphql' || url.startsWith('/graphql?');
    if (isGraphql) exchange.door = 'graphql';
    response.once('close', () => finish(exchange));
    if (crossOrigin?.(request, response)) return;
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
  function finish(exchange: Exchange): void {
    open.remove(exchange);
    overload.leave(exchange);
    exchange.trace?.end();
    metrics?.requests.count(exchange);
    writeLine?.(exchange);
  }
  function answer(exchange: Exchange): void {
    if (exchange.door === 'graphql') return void graphql.handle(exchange);
    app(exchange.request, exchange.response);
  }
  answerBrokenRequests(server, open);
  // An expectation that we do not know may be left aside (RFC 9110, 10.1.1). Node.js would answer 417 without a body.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = SILENCE_MS;
  return new Listener(server, open, tls ? 'https' : 'http', () => {
    overload.stop();
    open.stop();
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

function createNodeServer(tls: Tls | null, handle: Handle): Server {
  if (!tls) return createServer(LIMITS, handle);
  return createTlsServer({ ...LIMITS, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: TLS_HANDSHAKE_MS }, handle);
}

/** Health, tokens, pages, who calls, REST, 404, problems. `mayServe` throws where we should not be sent requests. */
function restOf(
  { host, pages, routes, gate, devIssuer, metrics, metricsToken, ready, describe, log }: HttpDoors,
  mayServe: () => void,
): Express {
  const app = express();
  app.disable('x-powered-by');
  // An entity tag would cost a hash of every answer, and no answer of ours may be kept by a cache.
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
  if (metrics) own.use(metricsRoutes(metrics, metricsToken));
  if (devIssuer) {
    own.post('/oauth/token', async (req, res) => {
      if (isOfPage(req)) requireOwnHost(req, host);
      const ask = async () => devIssuer.token({ authorization: req.headers.authorization, form: await readForm(req) });
      const { status, headers, body } = await gate.guard(exchangeOf(req), ask, answer => answer.status === 401);
      res.status(status).set(headers).json(body);
    });
  }

  app.use(refuseOtherMethods(own), pages);

  app.use(async (req, _, next) => {
    await gate.admit(exchangeOf(req), requestUnits(req));
    next();
  });
  app.use(...routes);
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

/** RFC 9112, 3.2. */
function refuseWithoutHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new MalformedRequest('The header Host is missing. Send the name of the server in it.');
  }
}

/** Operators look at a gateway most of all when it has too much to do. */
function isForOperators(url: string): boolean {
  return url === '/livez' || url === '/readyz' || url === '/metrics';
}
