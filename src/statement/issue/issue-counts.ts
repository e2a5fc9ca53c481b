import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { transpose } from '../../platform/repository/by-ordinal.js';
import type { AccountBatch } from './accounts.js';
import type { DueDocuments } from './documents-due.js';
import { IssueLeftOut } from './issue-run.entity.js';

// Numbers are added to where they stand, so that batches of a run may be done side by side.
// A batch that is done again counts no second time. The row of the run is locked first, so batches of the same programs
// never wait for each other in a circle.
const COUNT = statementOf(
  `WITH batch AS (INSERT INTO issue_batch AS b (run_id, from_account_id, done_at) VALUES ($1, $2, now())
     ON CONFLICT (run_id, from_account_id) DO UPDATE SET done_at = now() WHERE b.done_at IS NULL RETURNING 1)
   UPDATE issue_run SET done = done + $3, issued = issued + $4, corrected = corrected + $5, early = early + $6,
     left_out = left_out + $7, unprintable = unprintable + $8, finished_at = CASE WHEN done + $3 >= accounts THEN now() END
   WHERE run_id = $1 AND EXISTS (SELECT FROM batch) RETURNING 1`,
);

const COUNT_OF_PROGRAMS = statementOf(
  `INSERT INTO issue_run_program AS p (run_id, accounts, program, done, issued, corrected, early, left_out, unprintable)
   SELECT $1, 0, * FROM unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[])
   ON CONFLICT (run_id, program) DO UPDATE SET done = p.done + excluded.done, issued = p.issued + excluded.issued,
     corrected = p.corrected + excluded.corrected, early = p.early + excluded.early, left_out = p.left_out + excluded.left_out,
     unprintable = p.unprintable + excluded.unprintable`,
);

interface Counts {
  done: number;
  issued: number;
  corrected: number;
  early: number;
  leftOut: number;
  unprintable: number;
}

const none = (): Counts => ({ done: 0, issued: 0, corrected: 0, early: 0, leftOut: 0, unprintable: 0 });

/** Counts what was done for a batch, whole and for each program, and keeps which accounts were left out and why. */
export async function countBatch(
  database: Database,
  transaction: Transaction,
  { runId, from }: AccountBatch,
  due: DueDocuments,
): Promise<void> {
  const programs = countsOf(due);
  const total = none();
  for (const counts of programs.values()) {
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
  }
  const counted = await transaction.query(COUNT, [runId, from, ...valuesOf(total)]);
  if (counted.length === 0) return;
  const rows = Array.from(programs, ([program, counts]) => [program, ...valuesOf(counts)]);
  if (rows.length > 0) await transaction.query(COUNT_OF_PROGRAMS, [runId, ...transpose(rows)]);
  if (due.leftOut.length > 0) {
    const leftOut = due.leftOut.map(({ program, accountId, reasons }) => ({ runId, program, accountId, reasons }));
    await database.em(transaction).insertMany(IssueLeftOut, leftOut);
  }
}

function countsOf({ accounts, documents, leftOut }: DueDocuments): Map<string, Counts> {
  const programs = new Map<string, Counts>();
  const countsFor = (program: string): Counts => {
    const counts = programs.get(program) ?? none();
    programs.set(program, counts);
    return counts;
  };
  for (const account of accounts) {
    const counts = countsFor(account.program);
    counts.done += 1;
    if ('isOver' in account && !account.isOver) counts.early += 1;
  }
  for (const { account, content, isFlawed } of documents) {
    const isCorrection = 'boxes' in content && content.correctedStatementId !== null;
    const counts = countsFor(account.program);
    counts[isCorrection ? 'corrected' : 'issued'] += 1;
    if (isFlawed === true) counts.unprintable += 1;
  }
  for (const { program } of leftOut) countsFor(program).leftOut += 1;
  return programs;
}

function valuesOf({ done, issued, corrected, early, leftOut, unprintable }: Counts): number[] {
  return [done, issued, corrected, early, leftOut, unprintable];
}
