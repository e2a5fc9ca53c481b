import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { WRONG_USAGE, explain } from '../platform/cli/explain.js';
import { Report } from '../platform/cli/report.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { jsonOption, settings } from './options.js';
import { withBank } from './with-bank.js';

export function eventsVerify(command: Command): void {
  explain(command, {
    about: [
      'The events of an account are a chain: each has a hash over itself and the hash before it. So are the denied attempts of a program. What is removed from the end of a chain shows only against a head that was kept elsewhere, so keep FILE where those who can write to the database cannot.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR'),
    result: {
      events: 32,
      accounts: 22,
      denied: 4,
      programs: 1,
      broken: 1,
      links: [{ accountId: 'demo-1001', event: 7, problem: 'changed' }],
      finished: true,
    },
    examples: {
      'tillgate events verify --heads /audit/tillgate-heads':
        'Verifies everything, and keeps the heads for the next time.',
      'tillgate events verify --json': 'Tells a program which links are broken, the first 100 of them.',
    },
    status: {
      0: 'every event is what it was when it was written',
      1: 'an event was changed or removed, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM: nothing was decided',
    },
  });
  command
    .description('Compute the hashes of all events anew, and tell every event that was changed or removed.')
    .option(
      '--heads <file>',
      'also hold them against the heads that the last run kept there, and keep the present ones',
    )
    .addOption(jsonOption())
    .action(async ({ heads, json = false }: { heads?: string; json?: boolean }) => {
      const config = readConfig(process.env);
      const stop = stopSignal();
      const report = new Report(process.stdout, json);
      const { stderr } = process;
      const { verifyEvents } = await import('../event/event.verify.js');
      process.exitCode = await withBank(config, ({ database }) =>
        verifyEvents({ database, headsFile: heads ?? null, stop, report, stderr }),
      );
    });
}
