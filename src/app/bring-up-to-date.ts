import { checkCitus } from '../platform/database/citus/check.js';
import { checkGrants } from '../platform/database/grants.js';
import type { Database } from '../platform/database/orm.js';
import type { Logger } from '../platform/logging/logger.js';
import {
  distributedTables,
  isUpToDate,
  migrate,
  pendingMigrations,
  type MigrationSources,
} from '../platform/migrations/migrate.js';
import { refuseMovedClocks } from '../../packages/sandbox/src/sandbox.clocks.js';
import type { BankConfig } from './config.js';

/**
 * Brings the tables up to date. In production somebody decides when they change, by `tillgate migrate`, so there it
 * throws when they are not. Throws `UnfitDatabase` for a Citus that the gateway cannot work with and for a role that
 * lacks rights, and refuses clocks that a sandbox has moved where there is none.
 */
export async function bringUpToDate(
  database: Database,
  config: BankConfig,
  log: Logger,
  sources: MigrationSources,
): Promise<void> {
  await checkGrants(database);
  if (config.production) {
    const pending = await pendingMigrations(database, sources);
    if (pending.length > 0) throw new Error(`The database lacks ${listed(pending)}. Run: tillgate migrate`);
  } else if (!(await isUpToDate(database, sources))) {
    const migrations = await migrate(database, sources);
    if (migrations.length > 0) log.info({ migrations }, 'database is up to date');
  }
  await checkCitus(database, await distributedTables());
  if (!config.sandbox) await refuseMovedClocks(database);
}

/** How many, the first and the last: a new database lacks all of them. */
function listed(migrations: readonly string[]): string {
  const [first] = migrations;
  return migrations.length === 1
    ? `the migration ${first}`
    : `${migrations.length} migrations, from ${first} to ${migrations.at(-1)}`;
}
