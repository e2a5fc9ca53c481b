import { statementOf } from '../../../../lib/pg-wire/statement.js';
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

/** The facts that decide whether a program may start a run of a period. */
export interface StartTerms {
  /** A run of the period with accounts of the program that is not over; null where there is none. */
  readonly running: string | null;
  /** The time by the clock of the program. */
  readonly now: Date;
}

// The jobs that say which run goes on are no entities, and neither is the clock of a program.
const START_TERMS = statementOf(
  `SELECT (SELECT r.run_id::text FROM issue_run r WHERE r.kind = k.kind AND r.period = k.period
       AND r.finished_at IS NULL AND r.stopped_at IS NULL
       AND EXISTS (SELECT FROM issue_run_program p WHERE p.run_id = r.run_id AND p.program = k.program)
       AND EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key LIKE r.run_id || ':%'
         AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL))
       LIMIT 1),
     program_now(k.program)
   FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY k(program, kind, period, n) ORDER BY k.n`,
);
const SHARED = statementOf(
  `SELECT EXISTS (SELECT FROM issue_run_program p WHERE p.run_id = k.run_id AND p.program <> k.program)
   FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY k(run_id, program, n) ORDER BY k.n`,
);

/** Runs as commands find them. */
export class OwnRuns {
  private readonly runs: BatchedRepository<
    IssueRun,
    Pick<IssueRun, 'kind' | 'period' | 'program' | 'issueIncomplete' | 'stoppedAt'>
  >;
  private readonly shares: BatchedRepository<IssueRunProgram, object>;

  constructor(database: Database) {
    this.runs = new BatchedRepository(database, IssueRun);
    this.shares = new BatchedRepository(database, IssueRunProgram);
  }

  /** The terms of each start, in the order of `of`. */
  async startTerms(
    asking: StatementSender,
    of: readonly { readonly program: string; readonly kind: IssueKind; readonly period: string }[],
  ): Promise<StartTerms[]> {
    const values = [of.map(one => one.program), of.map(one => one.kind), of.map(one => one.period)];
    const rows = await asking.query<[running: string | null, now: string]>(START_TERMS, values);
    return rows.map(([running, now]) => ({ running, now: new Date(now) }));
  }

  /** Tells for each run whether it has accounts of another program than the one at the same place. */
  async areShared(
    asking: StatementSender,
    runIds: readonly (string | null)[],
    programs: readonly string[],
  ): Promise<boolean[]> {
    return (await asking.query<[isShared: boolean]>(SHARED, [runIds, programs])).map(([isShared]) => isShared);
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
      const { period, issueIncomplete, stoppedAt } = run;
      const kind = run.kind as IssueKind;
      const documentType = kind === 'close' ? 'STATEMENTS' : 'TAX_1099';
      const isRunning = stoppedAt === null && (jobs[index] as RunJobs).open > 0;
      return { kind, documentType, period, issueIncomplete, isRunning };
    });
  }
}
