import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { migrate as applyMigrations } from '../platform/database/migrate.js';
import { openConfiguredDatabase } from '../platform/database/open-configured.js';

export function migrate(command: Command): void {
  command.description('Bring the tables of the database up to date, and print what was applied.').action(async () => {
    const opened = await openConfiguredDatabase(readConfig(process.env), []);
    let applied: string[];
    try {
      applied = await applyMigrations(opened.database);
    } finally {
      await opened.close();
    }
    process.stdout.write(
      applied.length > 0 ? applied.map(name => `${name}\n`).join('') : 'The database is up to date.\n',
    );
  });
}
