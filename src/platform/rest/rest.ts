import type { Request, RequestHandler, Router } from 'express';
import { RouteNotFound } from '../http/problem.js';
import { IF_MATCH, IF_NONE_MATCH, NOT_MODIFIED, TAGGED, location } from '../openapi/headers.js';
import { DRY_RUN, parameter, type Operation, type Parameter, type Part } from '../openapi/operation.js';
import { PreconditionFailed } from '../../shared/errors.js';
import type { DeclaredOperation } from '../../shared/operation.js';
import { RestHandler, allowingRequest, contentOf, isTagged, type Denying } from './rest-handler.js';
import type {
  AnyRestWords,
  ExpressWords,
  NamesIn,
  PathOf,
  PathParameters,
  RestRequest,
  RestWords,
  Route,
} from './rest-words.js';

/** A REST operation: what OpenAPI says of it, and what answers it over these services. */
export interface RestOperation<Services> extends Operation {
  readonly path: PathParameters;
  /** The middleware of its route. */
  readonly handlers: (services: Services & Denying) => readonly RequestHandler[];
}

/** The REST operations of a noun by their ids, which are their names in generated clients. */
export interface RestPart<Services> extends Part {
  readonly operations: Readonly<Record<string, RestOperation<Services>>>;
}

/**
 * Declares operations over services: first `const rest = restOver<Services>()`, then `rest(ADD_NOTE, 'POST /notes',
 * …)`.
 */
export function restOver<Services>() {
  return <R extends Route, Result, Body extends object = never, Query extends object = never>(
    of: DeclaredOperation,
    route: R,
    words: RestWords<Services, RestRequest<NamesIn<R>, Body, Query>, Body, Query, Result> & PathOf<R>,
  ): RestOperation<Services> => {
    const { summary, description, path = {}, parameters = [], query, body, page, answer } = words;
    const { dryRun, versioned, created } = words;
    const isRead = route.startsWith('GET ');
    const conditions = isRead ? [IF_NONE_MATCH, IF_MATCH] : [IF_MATCH];
    const headers = {
      ...(typeof created === 'object' && location(created.example)),
      ...(isTagged(route, words) && TAGGED),
    };
    return {
      of,
      route,
      summary,
      description,
      path,
      parameters: [
        ...pathParameters(path),
        ...(dryRun ? [DRY_RUN] : []),
        ...(versioned && !created ? conditions : []),
        ...parameters,
      ],
      query,
      body: body && { ...body, content: contentOf(body) },
      page,
      answers: answer && {
        [created ? 201 : 200]: { ...answer, headers: { ...answer.headers, ...headers } },
        ...(versioned && isRead && { 304: NOT_MODIFIED }),
      },
      refusals: () => [...(versioned && isRead ? [new PreconditionFailed()] : []), ...(words.refusals?.() ?? [])],
      handlers: services => {
        const allow = allowingRequest(of, route, services);
        return new RestHandler(route, words as unknown as AnyRestWords<Services>, services, allow).middleware;
      },
    };
  };
}

/** Declares operations that a handler of Express answers: files, and what is charged for before it is read. */
export function expressOver<Services>() {
  return <R extends Route>(
    of: DeclaredOperation,
    route: R,
    { handle, path, parameters = [], ...words }: ExpressWords<Services, NamesIn<R>> & PathOf<R>,
  ): RestOperation<Services> => ({
    ...words,
    of,
    route,
    path: path ?? {},
    parameters: [...pathParameters(path ?? {}), ...parameters],
    handlers: services => {
      const allow = allowingRequest(of, route, services);
      return [
        async (req, res) => {
          allow(req);
          await handle(req as Request<never>, res, services);
        },
      ];
    },
  });
}

/** Gives a router the routes of a noun. Who serves brings the router, so that commands do not load Express. */
export function addRoutes<Services>(
  router: Router,
  { operations }: RestPart<Services>,
  services: Services & Denying,
): Router {
  for (const { route, path, handlers } of Object.values(operations)) {
    for (const [name, { matches }] of Object.entries(path)) {
      if (!matches) continue;
      router.param(name, (_req, _res, next, value: string) => next(matches(value) ? undefined : new RouteNotFound()));
    }
    const [method = '', pattern = ''] = expressRoute(route).split(' ');
    router[method.toLowerCase() as 'get'](pattern, ...handlers(services));
  }
  return router;
}

/** A route with its path as Express spells it, `GET /accounts/:accountId`. */
export function expressRoute(route: Route): string {
  return route.replaceAll(/\{(\w+)\}/g, ':$1');
}

function pathParameters(path: PathParameters): Parameter[] {
  return Object.entries(path).map(([name, { description, schema, example, unknown }]) => ({
    ...parameter('path', name, description, schema, example),
    unknown,
  }));
}
