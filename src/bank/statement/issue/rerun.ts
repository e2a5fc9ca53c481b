import type { Database } from '../../../platform/database/orm.js';
import type { StatementSender } from '../../../platform/database/transaction.js';
import { BatchedRepository } from '../../../platform/repository/batched-repository.js';
import { UUID_TEXT } from '../../../shared/ids.js';
import { UsageError } from '../../../shared/usage-error.js';
import type { DocumentType } from '../statement.entity.js';
import { IssueRun, IssueRunProgram } from './issue-run.entity.js';
import { progressOf, type RunOrder } from './issue-run.js';
import type { IssueKind } from './period.js';
import { jobsOf, type RunJobs } from './run-jobs.js';

/** Reads the order of a run. Throws `UsageError` unless there is one, and it is over. */
export async function runToRepeat(database: Database, runId: string): Promise<RunOrder> {
  const run = UUID_TEXT.test(runId) ? await database.primary().findOne(IssueRun, { runId }) : null;
  if (!run) throw new UsageError('RUN_ID names no run. List the runs: tillgate statements runs');
  const { open } = await progressOf(database, runId);
  if (open > 0) throw new UsageError('The run is not finished. Wait until it is: tillgate statements runs');
  const { kind, period, program, issueIncomplete } = run;
  return { kind: kind as IssueKind, period, program, issueIncomplete, startedBy: 'COMMAND_LINE' };
}

/** A run as far as it decides whether it may be run again. */
export interface OwnRun {
  readonly kind: IssueKind;
  readonly documentType: DocumentType;
  readonly period: string;
  readonly issueIncomplete: boolean;
  readonly isRunning: boolean;
}

/** Runs as commands find them. */
export class OwnRuns {
  private readonly runs: BatchedRepository<IssueRun, Pick<IssueRun, 'kind' | 'period' | 'program' | 'issueIncomplete'>>;
  private readonly shares: BatchedRepository<IssueRunProgram, object>;

  constructor(database: Database) {
    this.runs = new BatchedRepository(database, IssueRun);
    this.shares = new BatchedRepository(database, IssueRunProgram);
  }

  /** The run of each id that was for the program at the same place, or null. */
  async of(
    transaction: StatementSender,
    runIds: readonly (string | null)[],
    programs: readonly string[],
  ): Promise<(OwnRun | null)[]> {
    const [jobs, runs, shares] = await Promise.all([
      jobsOf(transaction, runIds),
      this.runs.each(
        transaction,
        runIds.map(runId => [runId]),
      ),
      this.shares.each(
        transaction,
        runIds.map((runId, index) => [runId, programs[index] ?? null]),
      ),
    ]);
    return runs.map((run, index) => {
      if (!run || (run.program !== programs[index] && !shares[index])) return null;
      const { period, issueIncomplete } = run;
      const kind = run.kind as IssueKind;
      const documentType = kind === 'close' ? 'STATEMENTS' : 'TAX_1099';
      return { kind, documentType, period, issueIncomplete, isRunning: (jobs[index] as RunJobs).open > 0 };
    });
  }
}
