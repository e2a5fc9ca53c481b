import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { apart } from '../../../platform/database/keyed.js';
import type { SqlQuery } from '../../../platform/database/transaction.js';
import type { Draft } from '../../../platform/repository/batched-repository.js';
import { transpose } from '../../../platform/repository/by-ordinal.js';
import type { MovedLedger } from '../transaction.ledger.js';

/** As often the end of a ledger is looked through for marks that are missing. */
const ENTRIES_BEFORE_MARKS = 128;

// A function of the database, which computes the marks.
const MARK = apart(
  { name: 'balances_mark', text: 'SELECT mark_balances($1::text[], $2::int8[])' },
  { arrays: 2, text: 'SELECT mark_balances_of($1::text, $2::int8)' },
);

/**
 * The statement that the trigger `balance_marks` runs for entries that were added. Where accounts are on many servers
 * no trigger may read another table, so it is a statement behind the entries.
 */
const MOVE_MARKS: Statement = {
  name: 'balance_marks_move/1',
  text: 'SELECT move_marks($1::text, $2::int8, $3::int8)',
};

/** The statements that are sent behind entries where accounts are on many servers. Shorter ledgers have no marks. */
export function movingMarks(entries: readonly Draft[]): StatementPart[] {
  return [...Map.groupBy(entries, entry => entry['account_id'] as string)].flatMap(([accountId, added]) => {
    const seqs = added.map(entry => Number(entry['seq']));
    const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
    return last < ENTRIES_BEFORE_MARKS ? [] : [{ statement: MOVE_MARKS, values: [accountId, first, last] }];
  });
}

/**
 * Makes the statements that add marks to ledgers, after their entries were written: none for most, since a mark comes
 * only now and then. The function of the database puts marks 64 entries apart, also among those that were posted late;
 * and the trigger `balance_marks` of the ledger sees to it that what is posted late is in all marks after it.
 */
export function marking(ledgers: readonly MovedLedger[]): SqlQuery[] {
  const long = ledgers.flatMap(({ accountId, head: { seqBefore, lastSeq } }) => {
    const looked = seqBefore - (seqBefore % ENTRIES_BEFORE_MARKS);
    return lastSeq - looked >= ENTRIES_BEFORE_MARKS ? [[accountId, looked]] : [];
  });
  return long.length === 0 ? [] : [{ statement: MARK, values: transpose(long) }];
}
