import { sql } from 'kysely';
import { kyselyOf, type Database } from '../../../platform/database/orm.js';
import type { SqlTransaction } from '../../../platform/database/transaction.js';
import type { AccountBatch } from './accounts.js';
import type { DueDocuments } from './documents-due.js';
import { IssueLeftOut, type IssueBatch, type IssueRun, type IssueRunProgram } from './issue-run.entity.js';

interface Tables {
  readonly IssueBatch: IssueBatch;
  readonly IssueRun: IssueRun;
  readonly IssueRunProgram: IssueRunProgram;
}

const COUNTED = ['done', 'issued', 'corrected', 'early', 'leftOut', 'unprintable'] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

const none = (): Counts => ({ done: 0, issued: 0, corrected: 0, early: 0, leftOut: 0, unprintable: 0 });

/** Counts what was done for a batch, whole and for each program, and keeps which accounts were left out and why. */
export async function countBatch(
  database: Database,
  transaction: SqlTransaction,
  { runId, from }: AccountBatch,
  due: DueDocuments,
): Promise<void> {
  const programs = countsOf(due);
  const total = none();
  for (const counts of programs.values()) {
    for (const name of COUNTED) total[name] += counts[name];
  }
  const em = database.em(transaction);
  const tables = kyselyOf<Tables>(em);
  const doneAt = sql<Date>`now()`;
  const isCounted = await tables
    .insertInto('IssueBatch')
    .values({ runId, fromAccountId: from, toAccountId: null, accountIds: null, doneAt })
    .onConflict(known =>
      known.columns(['runId', 'fromAccountId']).doUpdateSet({ doneAt }).where('IssueBatch.doneAt', 'is', null),
    )
    .returning('runId')
    .executeTakeFirst();
  // A batch that is done again counts no second time.
  if (!isCounted) return;
  // Numbers are added to where they stand, so that batches of a run may be done side by side. The row of the run is
  // locked first, so batches of the same programs never wait for each other in a circle.
  await tables
    .updateTable('IssueRun')
    .set(run => ({
      ...Object.fromEntries(COUNTED.map(name => [name, run(name, '+', total[name])])),
      finishedAt: run
        .case()
        .when(run('done', '+', total.done), '>=', run.ref('accounts'))
        .then(sql<Date>`now()`)
        .end(),
    }))
    .where('runId', '=', runId)
    .execute();
  const shares = Array.from(programs, ([program, counts]) => ({ runId, program, accounts: 0, ...counts }));
  if (shares.length > 0) {
    await tables
      .insertInto('IssueRunProgram')
      .values(shares)
      .onConflict(known =>
        known
          .columns(['runId', 'program'])
          .doUpdateSet(share =>
            Object.fromEntries(
              COUNTED.map(name => [name, share(`IssueRunProgram.${name}`, '+', share.ref(`excluded.${name}`))]),
            ),
          ),
      )
      .execute();
  }
  if (due.leftOut.length > 0) {
    const leftOut = due.leftOut.map(({ program, accountId, reasons }) => ({ runId, program, accountId, reasons }));
    await em.insertMany(IssueLeftOut, leftOut);
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
