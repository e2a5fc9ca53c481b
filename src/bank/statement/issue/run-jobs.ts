import { statementOf } from '../../../../lib/pg-wire/statement.js';
import type { SqlQuery, StatementSender } from '../../../platform/database/transaction.js';

/** The jobs of a run. */
export interface RunJobs {
  /** Jobs that wait or run. */
  readonly open: number;
  /** Jobs that failed too often to be tried again. */
  readonly dead: number;
}

// Jobs are no entities: they are of the queue.
const JOBS = statementOf(
  `SELECT j.open, j.dead FROM unnest($1::uuid[]) WITH ORDINALITY k(run_id, n) CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE attempts < max_attempts OR locked_at IS NOT NULL)::int AS open,
       count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL)::int AS dead
     FROM graphile_worker.jobs WHERE key LIKE k.run_id || ':%') j ORDER BY k.n`,
);

// A job that runs is locked, and ends by itself. `complete_jobs` leaves it even if it was taken only now.
const TAKE_AWAY = statementOf(
  `SELECT graphile_worker.complete_jobs(array_agg(j.id)) FROM unnest($1::uuid[]) k(run_id)
   JOIN graphile_worker.jobs j ON j.key LIKE k.run_id || ':%' WHERE j.locked_at IS NULL`,
);

/** The statement that takes away the jobs of runs which do not run. */
export const takingAwayJobs = (runIds: readonly string[]): SqlQuery => ({ statement: TAKE_AWAY, values: [runIds] });

/** The jobs of each run. Read them before the run: one that has none by then has counted all that it did. */
export async function jobsOf(
  asking: Pick<StatementSender, 'query'>,
  runIds: readonly (string | null)[],
): Promise<readonly RunJobs[]> {
  const rows = await asking.query<[open: number, dead: number]>(JOBS, [runIds]);
  return rows.map(([open, dead]) => ({ open, dead }));
}
