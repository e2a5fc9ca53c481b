import type { Command } from 'commander';
import type { ProgramRetention } from '../../packages/data-subject/src/retention.tally.js';
import type { CommandProcess } from './command-process.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';

interface Options {
  readonly program?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function retentionRun(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Deletes accounts that were closed longer ago than retentionYears in the record of their program, with all that belongs to them: history, events, documents, cards, beneficiaries, transfers and notes. Then it erases the customers whom no other account knows. Each account is one transaction and the event account.ended of the program. Running gateways do the same each hour.',
      'The database checks by its own clock whether the time is over, and deletes nothing before. A backup still has what was deleted.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      programs: [
        {
          program: 'demo',
          accounts: 1,
          rows: { account: 1, account_event: 3, transaction: 12 },
          customersErased: 1,
          left: [{ accountId: 'demo-1001', reason: 'tax_return_open' }],
          leftCount: 1,
        },
      ],
      check: false,
      seconds: 0.2,
      finished: true,
    },
    examples: {
      'tillgate retention run --check': 'Tells what is over, and changes nothing.',
      'tillgate retention run --program demo': 'Deletes what is over in one program.',
    },
    status: {
      0: 'what is over is deleted, but for what is named with a reason',
      1: 'the database failed, or is a Citus cluster',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again',
    },
  });
  command
    .description('Delete closed accounts whose time is over, and erase customers who have no others.')
    .addOption(programOption('only the accounts of this tenant'))
    .option('--check', 'only tell what is over; change nothing')
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const { program = null, check: isCheck = false } = options;
      const { config, stop, report, stderr } = startCommand(process, options);
      const { RetentionTally } = await import('../../packages/data-subject/src/retention.tally.js');
      const { showProgress } = await import('../platform/report/progress.js');
      const { statusOf } = await import('../platform/report/stop-signal.js');
      await withContainer(process, config, async ({ retention }) => {
        const tally = new RetentionTally();
        const hideProgress = showProgress('accounts', tally, { done: () => null }, stderr);
        try {
          await retention.run({ program, isCheck, stop, tally });
        } finally {
          hideProgress();
        }
        tally.end();
        for (const line of linesOf(tally.programs, isCheck)) report.line(line);
        const programs = tally.programs.map(one => ({ ...one, left: one.left.map(account => ({ ...account })) }));
        report.result({ programs, check: isCheck, seconds: tally.seconds, finished: !stop.aborted });
        if (!stop.aborted) return 0;
        stderr.write('The run was stopped between two accounts. Run the same command again.\n');
        return statusOf(stop.reason);
      });
    });
}

function linesOf(programs: readonly ProgramRetention[], isCheck: boolean): string[] {
  if (programs.length === 0) return ['Nothing is over.'];
  const [deleted, erased] = isCheck ? ['to delete', 'to erase now'] : ['deleted', 'erased'];
  return programs.flatMap(({ program, accounts, rows, customersErased, left, leftCount }) => [
    `${program}: accounts ${deleted} ${accounts}, customers ${erased} ${customersErased}, left ${leftCount}`,
    ...Object.entries(rows)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([table, count]) => `  ${table}: ${count} rows`),
    ...left.map(({ accountId, reason }) => `  left: ${accountId} (${reason})`),
  ]);
}
