import { statementOf } from '../../../../lib/pg-wire/statement.js';
import type { StatementSender } from '../../../platform/database/transaction.js';

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

/** The jobs of each run. Read them before the run: one that has none by then has counted all that it did. */
export async function jobsOf(
  asking: Pick<StatementSender, 'query'>,
  runIds: readonly (string | null)[],
): Promise<readonly RunJobs[]> {
  const rows = await asking.query<[open: number, dead: number]>(JOBS, [runIds]);
  return rows.map(([open, dead]) => ({ open, dead }));
}
