import type { Command } from 'commander';
import { readDatabaseConfig } from '../app/config.js';
import { WRONG_USAGE, explain } from './explain.js';
import { Report } from '../platform/report/report.js';
import { jsonOption, settings } from './options.js';
import type { CommandProcess } from './command-process.js';

export function migrate(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'If several commands start at once, one migrates and the others wait. Each migration is one transaction, or continues where it was stopped, so the earlier migrations stay if one fails. Gateways of the previous release can continue to serve.',
    ],
    settings: settings('DATABASE_URL', 'DATABASE_PASSWORD', 'DATABASE_DIRECT_URL', 'DATA_DIR'),
    result: { applied: ['Migration20261128150000_initial', 'webhooks/1-tables'] },
    examples: {
      'tillgate migrate': 'Prints the names of the applied migrations.',
      'tillgate migrate --json': 'Prints the names as JSON; the list is empty if the database is up to date.',
    },
    status: { 0: 'the database is up to date', 1: 'a migration or the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Bring the tables of the database up to date, and print the applied migrations.')
    .addOption(jsonOption())
    .action(async ({ json = false }: { json?: boolean }) => {
      const report = new Report(process.stdout, json);
      const { openConfiguredDatabase } = await import('../platform/database/open-configured.js');
      const { migrate: applyMigrations, withMigrations } = await import('../platform/migrations/migrate.js');
      const config = readDatabaseConfig(process.env);
      const { nounsOf } = await import('../app/nouns.js');
      const { all } = await nounsOf(config);
      const opened = await openConfiguredDatabase(config, []);
      let applied: string[];
      try {
        applied = await applyMigrations(opened.database, withMigrations(all));
      } finally {
        await opened.close();
      }
      report.line(applied.length > 0 ? applied.join('\n') : 'The database is up to date.');
      report.result({ applied });
    });
}
