import type { Router } from 'express';
import type { DevIssuer } from '../../platform/auth/dev-issuer.js';
import { TOKEN_TTL_SECONDS, defaultScopes } from '../../platform/auth/token-endpoint.js';
import { asksForPage, requireOwnHost } from '../../platform/http/browsers.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { exchangeOf, type Exchange } from '../../platform/http/exchange.js';
import type { Problems } from '../../shared/errors.js';
import { hasConsole, type Config } from '../config.js';
import { sendSandbox } from './apollo-sandbox.js';
import { Bundle } from './bundle.js';
import { sendGraphiql } from './graphiql.js';
import { problemsPage } from './problems.js';
import { sendReference } from './reference.js';
import { sendStart } from './start.js';

const PROBLEMS_PATH = '/problems';
const REFERENCE_PATH = '/docs';
const GRAPHIQL_PATH = '/graphiql';
/** The paths of all pages but the start page. Their files are below them. */
export const PAGE_PATHS = [PROBLEMS_PATH, REFERENCE_PATH, GRAPHIQL_PATH];

export interface Pages {
  readonly routes: Router;
  /** Sends the page that a browser gets at the address of GraphQL; null for none. */
  readonly sendExplorer: ((exchange: Exchange) => Promise<void>) | null;
}

/**
 * The pages for people: a start page, explorers for GraphQL, the reference of the REST routes, and what each problem
 * means.
 */
export function openPages(config: Config, devIssuer: DevIssuer | null, metrics: boolean, problems: Problems): Pages {
  const { explorer, introspection } = config.graphql;
  const routes = exactRouter();

  /**
   * For data that is invented. The page with it is for the user of this machine, and not for a page of somebody else.
   */
  const tokenFor = async ({ request }: Exchange): Promise<string | null> => {
    if (!devIssuer || !config.demoData) return null;
    requireOwnHost(request, config.host);
    const demo = { program: 'demo', clientId: 'demo', subject: 'demo', customerId: null, scope: defaultScopes(null) };
    return devIssuer.sign({ ...demo, ttlSeconds: TOKEN_TTL_SECONDS });
  };

  routes.get('/', async (req, _, next) => {
    if (!asksForPage(req)) return next();
    const exchange = exchangeOf(req);
    const token = await tokenFor(exchange);
    await sendStart(exchange, {
      devIssuer: devIssuer !== null,
      explorer,
      metrics,
      token,
      console: hasConsole(config),
      sandbox: config.sandbox,
    });
  });

  const sendProblems = problemsPage(problems);
  routes.get(PROBLEMS_PATH, req => sendProblems(exchangeOf(req)));

  const reference = new Bundle('reference', REFERENCE_PATH);
  routes.get(REFERENCE_PATH, async req => {
    const exchange = exchangeOf(req);
    await sendReference(exchange, reference, await tokenFor(exchange));
  });
  routes.get(`${REFERENCE_PATH}/:digest/:file`, reference.serve);

  if (!explorer) return { routes: refuseOtherMethods(routes), sendExplorer: null };

  const graphiql = new Bundle('graphiql', GRAPHIQL_PATH);
  routes.get(GRAPHIQL_PATH, async req => {
    const exchange = exchangeOf(req);
    const { sandbox } = config;
    await sendGraphiql(exchange, graphiql, { introspection, sandbox, token: await tokenFor(exchange) });
  });
  routes.get(`${GRAPHIQL_PATH}/:digest/:file`, graphiql.serve);

  return {
    routes: refuseOtherMethods(routes),
    sendExplorer: async exchange => sendSandbox(exchange, await tokenFor(exchange)),
  };
}
