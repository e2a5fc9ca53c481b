import type { Router } from 'express';
import { asksForPage, requireOwnHost } from '../http/browsers.js';
import { exactRouter, refuseOtherMethods } from '../http/exact-router.js';
import { exchangeOf, type Exchange } from '../http/exchange.js';
import { Bundle } from './bundle.js';
import type { ExampleOperation } from './example-operation.js';
import { sendGraphiql } from './graphiql.js';
import { sendProblems } from './problems.js';
import { sendReference } from './reference.js';
import { sendSandbox } from './sandbox.js';
import { sendStart } from './start.js';

export interface PagesOptions {
  readonly name: string;
  /** What is served, in a sentence. */
  readonly summary: string;
  /** Ready in the explorers, in this order. The first one is short: the start page shows it, too. */
  readonly operations: readonly [ExampleOperation, ...ExampleOperation[]];
  /** A REST route that gives something to whoever has the demo token. */
  readonly restPath: string;
  /** What the OpenAPI document calls access tokens. */
  readonly securityScheme: string;
  /** Whether browsers get explorers for GraphQL, and whether these may ask for the schema. */
  readonly explorer: boolean;
  readonly introspection: boolean;
  readonly devIssuer: boolean;
  readonly metrics: boolean;
  /** What the gateway listens on. */
  readonly host: string;
  /** Signs an access token for data that is invented. Null where there is no such data, or real tokens. */
  readonly demoToken: (() => Promise<string>) | null;
}

export interface Pages {
  readonly routes: Router;
  /** What a browser gets at the address of GraphQL; null for nothing. */
  readonly sendExplorer: ((exchange: Exchange) => Promise<void>) | null;
}

/** The pages for people: a start page, explorers for GraphQL, the reference of the REST routes, and what each code of a refusal means. */
export function openPages(options: PagesOptions): Pages {
  const { explorer, operations, demoToken } = options;
  // A page with a token is for whoever sits at this machine, and not for a page of somebody else.
  const tokenFor = async ({ request }: Exchange): Promise<string | null> => {
    if (!demoToken) return null;
    requireOwnHost(request, options.host);
    return demoToken();
  };
  const routes = exactRouter();

  routes.get('/', async (req, _, next) => {
    if (!asksForPage(req)) return next();
    const exchange = exchangeOf(req);
    await sendStart(exchange, { ...options, query: operations[0].query, token: await tokenFor(exchange) });
  });

  routes.get('/problems', req => sendProblems(exchangeOf(req), options));

  const reference = new Bundle('reference', '/docs');
  routes.get('/docs', async req => {
    const exchange = exchangeOf(req);
    await sendReference(exchange, { ...options, bundle: reference, token: await tokenFor(exchange) });
  });
  routes.get('/docs/:digest/:file', reference.serve);

  if (!explorer) return { routes: refuseOtherMethods(routes), sendExplorer: null };

  const graphiql = new Bundle('graphiql', '/graphiql');
  routes.get('/graphiql', async req => {
    const exchange = exchangeOf(req);
    await sendGraphiql(exchange, { ...options, bundle: graphiql, token: await tokenFor(exchange) });
  });
  routes.get('/graphiql/:digest/:file', graphiql.serve);

  return {
    routes: refuseOtherMethods(routes),
    sendExplorer: async exchange => {
      await sendSandbox(exchange, { ...options, operation: operations[0], token: await tokenFor(exchange) });
    },
  };
}
