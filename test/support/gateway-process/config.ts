import { readConfig, type Config } from '../../../src/app/config.js';

/** Where a gateway of tests keeps what it has. */
export type GatewayPlace = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>;

/** The settings of a gateway of tests: those of production with wide limits, at a free port, and these changes. */
export function testConfig(place: GatewayPlace, changes: Partial<Config>): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    ...place,
    poolSize: 10,
    nounModules: [],
    replicas: null,
    demoData: false,
    sandbox: !changes.production,
    auth: null,
    fieldKeys: null,
    cardKeys: null,
    keyCommand: null,
    environment: {},
    cardsPrefix: 'cards',
    idempotencyTtlDays: 30,
    closeMonthly: false,
    graphql: {
      ...readConfig({}).graphql,
      introspection: !changes.production,
      explorer: !changes.production,
    },
    logLevel: 'debug',
    logClientAddress: true,
    metricsToken: null,
    tracing: null,
    webhooks: {
      ...readConfig({}).webhooks,
      takesPart: false,
    },
    console: null,
    production: false,
    tls: null,
    publicUrl: null,
    trustedProxies: [],
    corsOrigins: [],
    shutdownGraceMs: 0,
    ratePerSecond: 1e5,
    rateBurst: 1e6,
    rateStore: 'memory',
    failedAuthPerMinute: 1e6,
    searchesPerHour: 1e6,
    maxWaiting: 1e4,
    maxDelayMs: 6e4,
    ...changes,
    databaseUrl: place.databaseUrl,
  };
}
