import { checkCitus } from '../platform/database/citus/check.js';
import type { Database } from '../platform/database/orm.js';
import type { Logger } from '../platform/logging/logger.js';
import { distributedTables, migrate, pendingMigrations } from '../platform/migrations/migrate.js';
import { refuseMovedClocks } from '../sandbox/sandbox.clocks.js';
import type { Config } from './config.js';

// So many digits in a row may be the number of a card, as far as the log knows.
function withoutTime(migration: string): string {
  return migration.replace(/^Migration\d+_/, '');
}

/**
 * Applies what the tables lack. In production somebody decides when they change, so it throws there and names the command
 * that does it. Throws as well where the database cannot serve this configuration.
 */
export async function bringUpToDate(database: Database, config: Config, log: Logger): Promise<void> {
  if (!config.production) {
    const applied = await migrate(database);
    const migrations = applied.map(withoutTime);
    if (migrations.length > 0) log.info({ migrations }, 'database is up to date');
  } else {
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      throw new Error(`The database lacks migrations: ${pending.join(', ')}. Run: tillgate migrate`);
    }
  }
  await checkCitus(database, await distributedTables());
  if (!config.sandbox) await refuseMovedClocks(database);
}
