import type { Command } from 'commander';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { CLOSED, incompleteOption, takingPart } from './statements.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

const RUN = {
  runId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
  documentType: 'TAX_1099',
  period: '2025',
  program: 'demo',
  startedBy: 'COMMAND_LINE',
  startedAt: '2026-01-12T09:00:00.000Z',
  finishedAt: '2026-01-12T09:00:01.250Z',
  stoppedAt: null,
  status: 'FINISHED',
  issueIncomplete: false,
  rerunOf: null,
  accounts: 22,
  done: 22,
  issued: 9,
  corrected: 0,
  notOverYet: 0,
  leftOutCount: 1,
  notDueCount: 12,
  unprintableCount: 0,
};

export function statementsRuns(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'With a run it lists every account that got no document though one was due, and why. Without one it lists the runs, the newest first.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR'),
    result: { run: RUN, leftOut: [{ accountId: 'demo-1001', program: 'demo', reasons: ['no_tax_id'] }] },
    examples: {
      'tillgate statements runs': 'Lists the runs of all programs.',
      'tillgate statements runs --program demo --json':
        'Lists those of one program, with its numbers, as JSON: {"runs":[…]}.',
    },
    status: { 0: 'the runs are listed', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('List the runs that issued documents, or the accounts that a run left out.')
    .argument('[run-id]', 'the run whose accounts without a document are listed')
    .addOption(programOption('only the accounts of this tenant'))
    .addOption(jsonOption())
    .action(async (runId: string | undefined, options: { program?: string; json?: boolean }) => {
      const { config, report } = startCommand(process, options);
      const { listRuns, showRun } = await import('../bank/statement/run/list-runs.js');
      await withContainer(process, config, ({ database }) => {
        const order = { database, program: options.program ?? null, report };
        return runId === undefined ? listRuns(order) : showRun(order, runId.toLowerCase());
      });
    });
}

export function statementsRerun(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Takes up the accounts that the run left out, and those whose batches failed repeatedly, and no others. Their documents are issued as the same command would issue them now, in a run of its own.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { ...CLOSED, accounts: 1, issued: 1 },
    examples: {
      'tillgate statements runs': 'Lists the runs with their ids, such as 7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11.',
    },
    status: {
      0: 'every one of these accounts has its document',
      1: 'accounts were left out again, or the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; running gateways continue',
    },
  });
  command
    .description('Issue the documents that a run left out or failed to issue, and no others.')
    .argument('<run-id>', 'the run')
    .addOption(incompleteOption())
    .addOption(jsonOption())
    .action(async (id: string, options: { incomplete?: string; json?: boolean }) => {
      const { config, ...run } = startCommand(process, options);
      const { checkIssue, watchRun } = await import('../bank/statement/issue/issue-documents.js');
      const { startRun } = await import('../bank/statement/issue/issue-run.js');
      const { runToRepeat } = await import('../bank/statement/issue/rerun.js');
      await withContainer(process, config, async container => {
        const runId = id.toLowerCase();
        const repeated = await runToRepeat(container.database, runId);
        const order = { ...repeated, issueIncomplete: repeated.issueIncomplete || options.incomplete === 'issue' };
        await checkIssue({ ...container, ...order, ...run });
        const watching = { ...container, ...run };
        return takingPart(process, container, async () => {
          return watchRun(watching, await startRun(container, order, runId), order);
        });
      });
    });
}
