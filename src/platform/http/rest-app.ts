import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { InternalError } from '../../shared/errors.js';
import type { DevIssuer } from '../auth/dev-issuer.js';
import type { Logger } from '../logging/logger.js';
import { readForm } from './body.js';
import { isOfPage, requireOwnHost } from './browsers.js';
import { endpointRouter, type HttpEndpoint } from './endpoint.js';
import { exactRouter, refuseOtherMethods } from './exact-router.js';
import { exchangeOf, type OwnPage } from './exchange.js';
import { admitting, type Gate } from './gate.js';
import { METADATA_PATH } from './proof-of-possession.js';
import { protectedResourceRoute, type ProtectedResource } from './protected-resource.js';
import { RouteNotFound, asRefusal, sendProblem } from './problem.js';
import { documentRoute } from './representation.js';
import { answerAsUsual } from './send.js';

export interface RestAppParts {
  /** The host that the server listens on. */
  readonly host: string;
  /** Pages for browsers. They run before authentication, and hold no data. */
  readonly pages: Router;
  /** The handlers that REST requests pass behind the gate: middleware, then the routes of the nouns. */
  readonly routes: readonly RequestHandler[];
  readonly gate: Gate;
  /** Addresses of nouns besides those of REST. */
  readonly endpoints: readonly HttpEndpoint[];
  /** The page of the gateway's own that calls it, and who does there; null where it is off. */
  readonly console: {
    readonly page: OwnPage;
    /** Gets what requests for files pass. */
    routes(files: readonly RequestHandler[]): Router;
  } | null;
  /** Null where tokens come from a real issuer: then `/oauth/token` is 404. */
  readonly devIssuer: DevIssuer | null;
  /** Null where nobody may see metrics: then `/metrics` is 404. */
  readonly operatorRoutes: Router | null;
  /** Where tokens come from, and how they are sent. */
  readonly resource: ProtectedResource;
  /** Resolves if the gateway can do its work now. */
  readonly ready: () => Promise<object>;
  /** The OpenAPI document of this gateway. */
  readonly describe: () => object;
  /** The JSON Schema of the events of this gateway. */
  readonly describeEvents: () => object;
  readonly log: Logger;
}

/**
 * Health, tokens and pages, then authentication, REST, 404 and problems. `mayServe` throws while others should serve.
 */
export function restApp(
  {
    host,
    pages,
    console,
    routes,
    gate,
    endpoints,
    devIssuer,
    operatorRoutes,
    resource,
    ready,
    describe,
    describeEvents,
    log,
  }: RestAppParts,
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
    res.json(await ready());
  });
  own.get('/.well-known/oauth-protected-resource', protectedResourceRoute(resource));
  for (const endpoint of endpoints) {
    own.get(`${METADATA_PATH}${endpoint.path}`, protectedResourceRoute(resource, endpoint));
  }
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
  for (const endpoint of endpoints) app.use(endpointRouter(endpoint, gate, resource.address));
  const api = [admitting(gate), ...routes];
  app.use(console ? console.routes(api) : withoutConsole());
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

/** Where the console is off, its addresses are unknown to everybody, and not only to those with a token. */
function withoutConsole(): Router {
  const router = exactRouter();
  router.all(['/console', '/console/', '/console/*path'], () => {
    throw new RouteNotFound();
  });
  return router;
}
