import type { Command } from 'commander';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

export function eventsVerify(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'The events of an account form a chain: each event has a hash of itself and of the previous hash. The denied attempts of a program form a chain, too. Events removed from the end of a chain are found only with the heads of an earlier run, so keep FILE where nobody who can write to the database can change it.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR'),
    result: {
      events: 32,
      accounts: 22,
      programEvents: 2,
      denied: 4,
      programs: 1,
      broken: 1,
      links: [{ accountId: 'demo-1001', event: 7, problem: 'changed' }],
      finished: true,
    },
    examples: {
      'tillgate events verify --heads /audit/tillgate-heads':
        'Verifies everything, and stores the heads for the next run.',
      'tillgate events verify --json': 'Prints the first 100 broken links as JSON.',
    },
    status: {
      0: 'no event was changed or removed',
      1: 'an event was changed or removed, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM without a result',
    },
  });
  command
    .description('Compute the hashes of all events again, and report every event that was changed or removed.')
    .option(
      '--heads <file>',
      'also compare the chains with the heads that the last run stored in this file, and store the current heads',
    )
    .addOption(jsonOption())
    .action(async ({ heads, ...options }: { heads?: string; json?: boolean }) => {
      const { config, ...run } = startCommand(process, options);
      const { verifyEvents } = await import('../bank/event/event.verify.js');
      await withContainer(process, config, ({ database }) =>
        verifyEvents({ database, headsFile: heads ?? null, ...run }),
      );
    });
}
