import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { verifyEvents } from '../event/event.verify.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { withBank } from './with-bank.js';

export function eventsVerify(command: Command): void {
  command
    .description('Compute the hashes of all events anew, and tell every event that was changed or removed.')
    .option(
      '--heads <file>',
      'also hold them against the heads that the last run kept there, and keep the present ones',
    )
    .addHelpText(
      'after',
      `
The events of an account are a chain: each has a hash over itself and the hash before it. What is removed from the end of a chain
shows only against a head that was kept elsewhere, so keep FILE where those who can write to the database cannot.

Example:
  tillgate events verify --heads /audit/tillgate-heads`,
    )
    .action(async ({ heads }: { heads?: string }) => {
      const config = readConfig(process.env);
      const stop = stopSignal();
      const { stdout, stderr } = process;
      process.exitCode = await withBank(config, ({ database }) =>
        verifyEvents({ database, headsFile: heads ?? null, stop, stdout, stderr }),
      );
    });
}
