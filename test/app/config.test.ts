import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readBankConfig, readConfig, readDatabaseConfig, readIssuerConfig } from '../../src/app/config.js';
import { nounSettings } from '../../src/app/added-nouns.js';
import { openKeys } from '../../src/app/open-keys.js';
import type { SettingGroup } from '../../src/platform/settings/setting.js';
import { BadSettings } from '../../src/platform/settings/settings.js';
import { hostsOf } from '../../src/platform/database/address.js';
import { RFC_9068 } from '../../src/platform/auth/token-profile.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';

function problemsOf(env: NodeJS.ProcessEnv, read: (env: NodeJS.ProcessEnv) => object = readConfig): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (error instanceof BadSettings) return error.problems;
    throw error;
  }
}

const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://bank:secret@db.internal:5432/tillgate',
  AUTH_ISSUER: 'https://login.bank.example',
  AUTH_AUDIENCE: 'tillgate',
  AUTH_JWKS_URL: 'https://login.bank.example/keys',
  FIELD_KEYS: KeyRing.generate(),
});

const CONSOLE = {
  CONSOLE_OIDC_ISSUER: 'https://login.bank.example',
  CONSOLE_OIDC_CLIENT_ID: 'console',
  CONSOLE_OIDC_CLIENT_SECRET: 'a secret',
  CONSOLE_URL: 'https://gateway.bank.example/console',
};

test('without any setting the gateway runs by itself on this machine', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 4e3,
    workers: 1,
    databaseUrl: null,
    databaseDirectUrl: null,
    replicas: null,
    poolSize: 10,
    dataDir: resolve('.data'),
    nounModules: [],
    demoData: true,
    sandbox: true,
    auth: null,
    fieldKeys: null,
    cardKeys: null,
    keyCommand: null,
    environment: {},
    cardsPrefix: 'cards',
    idempotencyTtlDays: 30,
    closeMonthly: false,
    graphql: {
      limits: {
        maxDepth: 10,
        maxCost: 1e3,
        maxAliases: 15,
        maxRootFields: 10,
        maxFragments: 20,
        maxTokens: 1e4,
      },
      subscriptions: {
        max: 1e4,
        maxPerClient: 1e3,
      },
      timeoutMs: 1e4,
      introspection: true,
      explorer: true,
      federation: false,
      federationAuthorization: false,
      persistedOperationsFile: null,
      apollo: null,
    },
    logLevel: 'info',
    logClientAddress: true,
    metricsToken: null,
    tracing: null,
    webhooks: {
      takesPart: true,
      allowLoopback: false,
      allowNets: [],
      proxyUrl: null,
      retrySeconds: [5, 300, 1800, 7200, 18e3, 36e3, 50400, 72e3, 86400],
    },
    console: { provider: null },
    production: false,
    tls: null,
    publicUrl: null,
    trustedProxies: [],
    corsOrigins: [],
    shutdownGraceMs: 0,
    ratePerSecond: 1e3,
    rateBurst: 5e3,
    rateStore: 'memory',
    failedAuthPerMinute: 100,
    searchesPerHour: 300,
    maxWaiting: 100,
    maxDelayMs: 300,
  });
});

test('an empty setting is one that is not set', () => {
  const empty = Object.fromEntries(
    [
      'HOST',
      'PORT',
      'DATABASE_URL',
      'POOL_SIZE',
      'DATA_DIR',
      'DEMO_DATA',
      'SANDBOX',
      'AUTH_ISSUER',
      'FIELD_KEYS',
      'CARDS_PREFIX',
      'LOG_LEVEL',
      'NODE_ENV',
    ].map(name => [name, '']),
  );
  expect(readConfig({ ...empty, AUTH_JWKS_URL: ' \n' })).toEqual(readConfig({}));
});

test('every setting is read, and the data directory becomes absolute', () => {
  const env = {
    NOUNS: './nicknames.js, @bank/nouns',
    PUBLIC_URL: 'https://gateway.bank.example',
    AUTH_SENDER_CONSTRAINED: 'require',
    AUTH_DPOP_NONCE: 'true',
    AUTH_CLIENT_CERTIFICATE: 'proxy',
    AUTH_INTROSPECTION_URL: 'https://login.bank.example/introspect',
    AUTH_INTROSPECTION_CLIENT_ID: 'tillgate',
    AUTH_INTROSPECTION_CLIENT_SECRET: 'secret',
    AUTH_INTROSPECTION_CACHE_SECONDS: '10',
    AUTH_INTROSPECTION_AWAY: 'accept',
    DATABASE_DIRECT_URL: 'postgres://bank:secret@db.internal:5433/tillgate',
    ...production(),
    DATABASE_REPLICA_URLS:
      'postgres://bank:secret@replica-1.internal/tillgate, postgres://bank:secret@replica-2.internal/tillgate',
    REPLICA_MAX_LAG_MS: '1000',
    REPLICA_WAIT_MS: '0',
    HOST: '::',
    PORT: '0',
    WORKERS: '3',
    POOL_SIZE: '1000',
    DATA_DIR: 'somewhere',
    CARDS_PREFIX: 'card-issuing',
    IDEMPOTENCY_TTL_DAYS: '3650',
    LOG_LEVEL: 'silent',
    LOG_CLIENT_ADDRESS: 'false',
    METRICS_TOKEN: 'f'.repeat(64),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_SERVICE_NAME: 'gateway-eu',
    OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=bank',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
    STATEMENTS_MONTHLY: 'true',
    WEBHOOKS: 'false',
    WEBHOOK_ALLOW_NETS: '10.20.0.0/16, fd00:20::/32',
    WEBHOOK_PROXY_URL: 'http://user:password@proxy.internal:3128',
    TLS_CERT: '/run/secrets/tls.crt',
    TLS_KEY: '/run/secrets/tls.key',
    TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,loopback',
    CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
    SHUTDOWN_GRACE_MS: '60000',
    RATE_LIMIT_PER_SECOND: '20',
    RATE_LIMIT_BURST: '30',
    RATE_LIMIT_STORE: 'database',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '5',
    SEARCH_LIMIT_PER_HOUR: '40',
    OVERLOAD_MAX_WAITING: '7',
    OVERLOAD_MAX_DELAY_MS: '250',
    GRAPHQL_MAX_DEPTH: '1',
    GRAPHQL_MAX_COST: '2',
    GRAPHQL_MAX_ALIASES: '3',
    GRAPHQL_MAX_ROOT_FIELDS: '4',
    GRAPHQL_MAX_FRAGMENTS: '5',
    GRAPHQL_MAX_TOKENS: '6',
    GRAPHQL_TIMEOUT_MS: '7',
    SUBSCRIPTIONS_MAX: '8',
    SUBSCRIPTIONS_MAX_PER_CLIENT: '3',
    GRAPHQL_EXPLORER: 'true',
    FEDERATION: 'true',
    FEDERATION_AUTHORIZATION: 'true',
    PERSISTED_OPERATIONS: 'manifest.json',
    CARD_KEYS: KeyRing.generate(),
    KEY_COMMAND: 'cat',
    VAULT_TOKEN: 'kept',
    ...CONSOLE,
    AUTH_PERSON_CLAIM: 'oid',
    CONSOLE_PROGRAM_CLAIM: 'tenant',
    CONSOLE_ROLES_CLAIM: '/realm_access/roles,roles',
    CONSOLE_OIDC_SCOPE: 'openid profile offline_access',
    CONSOLE_RECHECK_MINUTES: '2',
  };
  const config = readConfig(env);
  expect(config).toEqual({
    host: '::',
    port: 0,
    workers: 3,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    replicas: {
      urls: [
        'postgres://bank:secret@replica-1.internal/tillgate',
        'postgres://bank:secret@replica-2.internal/tillgate',
      ],
      maxLagMs: 1e3,
      waitMs: 0,
    },
    poolSize: 1e3,
    dataDir: resolve('somewhere'),
    nounModules: [pathToFileURL(resolve('nicknames.js')).href, '@bank/nouns'],
    demoData: false,
    sandbox: false,
    auth: {
      issuer: 'https://login.bank.example',
      audience: ['tillgate'],
      jwksUrl: 'https://login.bank.example/keys',
      possession: { mode: 'require', requiresNonce: true, certificates: 'proxy' },
      introspection: {
        url: 'https://login.bank.example/introspect',
        clientId: 'tillgate',
        clientSecret: 'secret',
        cacheSeconds: 10,
        whenAway: 'accept',
      },
      profile: {
        ...RFC_9068,
        person: [
          {
            text: 'oid',
            names: ['oid'],
          },
        ],
      },
    },
    fieldKeys: env.FIELD_KEYS,
    cardKeys: env.CARD_KEYS,
    keyCommand: 'cat',
    environment: { VAULT_TOKEN: 'kept' },
    cardsPrefix: 'card-issuing',
    idempotencyTtlDays: 3650,
    closeMonthly: true,
    graphql: {
      limits: {
        maxDepth: 1,
        maxCost: 2,
        maxAliases: 3,
        maxRootFields: 4,
        maxFragments: 5,
        maxTokens: 6,
      },
      subscriptions: {
        max: 8,
        maxPerClient: 3,
      },
      timeoutMs: 7,
      introspection: false,
      explorer: true,
      federation: true,
      federationAuthorization: true,
      persistedOperationsFile: resolve('manifest.json'),
      apollo: null,
    },
    logLevel: 'silent',
    logClientAddress: false,
    metricsToken: 'f'.repeat(64),
    tracing: {
      endpoint: 'http://collector:4318',
      resource: {
        'service.namespace': 'bank',
        'service.name': 'gateway-eu',
      },
      ratio: 0.05,
    },
    webhooks: {
      takesPart: false,
      allowLoopback: false,
      allowNets: ['10.20.0.0/16', 'fd00:20::/32'],
      proxyUrl: 'http://user:password@proxy.internal:3128',
      retrySeconds: [5, 300, 1800, 7200, 18e3, 36e3, 50400, 72e3, 86400],
    },
    console: {
      provider: {
        issuer: 'https://login.bank.example',
        clientId: 'console',
        clientSecret: 'a secret',
        url: 'https://gateway.bank.example/console',
        personClaim: [
          {
            text: 'oid',
            names: ['oid'],
          },
        ],
        programClaim: [
          {
            text: 'tenant',
            names: ['tenant'],
          },
        ],
        scope: 'openid profile offline_access',
        recheckMinutes: 2,
        rolesClaim: [
          {
            text: '/realm_access/roles',
            names: ['realm_access', 'roles'],
          },
          {
            text: 'roles',
            names: ['roles'],
          },
        ],
      },
    },
    production: true,
    tls: {
      certFile: '/run/secrets/tls.crt',
      keyFile: '/run/secrets/tls.key',
    },
    publicUrl: 'https://gateway.bank.example',
    trustedProxies: ['10.0.0.0/8', 'fd00::/8', 'loopback'],
    corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    shutdownGraceMs: 6e4,
    ratePerSecond: 20,
    rateBurst: 30,
    rateStore: 'database',
    failedAuthPerMinute: 5,
    searchesPerHour: 40,
    maxWaiting: 7,
    maxDelayMs: 250,
  });
  expect(isAbsolute(config.dataDir)).toBe(true);
});

test('demo data comes with the embedded database, and on another one only when asked for', () => {
  const DATABASE_URL = 'postgres://localhost/bank';
  expect(readConfig({ DATABASE_URL }).demoData).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO_DATA: 'true' }).demoData).toBe(true);
  expect(readConfig({ DEMO_DATA: 'false' }).demoData).toBe(false);
});

test('production tells nobody its schema and shows no explorer unless it is told to', () => {
  const { introspection, explorer } = readConfig(production()).graphql;
  expect([introspection, explorer]).toEqual([false, false]);
  const on = readConfig({ ...production(), GRAPHQL_INTROSPECTION: 'true', GRAPHQL_EXPLORER: 'true' }).graphql;
  expect([on.introspection, on.explorer]).toEqual([true, true]);
});

test('a command asks for the settings that it uses, and for no others', () => {
  const NODE_ENV = 'production';
  const { DATABASE_URL, FIELD_KEYS, ...issuer } = production();
  const elsewhere = { PORT: 'hunter2', METRICS_TOKEN_FILE: '/nowhere', DEMO_DATA: 'true' };
  expect(problemsOf({ NODE_ENV, DATABASE_URL, FIELD_KEYS: 'hunter2', ...elsewhere }, readDatabaseConfig)).toEqual([]);
  expect(problemsOf({ NODE_ENV, DATABASE_URL, FIELD_KEYS, ...elsewhere }, readBankConfig)).toEqual([]);
  expect(problemsOf({ ...issuer, ...elsewhere }, readIssuerConfig)).toEqual([]);
  expect(
    [readDatabaseConfig, readBankConfig, readIssuerConfig].map(read =>
      problemsOf({ NODE_ENV }, read).map(problem => problem.split(' ')[0]),
    ),
  ).toEqual([['DATABASE_URL'], ['DATABASE_URL', 'FIELD_KEYS'], ['AUTH_ISSUER,']]);
});

test('the command that unwraps keys gets no setting of a gateway, whatever the command line runs', () => {
  const env = {
    ...production(),
    KEY_COMMAND: 'cat',
    METRICS_TOKEN: 'f'.repeat(64),
    PORT: 'hunter2',
    VAULT_TOKEN: 'kept',
  };
  expect(readBankConfig(env)).toMatchObject({ keyCommand: 'cat', environment: { VAULT_TOKEN: 'kept' } });
  expect(Object.keys(readBankConfig(env).environment)).toEqual(['VAULT_TOKEN']);
});

test('a password with any characters is set as it is, for every address without one', () => {
  const DATABASE_PASSWORD = 'p@ss/w:rd?#[1]&%41';
  const { databaseUrl, databaseDirectUrl, replicas } = readConfig({
    DATABASE_PASSWORD,
    DATABASE_URL: 'postgres://bank@db/tillgate',
    DATABASE_DIRECT_URL: 'postgres://other:own@db:5433/tillgate',
    DATABASE_REPLICA_URLS: 'postgres://bank@one/tillgate,postgres://reader:own@two/tillgate',
  });
  const [written, ...others] = [databaseUrl, databaseDirectUrl, ...(replicas?.urls ?? [])].map(
    url => new URL(url ?? ''),
  );
  expect([written?.host, decodeURIComponent(written?.password ?? '')]).toEqual(['db', DATABASE_PASSWORD]);
  expect(others.map(({ password }) => decodeURIComponent(password))).toEqual(['own', DATABASE_PASSWORD, 'own']);
  for (const DATABASE_URL of ['', 'postgres://bank:own@db/tillgate']) {
    expect(problemsOf({ DATABASE_PASSWORD: 'hunter2', DATABASE_URL })).toEqual([
      'DATABASE_PASSWORD is set, and DATABASE_URL is not, or has a password of its own. Set DATABASE_URL to the address without a password.',
    ]);
  }
});

const REPLICATED = 'postgres://bank@one,two:5433/bank?target_session_attrs=read-write';

test('an address may have several hosts, as libpq takes them, of which replicas are some', () => {
  const { databaseUrl, replicas } = readConfig({
    DATABASE_URL: REPLICATED,
    DATABASE_PASSWORD: 'a@b',
    DATABASE_REPLICA_URLS: 'postgres://bank@one/bank,postgres://bank@two:5433/bank',
  });
  expect(databaseUrl).toBe('postgres://bank:a%40b@one,two:5433/bank?target_session_attrs=read-write');
  expect(hostsOf(databaseUrl ?? '')).toEqual(['postgres://bank:a%40b@one/bank', 'postgres://bank:a%40b@two:5433/bank']);
  expect(replicas?.urls).toHaveLength(2);
});

test.each([
  ['postgres://bank@one,two/hunter2', 'has several hosts. Add target_session_attrs=read-write,'],
  [
    'postgres://bank@one,two/hunter2?target_session_attrs=any',
    'has several hosts. Add target_session_attrs=read-write,',
  ],
  ['postgres://bank@one/hunter2?target_session_attrs=standby', 'has a target_session_attrs with which nothing could'],
  ['postgres://bank@one,two:hunter2/bank?target_session_attrs=primary', 'must be a PostgreSQL address.'],
  [`postgres://${'hunter2,'.repeat(16)}two/bank?target_session_attrs=primary`, 'has more than 16 hosts.'],
])('the address %s is refused', (DATABASE_URL, problem) => {
  const problems = problemsOf({ DATABASE_URL });
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^DATABASE_URL ${problem}`))]);
  expect(problems.join()).not.toContain('hunter2');
});

test('an address for sessions of their own does not replace that of the database', () => {
  expect(problemsOf({ DATABASE_DIRECT_URL: 'postgres://bank:hunter2@db/tillgate' })).toEqual([
    'DATABASE_DIRECT_URL is set, and DATABASE_URL is not. Set DATABASE_URL as well, or unset both for the embedded database.',
  ]);
});

test.each([
  ['hunter2', 'must be PostgreSQL addresses, comma-separated, and address 1 is none.'],
  ['postgres://a@one/bank,mysql://hunter2@two/bank', 'and address 2 is none.'],
  ['postgres://a@one/bank,postgres://b@db:5432/bank', 'and address 2 is that of DATABASE_URL. Remove it.'],
  [
    'postgres://a@one/bank?target_session_attrs=standby',
    'has target_session_attrs in address 1, which is for DATABASE_URL',
  ],
  ['postgres://a@one/bank,postgres://a@two/bank,postgres://hunter2@one:5432/bank', 'address 1 and address 3.'],
])('replicas at %s are refused', (urls, problem) => {
  const problems = problemsOf({ DATABASE_URL: 'postgres://b@db/bank', DATABASE_REPLICA_URLS: urls });
  expect(problems).toEqual([expect.stringMatching(/^DATABASE_REPLICA_URLS /)]);
  expect(problems[0]).toContain(problem);
  expect(problems[0]).not.toContain('hunter2');
});

test('replicas need the address of their primary', () => {
  expect(problemsOf({ DATABASE_REPLICA_URLS: 'postgres://a@one/bank' })).toEqual([
    'DATABASE_REPLICA_URLS is set, and DATABASE_URL is not. Set the address of their primary in DATABASE_URL.',
  ]);
});

test('all bad settings are named at once, one a line, without their values', () => {
  const env = {
    HOST: 'bad host!hunter2',
    PORT: '65536',
    WORKERS: 'hunter2',
    DATABASE_DIRECT_URL: 'hunter2',
    DATABASE_URL: 'mysql://root:hunter2@db',
    POOL_SIZE: '0',
    DEMO_DATA: 'hunter2',
    SANDBOX: 'hunter2',
    AUTH_JWKS_URL: 'http://hunter2.example/keys',
    FIELD_KEYS: 'k1:hunter2',
    CARDS_PREFIX: 'hunter2/x',
    IDEMPOTENCY_TTL_DAYS: '1.5',
    LOG_LEVEL: 'hunter2',
    LOG_CLIENT_ADDRESS: 'hunter2',
    TLS_CERT: '/hunter2',
    TRUSTED_PROXIES: '10.0.0.1,hunter2',
    CORS_ORIGINS: 'https://hunter2.example/path',
    SHUTDOWN_GRACE_MS: '60001',
    RATE_LIMIT_PER_SECOND: '0',
    RATE_LIMIT_BURST: '999',
    RATE_LIMIT_STORE: 'hunter2',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '0',
    OVERLOAD_MAX_WAITING: '0',
    OVERLOAD_MAX_DELAY_MS: '9',
    METRICS_TOKEN: 'hunter2',
    WEBHOOKS: 'hunter2',
    WEBHOOK_ALLOW_LOOPBACK: 'hunter2',
    WEBHOOK_ALLOW_NETS: '10.0.0.0/8,hunter2',
    WEBHOOK_PROXY_URL: 'socks5://hunter2',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'hunter2',
    OTEL_RESOURCE_ATTRIBUTES: 'hunter2',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
  };
  const problems = problemsOf(env);
  const named = problems.map(problem => problem.slice(0, problem.indexOf(' ')));
  expect(named.toSorted()).toEqual(
    [...Object.keys(env), 'AUTH_ISSUER', 'AUTH_AUDIENCE', 'TLS_KEY'].filter(name => name !== 'TLS_CERT').toSorted(),
  );
  expect(problems.join('\n')).not.toContain('hunter2');
  expect(() => readConfig(env)).toThrow(problems.join('\n'));
});

test.each(['0', '65', '-1', '1.5', 'AUTO', 'all', '2 3'])('workers of %s are refused', WORKERS => {
  expect(problemsOf({ WORKERS })).toEqual([
    'WORKERS must be auto or a whole number from 1 to 64. Set auto for one process a CPU, or unset it for 1.',
  ]);
});

test('auto is one worker for each CPU that the process may use', () => {
  expect(readConfig({ WORKERS: 'auto' }).workers).toBe(Math.min(64, availableParallelism()));
  expect(readConfig({ WORKERS: '64' }).workers).toBe(64);
  expect(readConfig({ WORKERS: ' ' }).workers).toBe(1);
});

test.each(['-1', '4e3', '0x10', '4000.5', 'http'])('a port of %s is refused', PORT => {
  expect(problemsOf({ PORT })).toEqual([expect.stringMatching(/^PORT must /)]);
});

test.each(['.', '..', 'a/b', 'ä', 'x'.repeat(65)])('cards cannot live under %s', CARDS_PREFIX => {
  expect(problemsOf({ CARDS_PREFIX })).toEqual([expect.stringMatching(/^CARDS_PREFIX must /)]);
});

test.each(['http://localhost:9000/keys', 'http://127.0.0.1/keys', 'http://[::1]:1/keys', 'https://login.example/keys'])(
  'keys may come from %s',
  AUTH_JWKS_URL => {
    expect(problemsOf({ AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a', AUTH_JWKS_URL })).toEqual([]);
  },
);

test.each([
  'http://login.example/keys',
  'http://localhost.example/keys',
  'http://127.0.0.1.example/keys',
  'ftp://localhost/keys',
  'keys',
  'https://u:p@login.example/keys',
])('keys may not come from %s', AUTH_JWKS_URL => {
  expect(problemsOf({ AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a', AUTH_JWKS_URL })).toEqual([
    expect.stringMatching(/^AUTH_JWKS_URL must /),
  ]);
});

const INTROSPECTING = {
  AUTH_INTROSPECTION_URL: 'https://login.bank.example/introspect',
  AUTH_INTROSPECTION_CLIENT_ID: 'tillgate',
  AUTH_INTROSPECTION_CLIENT_SECRET: 'hunter2',
};
const ISSUER = { AUTH_ISSUER: 'i', AUTH_AUDIENCE: 'a', AUTH_JWKS_URL: 'https://i/k' };

test.each<[string, Record<string, string>]>([
  ['AUTH_TOKEN_TYPES', { AUTH_TOKEN_TYPES: 'JWT,hunter2' }],
  ['AUTH_TOKEN_TYPES', { AUTH_TOKEN_TYPES: 'constructor' }],
  ['AUTH_TOKEN_TYPES', { AUTH_TOKEN_TYPES: 'none' }],
  ['AUTH_AUDIENCE', { AUTH_AUDIENCE: 'hunter2,' }],
  ['AUTH_AUDIENCE', { AUTH_AUDIENCE: 'h'.repeat(256) }],
  ['AUTH_PROGRAM_CLAIM', { AUTH_PROGRAM_CLAIM: 'a,,b' }],
  ['AUTH_PROGRAM_CLAIM', { AUTH_PROGRAM_CLAIM: '/' }],
  ['AUTH_CLIENT_CLAIM', { AUTH_CLIENT_CLAIM: '/a//b' }],
  ['AUTH_SUBJECT_CLAIM', { AUTH_SUBJECT_CLAIM: '/a~2' }],
  ['AUTH_PERSON_CLAIM', { AUTH_PERSON_CLAIM: 'hunter 2' }],
  ['AUTH_CUSTOMER_CLAIM', { AUTH_CUSTOMER_CLAIM: 'hunter 2' }],
  ['AUTH_SCOPE_CLAIM', { AUTH_SCOPE_CLAIM: 'h'.repeat(256) }],
  ['AUTH_SCOPE_CLAIM', { AUTH_SCOPE_CLAIM: 'a,b,c,d,e,f,g,h,i' }],
  ['AUTH_SCOPE_CLAIM', { AUTH_SCOPE_CLAIM: '/a/b/c/d/e/f/g/h/i' }],
  ['AUTH_SCOPE_PREFIX', { AUTH_SCOPE_PREFIX: 'hunter 2' }],
  ['AUTH_CLIENT_PROGRAMS', { AUTH_CLIENT_PROGRAMS: 'hunter2=acme', AUTH_PROGRAM_WIDE_CLIENTS: 'none' }],
  ['AUTH_CLIENT_PROGRAMS', { AUTH_CLIENT_PROGRAMS: '["hunter2"]', AUTH_PROGRAM_WIDE_CLIENTS: 'none' }],
  ['AUTH_CLIENT_PROGRAMS', { AUTH_CLIENT_PROGRAMS: '{"hunter2":"a b"}', AUTH_PROGRAM_WIDE_CLIENTS: 'none' }],
  ['AUTH_CLIENT_PROGRAMS', { AUTH_CLIENT_PROGRAMS: '{"hunter2":7}', AUTH_PROGRAM_WIDE_CLIENTS: 'none' }],
  ['AUTH_CLIENT_PROGRAMS', { AUTH_CLIENT_PROGRAMS: '{"c":"a","c":"hunter2"}', AUTH_PROGRAM_WIDE_CLIENTS: 'none' }],
  ['AUTH_PROGRAM_WIDE_CLIENTS', { AUTH_PROGRAM_WIDE_CLIENTS: 'hunter2,,b' }],
  ['AUTH_PROGRAM_WIDE_CLIENTS', { AUTH_CLIENT_PROGRAMS: '{"hunter2":"acme"}' }],
  ['AUTH_SCOPE_PREFIX', { AUTH_AUDIENCE_CLAIM: 'client_id' }],
  ['AUTH_AUDIENCE_CLAIM', { AUTH_AUDIENCE_CLAIM: 'azp,iss', AUTH_SCOPE_PREFIX: 'hunter2/' }],
  ['AUTH_SENDER_CONSTRAINED', { AUTH_SENDER_CONSTRAINED: 'hunter2' }],
  ['AUTH_DPOP_NONCE', { AUTH_DPOP_NONCE: 'true' }],
  ['AUTH_CLIENT_CERTIFICATE', { AUTH_SENDER_CONSTRAINED: 'accept', AUTH_CLIENT_CERTIFICATE: 'tls' }],
  ['AUTH_CLIENT_CERTIFICATE', { AUTH_SENDER_CONSTRAINED: 'require', AUTH_CLIENT_CERTIFICATE: 'proxy' }],
  ['PUBLIC_URL', { ...production(), AUTH_SENDER_CONSTRAINED: 'accept' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://hunter2.example/path' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'http://hunter2.example' }],
  ['AUTH_INTROSPECTION_URL', { ...INTROSPECTING, AUTH_INTROSPECTION_URL: 'http://hunter2.example/introspect' }],
  ['AUTH_INTROSPECTION_CLIENT_SECRET', { ...INTROSPECTING, AUTH_INTROSPECTION_CLIENT_SECRET: '' }],
  ['AUTH_INTROSPECTION_CACHE_SECONDS', { ...INTROSPECTING, AUTH_INTROSPECTION_CACHE_SECONDS: '31' }],
])('%s is refused by name, and its value is not repeated, in %j', (name, settings) => {
  const problems = problemsOf({ ...ISSUER, ...settings });
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  expect(problems.join()).not.toContain('hunter2');
});

test('what tokens look like is nothing to say of the development issuer', () => {
  const names = ['AUTH_TOKEN_TYPES', 'AUTH_SCOPE_CLAIM', 'AUTH_CLIENT_PROGRAMS', 'AUTH_PROGRAM_WIDE_CLIENTS'];
  const problems = problemsOf(Object.fromEntries(names.map(name => [name, 'hunter2'])));
  expect(problems).toEqual(names.map(name => expect.stringMatching(`^${name} is set, but AUTH_ISSUER is not`)));
});

test('production refuses every convenience of development at once', () => {
  const problems = problemsOf({ NODE_ENV: 'production', DEMO_DATA: 'true', SANDBOX: 'true' });
  expect(problems.join('\n')).toMatch(
    /DATABASE_URL.*embedded database[^]*FIELD_KEYS.*generated keys[^]*SANDBOX[^]*DEMO_DATA[^]*AUTH_ISSUER.*development issuer/,
  );
  expect(problems).toHaveLength(5);
  expect(problemsOf(production())).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ['CONSOLE', { CONSOLE: 'hunter2' }],
  ['CONSOLE_OIDC_ISSUER', { CONSOLE_OIDC_ISSUER: '' }],
  ['CONSOLE_OIDC_CLIENT_SECRET', { CONSOLE_OIDC_CLIENT_SECRET: ' ' }],
  ['CONSOLE_OIDC_ISSUER', { CONSOLE_OIDC_ISSUER: 'http://hunter2.example' }],
  ['CONSOLE_OIDC_ISSUER', { CONSOLE_OIDC_ISSUER: 'https://user:hunter2@login.bank.example' }],
  ['CONSOLE_URL', { CONSOLE_URL: 'http://hunter2.example/console' }],
  ['CONSOLE_URL', { CONSOLE_URL: 'https://hunter2.example' }],
  ['CONSOLE_URL', { CONSOLE_URL: 'https://hunter2.example/console/?a=b' }],
  ['CONSOLE_ROLES_CLAIM', { CONSOLE_ROLES_CLAIM: '/hunter2//b' }],
])('%s of the console is refused by name, and its value is not repeated, in %j', (name, settings) => {
  const problems = problemsOf({ ...CONSOLE, ...settings });
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  expect(problems.join()).not.toContain('hunter2');
});

test('claims of people are nothing to say without a provider, which may be on this machine', () => {
  expect(problemsOf({ CONSOLE_ROLES_CLAIM: 'groups' })).toEqual([expect.stringMatching(/^CONSOLE_ROLES_CLAIM is set/)]);
  const here = { CONSOLE_OIDC_ISSUER: 'http://localhost:9000', CONSOLE_URL: 'http://127.0.0.1:4000/console' };
  expect(problemsOf({ ...CONSOLE, ...here })).toEqual([]);
});

describe('usage reports to Apollo', () => {
  test('need the key and the graph', () => {
    const apollo = { key: 'service:bank:key', graphRef: 'bank@current' };
    expect(readConfig({ APOLLO_KEY: apollo.key, APOLLO_GRAPH_REF: apollo.graphRef }).graphql.apollo).toEqual(apollo);
    expect(problemsOf({ APOLLO_KEY: apollo.key })).toEqual([
      expect.stringMatching(/^APOLLO_KEY is set, and APOLLO_GRAPH_REF is not/),
    ]);
    expect(problemsOf({ APOLLO_GRAPH_REF: 'bank@current' })).toEqual([
      expect.stringMatching(/^APOLLO_GRAPH_REF is set, and APOLLO_KEY is not/),
    ]);
  });
});

describe('the settings of an added noun', () => {
  const group = {
    heading: 'Nicknames',
    settings: {
      NICKNAMES_MAX: { number: 3, range: [1, 10], about: 'The most nicknames of an account.' },
      NICKNAMES_KEY: { text: null, about: 'The key of a register of nicknames.', isSecret: true },
      NICKNAMES_OPEN: { flag: isProduction => !isProduction, about: 'Shows nicknames to everybody.' },
    },
  } as const satisfies SettingGroup;
  const read = (env: NodeJS.ProcessEnv) => nounSettings([{ settings: group }, {}], readBankConfig(env)).read(group);

  test('are read as those of the gateway are', () => {
    expect(read({})).toEqual({ NICKNAMES_MAX: 3, NICKNAMES_KEY: null, NICKNAMES_OPEN: true });
    const env = { ...production(), NICKNAMES_MAX: '7', NICKNAMES_KEY: 'a key', NICKNAMES_OPEN: 'true' };
    expect(read(env)).toEqual({ NICKNAMES_MAX: 7, NICKNAMES_KEY: 'a key', NICKNAMES_OPEN: true });
    expect(read(production()).NICKNAMES_OPEN).toBe(false);
  });

  test('are refused together by name, without their values', () => {
    expect(problemsOf({ NICKNAMES_MAX: 'hunter2', NICKNAMES_OPEN: 'hunter2' }, read)).toEqual([
      'NICKNAMES_MAX must be a whole number from 1 to 10. Set such a number, or unset it for 3.',
      'NICKNAMES_OPEN must be one of true, false. Set one of these, or unset it.',
    ]);
  });

  test('are kept from the command that unwraps keys', async () => {
    const config = readBankConfig({ FIELD_KEYS: KeyRing.generate(), KEY_COMMAND: 'cat; test -z "$NICKNAMES_KEY"' });
    const environment = { NICKNAMES_KEY: 'a key' };
    await expect(openKeys({ ...config, environment }, [group])).resolves.toBeDefined();
    await expect(openKeys({ ...config, environment }, [])).rejects.toThrow(/^KEY_COMMAND ended with status 1/);
  });
});

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileOf = (text: string) => {
    const file = join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };

  test('is what the file says, without the end of its line', () => {
    const keys = KeyRing.generate();
    const { FIELD_KEYS: _, ...others } = production();
    expect(readConfig({ ...others, FIELD_KEYS_FILE: fileOf(`${keys}\n`) }).fieldKeys).toBe(keys);
  });

  test.each([
    [
      'a file that there is not',
      { METRICS_TOKEN_FILE: '/nowhere/SECRET' },
      'METRICS_TOKEN_FILE names a file that cannot be read.',
    ],
    ['both', { POOL_SIZE: '5', POOL_SIZE_FILE: '/nowhere/SECRET' }, 'POOL_SIZE_FILE is set, and POOL_SIZE as well.'],
  ])('is refused by name for %s', (_what, env, message) => {
    const problems = problemsOf(env);
    expect(problems[0]).toContain(message);
    expect(problems.join()).not.toContain('SECRET');
  });

  test('that is wrong is named as ever, without its value', () => {
    expect(problemsOf({ METRICS_TOKEN_FILE: fileOf('hunter2') })).toEqual([
      expect.stringMatching(/^METRICS_TOKEN must be/),
    ]);
  });
});
