import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { inTransaction, type Transaction } from '../../platform/database/transaction.js';
import type { IssueRun } from './issue-run.entity.js';
import type { IssueKind } from './period.js';

export const ISSUE_TASK = 'issue_documents';
/** So many failures of a run are kept and shown. */
export const MAX_FAILURES_TOLD = 100;
/** A job takes some tenths of a second, which is the most that is lost when a process dies. */
const ACCOUNTS_A_JOB = 100;
const MAX_ATTEMPTS = 5;

/** The payload of a job: the accounts from one id to another. */
export interface IssueJob {
  readonly runId: string;
  readonly from: string;
  readonly to: string;
}

export type RunOrder = Readonly<Pick<IssueRun, 'period' | 'program'>> & { readonly kind: IssueKind };

export type RunProgress = Readonly<
  Pick<IssueRun, 'accounts' | 'done' | 'issued' | 'corrected' | 'early' | 'failed' | 'failures'>
> & {
  /** Jobs that wait or run. */
  readonly open: number;
  /** Jobs that failed too often to be tried again. */
  readonly dead: number;
};

// A run that has jobs left is continued, whichever process started it.
const UNFINISHED = statementOf(
  `SELECT r.run_id FROM issue_run r WHERE r.kind = $1 AND r.period = $2 AND r.program IS NOT DISTINCT FROM $3 AND EXISTS (
     SELECT FROM graphile_worker.jobs j WHERE j.key LIKE r.run_id || ':%' AND j.attempts < j.max_attempts)
   ORDER BY r.started_at DESC LIMIT 1`,
);

const START = statementOf(
  `INSERT INTO issue_run (run_id, kind, period, program, accounts, failures)
   SELECT $1, $2, $3, $4, count(*), '[]' FROM account a WHERE $4::text IS NULL OR a.program = $4`,
);

const ENQUEUE = statementOf(
  `SELECT count(*) FROM graphile_worker.add_jobs((
     SELECT coalesce(array_agg((
       '${ISSUE_TASK}', json_build_object('runId', $1::text, 'from', first, 'to', last),
       null, null, ${MAX_ATTEMPTS}, $1 || ':' || batch, null, null
     )::graphile_worker.job_spec), '{}')
     FROM (
       SELECT n / ${ACCOUNTS_A_JOB} AS batch, min(account_id) AS first, max(account_id) AS last
       FROM (SELECT account_id, row_number() OVER (ORDER BY account_id) - 1 AS n
         FROM account a WHERE $2::text IS NULL OR a.program = $2) numbered
       GROUP BY 1) batches))`,
);

const PROGRESS = statementOf(
  `SELECT to_jsonb(p) FROM (
     SELECT r.accounts, r.done, r.issued, r.corrected, r.early, r.failed, r.failures, j.open, j.dead
     FROM issue_run r CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE attempts < max_attempts OR locked_at IS NOT NULL)::int AS open,
         count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL)::int AS dead
       FROM graphile_worker.jobs WHERE key LIKE r.run_id || ':%') j
     WHERE r.run_id = $1) p`,
);

/** Divides the accounts among jobs, or finds the run that is not finished. Gives the run's id. */
export async function startRun(database: Database, order: RunOrder): Promise<string> {
  const [unfinished] = await database.query<[string]>(UNFINISHED, [order.kind, order.period, order.program]);
  return unfinished?.[0] ?? (await inTransaction(database, transaction => enqueueRun(transaction, order)));
}

/** Divides the accounts among jobs, which begin when the transaction is committed. Gives the run's id. */
export async function enqueueRun(transaction: Transaction, { kind, period, program }: RunOrder): Promise<string> {
  const runId = randomUUID();
  await transaction.query(START, [runId, kind, period, program]);
  await transaction.query(ENQUEUE, [runId, program]);
  return runId;
}

export async function progressOf(database: Database, runId: string): Promise<RunProgress> {
  const [row] = await database.query<[RunProgress]>(PROGRESS, [runId]);
  if (!row) throw new Error('an issue run vanished while it was being watched');
  return row[0];
}
