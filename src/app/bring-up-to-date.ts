import { checkCitus } from '../platform/database/citus/check.js';
import { checkGrants } from '../platform/database/grants.js';
import type { Database } from '../platform/database/orm.js';
import type { Logger } from '../platform/logging/logger.js';
import {
  distributedTables,
  isUpToDate,
  migrate,
  pendingMigrations,
  withMigrations,
} from '../platform/migrations/migrate.js';
import type { AnyNoun } from '../platform/noun/noun.js';
import type { BankConfig } from './config.js';

/**
 * Brings the tables up to date. In production somebody decides when they change, by `tillgate migrate`, so there it
 * throws when they are not. Throws `UnfitDatabase` for a Citus that the gateway cannot work with, for a role that lacks
 * rights, and for a database that does not fit a noun.
 */
export async function bringUpToDate(
  database: Database,
  config: BankConfig,
  log: Logger,
  nouns: readonly AnyNoun[],
): Promise<void> {
  const sources = withMigrations(nouns);
  await checkGrants(database);
  if (config.production) {
    const pending = await pendingMigrations(database, sources);
    if (pending.length > 0) throw new Error(`The database lacks ${listed(pending)}. Run: tillgate migrate`);
  } else if (!(await isUpToDate(database, sources))) {
    const migrations = await migrate(database, sources);
    if (migrations.length > 0) log.info({ migrations }, 'database is up to date');
  }
  await checkCitus(database, await distributedTables(sources));
  for (const { fits } of nouns) await fits?.(database, config);
}

/** Says how many migrations there are, the first and the last: a new database lacks all of them. */
function listed(migrations: readonly string[]): string {
  const [first] = migrations;
  return migrations.length === 1
    ? `the migration ${first}`
    : `${migrations.length} migrations, from ${first} to ${migrations.at(-1)}`;
}
