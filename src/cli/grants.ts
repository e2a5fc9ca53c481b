import type { Command } from 'commander';
import { readDatabaseConfig } from '../app/config.js';
import { Report } from '../platform/report/report.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, settings } from './options.js';
import type { CommandProcess } from './command-process.js';

interface Options {
  readonly role: string;
  readonly apply?: boolean;
  readonly json?: boolean;
}

export function grants(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'A gateway should serve with a role that owns no tables. It needs rights on each table, and policies for the tables of the queue of jobs, which have row security. What events, postings and documents are written to is granted for reading and adding alone.',
      'DATABASE_URL is of the owner of the tables here, as for tillgate migrate. Run it again after each migration: a gateway does not start with a role that lacks a right.',
    ],
    settings: settings('DATABASE_URL', 'DATABASE_PASSWORD', 'DATABASE_DIRECT_URL', 'DATA_DIR'),
    result: {
      role: 'tillgate_serving',
      lacking: ['GRANT USAGE ON SCHEMA public TO tillgate_serving;'],
      applied: false,
    },
    examples: {
      'tillgate grants --role tillgate_serving':
        'Prints the statements that give the role what it lacks. Changes nothing.',
      'tillgate grants --role tillgate_serving --apply': 'Runs them, in one transaction.',
    },
    status: { 0: 'printed, or granted', 1: 'there is no such role, or the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Print, or give, the rights that the role of a serving gateway needs.')
    .requiredOption('--role <NAME>', 'the role that the gateway serves with')
    .option('--apply', 'grant what is lacking')
    .addOption(jsonOption())
    .action(async ({ role, apply = false, json = false }: Options) => {
      const report = new Report(process.stdout, json);
      const { nounsOf } = await import('../app/nouns.js');
      const { openConfiguredDatabase } = await import('../platform/database/open-configured.js');
      const { giveGrants, lackingGrants } = await import('../platform/database/grants.js');
      const config = readDatabaseConfig(process.env);
      const { entities } = await nounsOf(config);
      const { database, close } = await openConfiguredDatabase(config, entities);
      try {
        const lacking = await (apply ? giveGrants : lackingGrants)(database, role);
        report.line(lacking.length > 0 ? lacking.join('\n') : `The role ${role} has what it needs.`);
        report.result({ role, lacking, applied: apply });
      } finally {
        await close();
      }
    });
}
