import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readConsoleSettings, type ConsoleSettings } from '../bank/session/console.settings.js';
import { readAuthSettings, type AuthSettings } from '../platform/auth/settings.js';
import type { KeyCommand } from '../platform/crypto/key-command.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { addressProblem, hasPassword, withPassword } from '../platform/database/address.js';
import { readReplicaSettings } from '../platform/database/replica-settings.js';
import type { ReplicaSettings } from '../platform/database/replicas.js';
import { readGraphqlSettings, type GraphqlSettings } from '../platform/graphql/settings.js';
import { readTracing, type TracingConfig } from '../platform/tracing/settings.js';
import { readWebhookSettings, type WebhookSettings } from '../../packages/webhooks/src/webhook.settings.js';
import { BadSettings, Settings } from './settings.js';
import { readWorkers } from './workers/settings.js';
import { readHttpSettings, type HttpSettings } from './http-settings.js';

export { BadSettings } from './settings.js';

/** What a command needs that works on the tables alone, such as `migrate`. */
export interface DatabaseConfig {
  /** null: the gateway runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Where connections have sessions of their own, if `databaseUrl` goes through a pooler. null: at `databaseUrl`. */
  databaseDirectUrl: string | null;
  poolSize: number;
  /** Absolute path. */
  dataDir: string;
  production: boolean;
  /** The modules that add nouns to those of the bank: their URLs, and names of packages. */
  nounModules: readonly string[];
}

/** What a command needs that works on the records of the bank, such as `import`. */
export interface BankConfig extends DatabaseConfig {
  /** Whether things can be made to happen by request. Never in production. */
  sandbox: boolean;
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
  /** Searches by name or last four digits, of one subject. */
  searchesPerHour: number;
  webhooks: WebhookSettings;
}

/** Everything that can be set from outside, read once at the start. */
export interface Config extends BankConfig, HttpSettings {
  host: string;
  /** 0 lets the system pick a free port. */
  port: number;
  /** How many processes serve behind the port. With 1 the process serves itself. */
  workers: number;
  /** null: every read goes to the primary. */
  replicas: ReplicaSettings | null;
  demoData: boolean;
  /** null: the gateway is its own development issuer. */
  auth: AuthSettings | null;
  graphql: GraphqlSettings;
  logLevel: LogLevel;
  /** Whether log lines tell the addresses of clients. */
  logClientAddress: boolean;
  /** The token that opens `/metrics`. Without one, `/metrics` is shown on this machine in development only. */
  metricsToken: string | null;
  /** Where traces are sent, and how many; null: nothing is traced. */
  tracing: TracingConfig | null;
  /** null: the console is not served. */
  console: ConsoleSettings | null;
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
  const bank = bankOf(settings);
  const serving = servingOf(settings, bank);
  // The last one: its command gets what is no setting of the gateway.
  return checked(settings, { ...bank, ...serving, keyCommand: keyCommandOf(settings) });
}

/** Reads the settings of commands that work on the records of the bank. Throws `BadSettings`. */
export function readBankConfig(env: NodeJS.ProcessEnv): BankConfig {
  const settings = new Settings(env);
  const bank = checked(settings, bankOf(settings));
  // Those of a gateway that serves are read for their names alone: the command that unwraps keys gets none of them.
  servingOf(settings, bank);
  return { ...bank, keyCommand: keyCommandOf(settings) };
}

/** Reads the settings of commands that work on the tables. Throws `BadSettings`. */
export function readDatabaseConfig(env: NodeJS.ProcessEnv): DatabaseConfig {
  const settings = new Settings(env);
  return checked(settings, databaseOf(settings));
}

/** Reads the settings of the development issuer. Throws `BadSettings`. */
export function readIssuerConfig(env: NodeJS.ProcessEnv): Pick<Config, 'auth' | 'dataDir'> {
  const settings = new Settings(env);
  return checked(settings, { auth: issuerOf(settings, isProduction(settings)), dataDir: dataDirOf(settings) });
}

function checked<Read>(settings: Settings, read: Read): Read {
  if (settings.problems.length > 0) throw new BadSettings(settings.problems);
  return read;
}

function databaseOf(settings: Settings): DatabaseConfig {
  const production = isProduction(settings);
  const databaseUrl = readDatabaseUrl(settings, 'DATABASE_URL');
  if (production && databaseUrl === null) {
    settings.refuse(
      'DATABASE_URL',
      'is not set, and the embedded database is refused in production. Set the address of a PostgreSQL server.',
    );
  }
  const address = settings.text('DATABASE_URL');
  if (settings.text('DATABASE_PASSWORD') !== null && (address === null || hasPassword(address))) {
    settings.refuse(
      'DATABASE_PASSWORD',
      'is set, and DATABASE_URL is not, or has a password of its own. Set DATABASE_URL to the address without a password.',
    );
  }
  return {
    databaseUrl,
    databaseDirectUrl: readDirectUrl(settings, databaseUrl),
    poolSize: settings.wholeNumber('POOL_SIZE', { fallback: 10, least: 1, most: 1000 }),
    dataDir: dataDirOf(settings),
    production,
    nounModules: nounModulesIn(settings.text('NOUNS') ?? ''),
  };
}

function bankOf(settings: Settings): Omit<BankConfig, 'keyCommand'> {
  const database = databaseOf(settings);
  const { production } = database;
  const bank = {
    ...database,
    sandbox: settings.choice('SANDBOX', ['true', 'false'], production ? 'false' : 'true') === 'true',
    fieldKeys: readKeys(settings, 'FIELD_KEYS'),
    cardKeys: readKeys(settings, 'CARD_KEYS'),
    cardsPrefix: readCardsPrefix(settings),
    idempotencyTtlDays: settings.wholeNumber('IDEMPOTENCY_TTL_DAYS', { fallback: 30, least: 1, most: 3650 }),
    closeMonthly: settings.choice('STATEMENTS_MONTHLY', ['true', 'false'], 'false') === 'true',
    searchesPerHour: settings.wholeNumber('SEARCH_LIMIT_PER_HOUR', { fallback: 300, least: 1, most: 1_000_000 }),
    webhooks: readWebhookSettings(settings, production),
  };
  for (const name of ['CARD_KEYS', 'KEY_COMMAND']) {
    if (settings.text(name) !== null && bank.fieldKeys === null) {
      settings.refuse(name, 'is set, and FIELD_KEYS is not. Set both, or unset it.');
    }
  }
  if (production && settings.text('FIELD_KEYS') === null) {
    settings.refuse(
      'FIELD_KEYS',
      'is not set, and generated keys are refused in production. Set a key ring, such as k1:<base64 of 32 random bytes>.',
    );
  }
  if (production && settings.text('SANDBOX') === 'true') {
    settings.refuse('SANDBOX', 'is true, and the sandbox is refused in production. Unset it.');
  }
  return bank;
}

/** What a gateway needs to serve, beside the records of the bank. */
function servingOf(
  settings: Settings,
  { production, databaseUrl }: Pick<DatabaseConfig, 'production' | 'databaseUrl'>,
): Omit<Config, keyof BankConfig> {
  if (production && settings.text('DEMO_DATA') === 'true') {
    settings.refuse('DEMO_DATA', 'is true, and demo data is refused in production. Unset it.');
  }
  return {
    host: readHost(settings),
    port: settings.wholeNumber('PORT', { fallback: 4000, least: 0, most: 65_535 }),
    workers: readWorkers(settings),
    replicas: readReplicaSettings(settings, databaseUrl),
    demoData: settings.choice('DEMO_DATA', ['true', 'false'], databaseUrl === null ? 'true' : 'false') === 'true',
    auth: issuerOf(settings, production),
    graphql: readGraphqlSettings(settings, production),
    logLevel: settings.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    logClientAddress: settings.choice('LOG_CLIENT_ADDRESS', ['true', 'false'], 'true') === 'true',
    metricsToken: readMetricsToken(settings),
    tracing: readTracing(settings),
    console: readConsoleSettings(settings),
    ...readHttpSettings(settings, production),
  };
}

/**
 * What makes the first minute easy (known client secrets, keys and data in one folder) would be a hole in production,
 * and is refused there.
 */
function isProduction(settings: Settings): boolean {
  return settings.text('NODE_ENV') === 'production';
}

function dataDirOf(settings: Settings): string {
  return resolve(settings.text('DATA_DIR') ?? '.data');
}

/** Paths and names of packages, separated by commas. A path begins with a dot or a slash. */
function nounModulesIn(list: string): string[] {
  const names = list.split(',').map(name => name.trim());
  return names.filter(Boolean).map(name => (/^[./]/.test(name) ? pathToFileURL(resolve(name)).href : name));
}

function issuerOf(settings: Settings, production: boolean): AuthSettings | null {
  if (production && !['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'].some(name => settings.text(name))) {
    settings.refuse(
      'AUTH_ISSUER, AUTH_AUDIENCE, AUTH_JWKS_URL',
      'are not set, and the development issuer is refused in production. Set those of your issuer.',
    );
  }
  return readAuthSettings(settings);
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

/** With the password of `DATABASE_PASSWORD`, where it has none. */
function readDatabaseUrl(settings: Settings, name: string): string | null {
  const text = settings.text(name);
  const problem = text && addressProblem(text);
  if (problem) settings.refuse(name, problem);
  const password = settings.text('DATABASE_PASSWORD');
  return text && password ? withPassword(text, password) : text;
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

function keyCommandOf(settings: Settings): KeyCommand | null {
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
