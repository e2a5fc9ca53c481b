import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { readProgram } from '../platform/cli/names.js';
import { keepHeapSmall } from '../platform/cli/heap.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { DocumentThreads } from '../statement/document-threads.js';
import { checkIssue, issueDocuments } from '../statement/issue/issue-documents.js';
import type { IssueKind } from '../statement/issue/issue-run.js';
import { takePartInIssuing } from '../statement/issue/issuing.js';
import { commandLog, withBank } from './with-bank.js';

/** Batches of accounts that are worked on at once: while the documents of one are drawn, another is read or written. */
const BATCHES_AT_ONCE = 2;

export function statementsClose(command: Command): void {
  command
    .description('Issue the statements of a month that is over, to every account with a balance or with entries.')
    .requiredOption('--month <month>', 'the month, for example 2026-06')
    .option('--program <program>', 'only the accounts of this tenant')
    .addHelpText(
      'after',
      `
Issues what is missing: a statement that is issued never changes, and what is posted later for its month is on the next one. Gateways
that serve share the work. It can be stopped at any moment and started again.`,
    )
    .action(({ month, program }: { month: string; program?: string }) => issue('close', month, program));
}

export function statements1099(command: Command): void {
  command
    .description('Issue the Forms 1099-INT of a year that is over, to every account that was paid interest.')
    .requiredOption('--year <year>', 'the tax year, for example 2026')
    .option('--program <program>', 'only the accounts of this tenant')
    .addHelpText(
      'after',
      `
Issues what is missing. Where the ledger no longer says what a form says, a corrected form is issued that names the one it replaces.
The payer is who PROGRAMS_FILE says the program is.`,
    )
    .action(({ year, program }: { year: string; program?: string }) => issue('1099', year, program));
}

async function issue(kind: IssueKind, period: string, program: string | undefined): Promise<void> {
  keepHeapSmall();
  const config = readConfig(process.env);
  const ofProgram = program === undefined ? null : readProgram(program);
  const stop = stopSignal();
  const { stdout, stderr } = process;
  process.exitCode = await withBank(config, async bank => {
    const order = { ...bank, kind, period, program: ofProgram, stop, stdout, stderr };
    await checkIssue(order);
    const threads = new DocumentThreads(availableParallelism());
    const leave = await takePartInIssuing({
      ...{ ...bank, vault: bank.statementVault, log: commandLog(), concurrency: BATCHES_AT_ONCE },
      ...{ threads, monthly: false },
    });
    try {
      return await issueDocuments(order);
    } finally {
      await leave();
      await threads.close();
    }
  });
}
