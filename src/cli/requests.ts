import type { Command } from 'commander';
import type { CommandProcess } from './command-process.js';
import { WRONG_USAGE, explain } from './explain.js';
import { programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';

interface TailOptions {
  readonly program: string;
  readonly refused?: boolean;
}

export function requestsTail(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Prints a line for each request of the program as it comes into the log of requests: its time, client, operation, status, duration, problems and id, and none of its values.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    examples: {
      'tillgate requests tail --program demo': 'Follows all requests that the log keeps.',
      'tillgate requests tail --program demo --refused': 'Follows refused requests alone.',
    },
    status: {
      1: 'the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM, which is how it ends',
    },
  });
  command
    .description('Follow the requests of a program live.')
    .addOption(programOption('the tenant whose requests are shown').makeOptionMandatory())
    .option('--refused', 'only requests that were refused')
    .action(async ({ program, refused = false }: TailOptions) => {
      const { config, report, stop } = startCommand(process, {});
      const { tailRequests } = await import('../../packages/requests/src/request.tail.js');
      await withContainer(process, config, ({ database }) =>
        tailRequests({ database, program, isRefused: refused, report, stop }),
      );
    });
}
