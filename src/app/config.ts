import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONSOLE_SETTINGS, readConsoleSettings, type ConsoleSettings } from '../bank/session/console.settings.js';
import { INTROSPECTION_SETTINGS } from '../platform/auth/introspection-settings.js';
import { POSSESSION_SETTINGS } from '../platform/auth/possession-settings.js';
import { ISSUER_SETTINGS, PROFILE_SETTINGS, readAuthSettings, type AuthSettings } from '../platform/auth/settings.js';
import { KEY_SETTINGS, readKeySettings, type KeySettings } from '../platform/crypto/settings.js';
import type { ReplicaSettings } from '../platform/database/replicas.js';
import {
  DATABASE_SETTINGS,
  readDatabaseSettings,
  readReplicaSettings,
  REPLICA_SETTINGS,
  type DatabaseAddresses,
} from '../platform/database/settings.js';
import { GRAPHQL_SETTINGS, readGraphqlSettings, type GraphqlSettings } from '../platform/graphql/settings.js';
import { withoutSettings, type SettingGroup, type SettingValues } from '../platform/settings/setting.js';
import { Settings } from '../platform/settings/settings.js';
import { readTracing, TRACING_SETTINGS, type TracingConfig } from '../platform/tracing/settings.js';
import {
  readWebhookSettings,
  WEBHOOK_SETTINGS,
  type WebhookSettings,
} from '../../packages/webhooks/src/webhook.settings.js';
import {
  BANK_SETTINGS,
  DEMO_SETTINGS,
  FOLDER_SETTINGS,
  LOG_SETTINGS,
  MODE_SETTINGS,
  SANDBOX_SETTINGS,
} from './bank-settings.js';
import { ADDRESS_SETTINGS, RATE_SETTINGS, readHttpSettings, type HttpSettings } from './http-settings.js';

/** The configuration of a command that works on the tables alone, such as `migrate`. */
export interface DatabaseConfig extends DatabaseAddresses {
  /** Absolute path. */
  readonly dataDir: string;
  readonly production: boolean;
  /** The modules that add nouns to those of the bank: their URLs, and names of packages. */
  readonly nounModules: readonly string[];
}

/** The configuration of a command that works on the records of the bank, such as `import`. */
export interface BankConfig extends DatabaseConfig, KeySettings {
  /** True if things can be made to happen by request. Never in production. */
  readonly sandbox: boolean;
  /** The first segment of the paths of cards. */
  readonly cardsPrefix: string;
  readonly idempotencyTtlDays: number;
  /** True if each month is closed on its own. */
  readonly closeMonthly: boolean;
  /** Searches by name or last four digits, of one subject. */
  readonly searchesPerHour: number;
  readonly webhooks: WebhookSettings;
  /** The environment without the settings of the gateway: for `keyCommand`, and for the settings of added nouns. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Everything that can be set from outside, read once at the start. */
export interface Config extends BankConfig, HttpSettings {
  /** null: every read goes to the primary. */
  readonly replicas: ReplicaSettings | null;
  readonly demoData: boolean;
  /** null: the gateway is its own development issuer. */
  readonly auth: AuthSettings | null;
  readonly graphql: GraphqlSettings;
  readonly logLevel: LogLevel;
  /** True if log lines tell the addresses of clients. */
  readonly logClientAddress: boolean;
  /** The token that opens `/metrics`. Without one, `/metrics` is shown on this machine in development only. */
  readonly metricsToken: string | null;
  /** Where traces are sent, and how many; null: nothing is traced. */
  readonly tracing: TracingConfig | null;
  /** null: the console is not served. */
  readonly console: ConsoleSettings | null;
}

/** All settings of the gateway, in the order of the docs. */
export const GATEWAY_SETTINGS: readonly SettingGroup[] = [
  MODE_SETTINGS,
  DEMO_SETTINGS,
  SANDBOX_SETTINGS,
  ADDRESS_SETTINGS,
  RATE_SETTINGS,
  DATABASE_SETTINGS,
  REPLICA_SETTINGS,
  FOLDER_SETTINGS,
  KEY_SETTINGS,
  ISSUER_SETTINGS,
  PROFILE_SETTINGS,
  POSSESSION_SETTINGS,
  INTROSPECTION_SETTINGS,
  CONSOLE_SETTINGS,
  BANK_SETTINGS,
  WEBHOOK_SETTINGS,
  GRAPHQL_SETTINGS,
  LOG_SETTINGS,
  TRACING_SETTINGS,
];

/** The first segment of the paths of cards by default. No other route begins with it. */
export const DEFAULT_CARDS_PREFIX = BANK_SETTINGS.settings.CARDS_PREFIX.text;

/** The level of the log. */
export type LogLevel = SettingValues<typeof LOG_SETTINGS>['LOG_LEVEL'];

/** True if metrics are kept. Without a way to read them they would only cost time. */
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
  const bank = bankOf(settings, env);
  return settings.checked({ ...bank, ...servingOf(settings, bank) });
}

/** Reads the settings of commands that work on the records of the bank. Throws `BadSettings`. */
export function readBankConfig(env: NodeJS.ProcessEnv): BankConfig {
  const settings = new Settings(env);
  return settings.checked(bankOf(settings, env));
}

/** Reads the settings of commands that work on the tables. Throws `BadSettings`. */
export function readDatabaseConfig(env: NodeJS.ProcessEnv): DatabaseConfig {
  const settings = new Settings(env);
  return settings.checked(databaseOf(settings));
}

/** Reads the settings of the development issuer. Throws `BadSettings`. */
export function readIssuerConfig(env: NodeJS.ProcessEnv): Pick<Config, 'auth' | 'dataDir'> {
  const settings = new Settings(env);
  const { DATA_DIR: dataDir } = settings.read(FOLDER_SETTINGS);
  return settings.checked({ auth: readAuthSettings(settings), dataDir: resolve(dataDir) });
}

function databaseOf(settings: Settings): DatabaseConfig {
  const { DATA_DIR: dataDir, NOUNS: modules } = settings.read(FOLDER_SETTINGS);
  return {
    ...readDatabaseSettings(settings),
    dataDir: resolve(dataDir),
    production: settings.production,
    nounModules: modules.map(name => (/^[./]/.test(name) ? pathToFileURL(resolve(name)).href : name)),
  };
}

function bankOf(settings: Settings, env: NodeJS.ProcessEnv): BankConfig {
  const database = databaseOf(settings);
  const keys = readKeySettings(settings);
  const { SANDBOX: sandbox } = settings.read(SANDBOX_SETTINGS);
  const bank = settings.read(BANK_SETTINGS);
  return {
    ...database,
    ...keys,
    sandbox,
    cardsPrefix: bank.CARDS_PREFIX,
    idempotencyTtlDays: bank.IDEMPOTENCY_TTL_DAYS,
    closeMonthly: bank.STATEMENTS_MONTHLY,
    searchesPerHour: bank.SEARCH_LIMIT_PER_HOUR,
    webhooks: readWebhookSettings(settings),
    environment: withoutSettings(env, GATEWAY_SETTINGS),
  };
}

/** The settings that a gateway needs to serve, beside those of the bank. */
function servingOf(
  settings: Settings,
  { databaseUrl }: Pick<DatabaseConfig, 'databaseUrl'>,
): Omit<Config, keyof BankConfig> {
  const { DEMO_DATA: demoData } = settings.read(DEMO_SETTINGS);
  const log = settings.read(LOG_SETTINGS);
  const auth = readAuthSettings(settings);
  return {
    demoData: demoData ?? databaseUrl === null,
    replicas: readReplicaSettings(settings),
    auth,
    graphql: readGraphqlSettings(settings),
    logLevel: log.LOG_LEVEL,
    logClientAddress: log.LOG_CLIENT_ADDRESS,
    metricsToken: log.METRICS_TOKEN,
    tracing: readTracing(settings),
    console: readConsoleSettings(settings, auth?.profile?.person ?? null),
    ...readHttpSettings(settings),
  };
}
