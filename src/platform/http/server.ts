import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { InternalError } from '../../shared/errors.js';
import type { Bearer } from '../auth/bearer.js';
import type { DevIssuer } from '../auth/dev-issuer.js';
import type { GraphqlDoor } from '../graphql/server.js';
import type { Logger } from '../logging/logger.js';
import { metricsRoute } from '../metrics/metrics-route.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Tracing } from '../tracing/tracing.js';
import { readForm } from './body.js';
import { answerBrokenRequests } from './broken-request.js';
import { authenticate, callerOf } from './caller.js';
import { Exchange, exchangeOf } from './exchange.js';
import { RouteNotFound, asRefusal, sendProblem } from './problem.js';
import { logRequest } from './request-log.js';

/** How long a client may take to send its headers, and its whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;

export interface HttpDoors {
  readonly graphql: GraphqlDoor;
  /** The REST routes of the nouns. They run behind `authenticate`. */
  readonly routes: readonly Router[];
  readonly bearer: Bearer;
  /** Absent where tokens come from a real issuer: then `/oauth/token` is 404. */
  readonly devIssuer: DevIssuer | null;
  /** Absent where nobody may see them: then `/metrics` is 404. */
  readonly metrics: Metrics | null;
  readonly metricsToken: string | null;
  /** Absent where nothing is traced. */
  readonly tracing: Tracing | null;
  /** Resolves if the gateway can do its work now. */
  readonly ready: () => Promise<void>;
  readonly log: Logger;
}

/** Everything that comes in by HTTP, in order: request id, log, GraphQL, health, tokens, who calls, REST, 404, problems. */
export function createHttpServer({
  graphql,
  routes,
  bearer,
  devIssuer,
  metrics,
  metricsToken,
  tracing,
  ready,
  log,
}: HttpDoors): Server {
  const app = express();
  app.disable('x-powered-by');
  // An entity tag would cost a hash of every answer, and no answer of ours may be kept by a cache.
  app.disable('etag');

  app.get('/livez', (_, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', async (_, res) => {
    await ready();
    res.json({ status: 'ok' });
  });
  if (metrics) app.get('/metrics', metricsRoute(metrics, metricsToken));
  if (devIssuer) {
    app.post('/oauth/token', async (req, res) => {
      const { status, headers, body } = await devIssuer.token({
        authorization: req.headers.authorization,
        form: await readForm(req),
      });
      res.status(status).set(headers).json(body);
    });
  }

  app.use(async (req, res, next) => {
    await authenticate(exchangeOf(req), bearer);
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(sayReplayed, ...routes);
  app.use(() => {
    throw new RouteNotFound();
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    const { requestId } = exchangeOf(req);
    const refusal = asRefusal(error, requestId);
    if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'request failed');
    if (res.headersSent) next(error);
    else sendProblem(req, res, refusal, requestId);
  });

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const exchange = new Exchange(request, response);
    logRequest(log, exchange);
    metrics?.requests.watch(exchange);
    if (request.url === '/graphql' || request.url?.startsWith('/graphql?')) {
      exchange.door = 'graphql';
    } else {
      response.setHeader('X-Request-Id', exchange.requestId);
    }
    if (tracing) tracing.watch(exchange, () => answer(exchange));
    else answer(exchange);
  });
  function answer(exchange: Exchange): void {
    if (exchange.door === 'graphql') void graphql.handle(exchange);
    else app(exchange.request, exchange.response);
  }
  answerBrokenRequests(server);
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  return server;
}

/** Says `Idempotent-Replayed: true` on an answer from the record, of a result or of a refusal alike. */
function sayReplayed(req: Request, res: Response, next: NextFunction): void {
  const writeHead = res.writeHead.bind(res);
  res.writeHead = ((...args: Parameters<typeof writeHead>) => {
    if (callerOf(req).replayed) res.setHeader('Idempotent-Replayed', 'true');
    return writeHead(...args);
  }) as typeof res.writeHead;
  next();
}
