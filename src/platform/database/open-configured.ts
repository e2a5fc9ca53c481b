import type { EntityClass } from '@mikro-orm/core';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { addressesOf, checkServer, type ConfiguredServer } from './check-server.js';
import { openDatabase, type Database } from './orm.js';

/** The embedded server's database. */
const EMBEDDED_DATABASE = 'tillgate';

export interface ConfiguredDatabase extends ConfiguredServer {
  readonly dataDir: string;
  readonly poolSize: number;
}

export interface OpenedDatabase {
  readonly database: Database;
  /** Closes every connection, and gives up the embedded PostgreSQL. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the configured database, or else the embedded one. Its tables may be out of date or missing. Throws
 * `UnfitDatabase`.
 */
export async function openConfiguredDatabase(
  configured: ConfiguredDatabase,
  entities: readonly EntityClass[],
  warn: (message: string) => void = () => undefined,
): Promise<OpenedDatabase> {
  const { databaseUrl, dataDir, poolSize, session } = configured;
  const embedded = databaseUrl === null ? await startEmbeddedPostgres(dataDir, { program: 'Tillgate' }) : null;
  if (embedded) await createDatabaseIfMissing(embedded.url('postgres'), EMBEDDED_DATABASE);
  const addresses = embedded ? { url: embedded.url(EMBEDDED_DATABASE) } : await addressesOf(configured);
  const database = await openDatabase({
    ...addresses,
    poolSize,
    entities,
    applicationName: 'tillgate',
    warn,
    ...(session && { session }),
  });
  const close = async (): Promise<void> => {
    await database.close();
    await embedded?.stop();
  };
  try {
    if (!embedded) await checkServer(database, configured, warn);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, close };
}

const CREATE_TIMEOUT_MS = 30_000;
/** Another process created it just now: found by name, or only by the catalogue's unique index. */
const CREATED_MEANWHILE = new Set(['42P04', '23505']);

/**
 * Creates an empty database on the server at `serverUrl` unless it is there. Several processes may do so at the same
 * time.
 */
export async function createDatabaseIfMissing(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({
    connectionString: serverUrl,
    connectionTimeoutMillis: CREATE_TIMEOUT_MS,
    query_timeout: CREATE_TIMEOUT_MS,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    // template1 cannot be copied while a client is connected to it; template0 takes no connections.
    await client.query(`create database ${client.escapeIdentifier(name)} template template0`);
  } catch (error) {
    if (!CREATED_MEANWHILE.has((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}
