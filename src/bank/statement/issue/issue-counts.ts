import { raw, type EntityData } from '@mikro-orm/core';
import type { Database } from '../../../platform/database/orm.js';
import type { SqlTransaction } from '../../../platform/database/transaction.js';
import type { RunBatch } from './accounts.js';
import type { DueDocuments } from './documents-due.js';
import { IssueBatch, IssueLeftOut, IssueRun, IssueRunProgram } from './issue-run.entity.js';

/** The counts, with their columns. */
const COLUMNS = {
  done: 'done',
  issued: 'issued',
  corrected: 'corrected',
  early: 'early',
  leftOut: 'left_out',
  unprintable: 'unprintable',
} as const;
const COUNTED = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
export type Counts = Record<keyof typeof COLUMNS, number>;

export const none = (): Counts => ({ done: 0, issued: 0, corrected: 0, early: 0, leftOut: 0, unprintable: 0 });

/** Counts what was done for a batch, whole and for each program, and keeps which accounts were left out and why. */
export async function countBatch(
  database: Database,
  transaction: SqlTransaction,
  { runId, from }: RunBatch,
  due: DueDocuments,
): Promise<void> {
  const programs = countsOf(due);
  const total = none();
  for (const counts of programs.values()) addTo(total, counts);
  const em = database.em(transaction);
  const counted = await em
    .createQueryBuilder(IssueBatch)
    .insert({ runId, fromAccountId: from, toAccountId: null, accountIds: null, doneAt: raw('now()') })
    .onConflict(['runId', 'fromAccountId'])
    .merge(['doneAt'])
    .where({ doneAt: null })
    .returning('runId')
    .execute<object[]>('all');
  // A batch that is done again counts no second time.
  if (counted.length === 0) return;
  // Numbers are added to where they stand, so that batches of a run may be done side by side. The row of the run is
  // locked first, so batches of the same programs never wait for each other in a circle.
  const added = Object.fromEntries(COUNTED.map(name => [name, raw('?? + ?', [COLUMNS[name], total[name]])]));
  const finishedAt = raw<Date>('CASE WHEN done + ? >= accounts THEN now() END', [total.done]);
  await em.nativeUpdate(IssueRun, { runId }, { ...added, finishedAt });
  const shares = Array.from(programs, ([program, counts]) => ({ runId, program, accounts: 0, ...counts }));
  if (shares.length > 0) {
    const sums = COUNTED.map(name => [name, raw(`issue_run_program.${COLUMNS[name]} + excluded.${COLUMNS[name]}`)]);
    await em
      .createQueryBuilder(IssueRunProgram)
      .insert(shares)
      .onConflict(['runId', 'program'])
      .merge(Object.fromEntries(sums) as EntityData<IssueRunProgram>)
      .execute();
  }
  if (due.leftOut.length > 0) {
    const leftOut = due.leftOut.map(({ program, accountId, reasons }) => ({ runId, program, accountId, reasons }));
    await em.insertMany(IssueLeftOut, leftOut);
  }
}

/** Adds counts to a total. */
export function addTo(total: Counts, counts: Counts): void {
  for (const name of COUNTED) total[name] += counts[name];
}

/** The counts of each program that has accounts in a batch. */
export function countsOf({ accounts, documents, leftOut }: DueDocuments): Map<string, Counts> {
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
