import { availableParallelism } from 'node:os';
import { readConfig } from '../app/config.js';
import { keepHeapSmall } from './heap.js';
import { Report } from '../platform/report/report.js';
import { stopSignal } from '../platform/report/stop-signal.js';
import { DocumentThreads } from '../statement/document-threads.js';
import { checkIssue, issueDocuments } from '../statement/issue/issue-documents.js';
import { takePartInIssuing } from '../statement/issue/issuing.js';
import type { IssueKind } from '../statement/issue/period.js';
import { commandLog, withContainer } from './with-container.js';

/** Batches of accounts that are worked on at once: while the documents of one are drawn, another is read or written. */
const BATCHES_AT_ONCE = 2;

export interface IssueArguments {
  readonly program?: string | null;
  readonly json?: boolean;
}

/** Issues the documents of a period, `2026-06` or `2026`, and sets the exit status. */
export async function issue(
  kind: IssueKind,
  period: string,
  { program = null, json = false }: IssueArguments,
): Promise<void> {
  keepHeapSmall();
  const config = readConfig(process.env);
  const stop = stopSignal();
  const report = new Report(process.stdout, json);
  const { stderr } = process;
  process.exitCode = await withContainer(config, async container => {
    const order = { ...container, kind, period, program, stop, report, stderr };
    await checkIssue(order);
    const threads = new DocumentThreads(availableParallelism());
    const leave = await takePartInIssuing({
      ...{ ...container, vault: container.statementVault, log: commandLog(), concurrency: BATCHES_AT_ONCE },
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
