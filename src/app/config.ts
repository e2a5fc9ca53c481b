import { resolve } from 'node:path';
import { readConsoleSettings, type ConsoleSettings } from '../console/console.settings.js';
import { readAuthSettings, type AuthSettings } from '../platform/auth/settings.js';
import type { KeyCommand } from '../platform/crypto/key-command.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { readReplicaSettings } from '../platform/database/replica-settings.js';
import type { ReplicaSettings } from '../platform/database/replicas.js';
import { readGraphqlSettings, type GraphqlSettings } from '../platform/graphql/settings.js';
import { readTracing, type TracingConfig } from '../platform/tracing/settings.js';
import { readWebhookSettings, type WebhookSettings } from '../webhook/webhook.settings.js';
import { BadSettings, Settings } from './settings.js';
import { readWorkers } from './workers/settings.js';
import { readHttpSettings, type HttpSettings } from './http-settings.js';

export { BadSettings } from './settings.js';

/** Everything that can be set from outside, read once at the start. */
export interface Config extends HttpSettings {
  host: string;
  /** 0 lets the system pick a free port. */
  port: number;
  /** How many processes serve behind the port. With 1 the process serves itself. */
  workers: number;
  /** null: the gateway runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Where connections have sessions of their own, if `databaseUrl` goes through a pooler. null: at `databaseUrl`. */
  databaseDirectUrl: string | null;
  poolSize: number;
  /** null: every read goes to the primary. */
  replicas: ReplicaSettings | null;
  /** Absolute path. */
  dataDir: string;
  demoData: boolean;
  /** Whether things can be made to happen by request. Never in production. */
  sandbox: boolean;
  /** null: the gateway is its own development issuer. */
  auth: AuthSettings | null;
  /** Text for `KeyRing.parse`, or for `keyCommand`; null: development keys are kept in `dataDir`. */
  fieldKeys: string | null;
  /** The keys of cards, as `fieldKeys`; null: these seal cards too. */
  cardKeys: string | null;
  /** What unwraps the keys; null: they are not wrapped. */
  keyCommand: KeyCommand | null;
  /** The first segment of the paths of cards. */
  cardsPrefix: string;
  idempotencyTtlDays: number;
  /** Whether each month is closed on its own. */
  closeMonthly: boolean;
  graphql: GraphqlSettings;
  logLevel: LogLevel;
  /** Whether log lines tell the addresses of clients. */
  logClientAddress: boolean;
  /** The token that opens `/metrics`. Without one, `/metrics` is shown on this machine in development only. */
  metricsToken: string | null;
  /** Where traces are sent, and how many; null: nothing is traced. */
  tracing: TracingConfig | null;
  webhooks: WebhookSettings;
  /** null: the console is not served. */
  console: ConsoleSettings | null;
  production: boolean;
}

/** No other route begins with it. */
export const DEFAULT_CARDS_PREFIX = 'cards';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether metrics are kept: without a way to read them they would only cost time. */
export function keepsMetrics({ production, metricsToken }: Pick<Config, 'production' | 'metricsToken'>): boolean {
  return !production || metricsToken !== null;
}

/** In production the console needs a provider for its sign-in. */
export function hasConsole({ production, console }: Pick<Config, 'production' | 'console'>): boolean {
  return console !== null && (!production || console.provider !== null);
}

/**
 * Reads every setting; an empty one counts as not set. Throws `BadSettings`, which names all the bad ones at once, so
 * that nobody has to start the gateway again and again to find the next. What serves reads them by `readServedConfig`.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const settings = new Settings(env);
  const production = settings.text('NODE_ENV') === 'production';
  const databaseUrl = readDatabaseUrl(settings, 'DATABASE_URL');
  const config: Config = {
    host: readHost(settings),
    port: settings.wholeNumber('PORT', { fallback: 4000, least: 0, most: 65_535 }),
    workers: readWorkers(settings),
    databaseUrl,
    databaseDirectUrl: readDirectUrl(settings, databaseUrl),
    poolSize: settings.wholeNumber('POOL_SIZE', { fallback: 10, least: 1, most: 1000 }),
    replicas: readReplicaSettings(settings, databaseUrl),
    dataDir: resolve(settings.text('DATA_DIR') ?? '.data'),
    demoData: settings.choice('DEMO_DATA', ['true', 'false'], databaseUrl === null ? 'true' : 'false') === 'true',
    sandbox: settings.choice('SANDBOX', ['true', 'false'], production ? 'false' : 'true') === 'true',
    auth: readAuthSettings(settings),
    fieldKeys: readKeys(settings, 'FIELD_KEYS'),
    cardKeys: readKeys(settings, 'CARD_KEYS'),
    cardsPrefix: readCardsPrefix(settings),
    idempotencyTtlDays: settings.wholeNumber('IDEMPOTENCY_TTL_DAYS', { fallback: 30, least: 1, most: 3650 }),
    closeMonthly: settings.choice('STATEMENTS_MONTHLY', ['true', 'false'], 'false') === 'true',
    graphql: readGraphqlSettings(settings, production),
    logLevel: settings.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    logClientAddress: settings.choice('LOG_CLIENT_ADDRESS', ['true', 'false'], 'true') === 'true',
    metricsToken: readMetricsToken(settings),
    tracing: readTracing(settings),
    webhooks: readWebhookSettings(settings, production),
    console: readConsoleSettings(settings),
    production,
    ...readHttpSettings(settings, production),
    // The last one: its command gets what is no setting of the gateway.
    keyCommand: readKeyCommand(settings),
  };
  settings.removed(
    'PROGRAMS_FILE',
    'is no longer read, because programs are kept in the database. Unset it, and run tillgate programs set FILE once with this file.',
  );
  for (const name of ['CARD_KEYS', 'KEY_COMMAND']) {
    if (settings.text(name) !== null && config.fieldKeys === null) {
      settings.refuse(name, 'is set, and FIELD_KEYS is not. Set both, or unset it.');
    }
  }
  if (production) refuseDevelopmentSettings(settings);
  if (settings.problems.length > 0) throw new BadSettings(settings.problems);
  return config;
}

function readHost(settings: Settings): string {
  const host = settings.text('HOST') ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_%-]{1,253}$/.test(host)) {
    settings.refuse(
      'HOST',
      'must be a host name or an IP address. Set the address to listen on, such as 127.0.0.1, 0.0.0.0 or ::.',
    );
  }
  return host;
}

function readDatabaseUrl(settings: Settings, name: string): string | null {
  const text = settings.text(name);
  if (text !== null && !(/^postgres(ql)?:\/\//i.test(text) && URL.canParse(text))) {
    settings.refuse(
      name,
      'must be a PostgreSQL address. Set postgres://user:password@host:5432/database, with special characters percent-encoded.',
    );
  }
  return text;
}

function readDirectUrl(settings: Settings, databaseUrl: string | null): string | null {
  const url = readDatabaseUrl(settings, 'DATABASE_DIRECT_URL');
  if (url !== null && databaseUrl === null) {
    settings.refuse(
      'DATABASE_DIRECT_URL',
      'is set, and DATABASE_URL is not. Set DATABASE_URL as well, or unset both for the embedded database.',
    );
  }
  return url;
}

/** A key ring, or text that `KEY_COMMAND` turns into one. */
function readKeys(settings: Settings, name: 'FIELD_KEYS' | 'CARD_KEYS'): string | null {
  const text = settings.text(name);
  if (text === null || settings.text('KEY_COMMAND') !== null) return text;
  try {
    KeyRing.parse(text);
  } catch (error) {
    settings.refuse(name, `is not a valid key ring. ${error instanceof Error ? error.message : ''}`);
  }
  return text;
}

function readKeyCommand(settings: Settings): KeyCommand | null {
  const command = settings.text('KEY_COMMAND');
  return command === null ? null : { command, env: settings.others() };
}

function readCardsPrefix(settings: Settings): string {
  const prefix = settings.text('CARDS_PREFIX') ?? DEFAULT_CARDS_PREFIX;
  // Clients and proxies resolve `.` and `..` before they send a path, so a route under these could never be reached.
  if (!/^[A-Za-z0-9._~-]{1,64}$/.test(prefix) || prefix === '.' || prefix === '..') {
    settings.refuse(
      'CARDS_PREFIX',
      'must be one path segment of 1 to 64 letters, digits or . _ ~ -. Set such a segment, or unset it for cards.',
    );
  }
  return prefix;
}

function readMetricsToken(settings: Settings): string | null {
  const token = settings.text('METRICS_TOKEN');
  if (token !== null && !/^[A-Za-z0-9._~+/-]{16,256}=*$/.test(token)) {
    settings.refuse(
      'METRICS_TOKEN',
      'must be 16 to 256 letters, digits or . _ ~ + / -. Set such a token (openssl rand -hex 32), or unset it to serve no metrics in production.',
    );
  }
  return token;
}

/**
 * What makes the first minute easy (known client secrets, keys and data in one folder) would be a hole in production.
 */
function refuseDevelopmentSettings(settings: Settings): void {
  if (!['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'].some(name => settings.text(name))) {
    settings.refuse(
      'AUTH_ISSUER, AUTH_AUDIENCE, AUTH_JWKS_URL',
      'are not set, and the development issuer is refused in production. Set those of your issuer.',
    );
  }
  if (settings.text('DATABASE_URL') === null) {
    settings.refuse(
      'DATABASE_URL',
      'is not set, and the embedded database is refused in production. Set the address of a PostgreSQL server.',
    );
  }
  if (settings.text('FIELD_KEYS') === null) {
    settings.refuse(
      'FIELD_KEYS',
      'is not set, and generated keys are refused in production. Set a key ring, such as k1:<base64 of 32 random bytes>.',
    );
  }
  if (settings.text('DEMO_DATA') === 'true') {
    settings.refuse('DEMO_DATA', 'is true, and demo data is refused in production. Unset it.');
  }
  if (settings.text('SANDBOX') === 'true') {
    settings.refuse('SANDBOX', 'is true, and the sandbox is refused in production. Unset it.');
  }
}
