import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import type { Asking } from '../../platform/database/transaction.js';
import { oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { UUID_TEXT } from '../../shared/ids.js';
import { UsageError } from '../../shared/usage-error.js';
import type { DocumentType } from '../statement.entity.js';
import { IssueRun } from './issue-run.entity.js';
import { progressOf, type RunOrder } from './issue-run.js';
import type { IssueKind } from './period.js';

/** What a run was asked for. Throws `UsageError` unless there is one, and it is over. */
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

// Commands of a group read theirs together, and jobs are no entities.
const OWN_RUNS = statementOf(
  `SELECT r.kind, r.period, r.issue_incomplete, EXISTS (
       SELECT FROM graphile_worker.jobs j WHERE j.key LIKE r.run_id || ':%'
         AND (j.attempts < j.max_attempts OR j.locked_at IS NOT NULL)), k.n::int
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY k(run_id, program, n) JOIN issue_run r ON r.run_id = k.run_id
     WHERE r.program = k.program
       OR EXISTS (SELECT FROM issue_run_program p WHERE p.run_id = r.run_id AND p.program = k.program)`,
);

/** The run of each id that was for the program at the same place, or null. */
export async function ownRuns(
  transaction: Asking,
  runIds: readonly (string | null)[],
  programs: readonly string[],
): Promise<(OwnRun | null)[]> {
  type Row = [kind: IssueKind, period: string, issueIncomplete: boolean, isRunning: boolean];
  const rows = await transaction.query<WithOrdinal<Row>>(OWN_RUNS, [runIds, programs]);
  return oneByOrdinal(rows, runIds.length, ([kind, period, issueIncomplete, isRunning]) => ({
    kind,
    documentType: kind === 'close' ? 'STATEMENTS' : 'TAX_1099',
    period,
    issueIncomplete,
    isRunning,
  }));
}
