import type { Config } from './config.js';
import { EXAMPLE_OPERATIONS } from './examples.js';
import { TOKEN_TTL_SECONDS, defaultScopes, type DevIssuer } from '../platform/auth/dev-issuer.js';
import type { PagesOptions } from '../platform/pages/pages.js';

/** What the pages say of this gateway. */
export function pagesOf(config: Config, devIssuer: DevIssuer | null, metrics: boolean): PagesOptions {
  const { explorer, introspection } = config.graphql;
  const demo = { program: 'demo', clientId: 'demo', subject: 'demo', customerId: null, scope: defaultScopes(null) };
  return {
    name: 'Tillgate',
    summary:
      'A GraphQL gateway over a banking domain (accounts, owners, beneficiaries, transactions, statements and cards), with a REST contract beside it.',
    operations: EXAMPLE_OPERATIONS,
    restPath: '/accounts/demo-1001/beneficiaries?limit=1',
    securityScheme: 'accessToken',
    ...{ explorer, introspection, metrics },
    host: config.host,
    devIssuer: devIssuer !== null,
    demoToken: devIssuer && config.demoData ? () => devIssuer.sign({ ...demo, ttlSeconds: TOKEN_TTL_SECONDS }) : null,
  };
}
