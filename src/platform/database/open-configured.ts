import type { EntityClass } from '@mikro-orm/core';
import { createDatabaseIfMissing } from './create-database.js';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { openDatabase, type Database } from './orm.js';

/** The embedded server's database. */
const EMBEDDED_DATABASE = 'tillgate';

export interface OpenedDatabase {
  readonly database: Database;
  /** Closes every connection, and leaves the embedded PostgreSQL. */
  readonly close: () => Promise<void>;
}

/** Opens the configured database, or the embedded one where none is. Its tables may be out of date, or not there at all. */
export async function openConfiguredDatabase(
  { databaseUrl, dataDir, poolSize }: { databaseUrl: string | null; dataDir: string; poolSize: number },
  entities: readonly EntityClass[],
  warn?: (message: string) => void,
): Promise<OpenedDatabase> {
  const embedded = databaseUrl === null ? await startEmbeddedPostgres(dataDir, { program: 'Tillgate' }) : null;
  if (embedded) await createDatabaseIfMissing(embedded.url('postgres'), EMBEDDED_DATABASE);
  const url = databaseUrl ?? embedded?.url(EMBEDDED_DATABASE) ?? '';
  const database = await openDatabase({ url, poolSize, entities, applicationName: 'tillgate', warn });
  const close = async (): Promise<void> => {
    await database.close();
    await embedded?.stop();
  };
  return { database, close };
}
