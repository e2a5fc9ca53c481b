import type { Query } from '../../platform/database/transaction.js';
import { columnsOf } from '../../platform/repository/by-ordinal.js';
import type { MovedLedger } from '../transaction.ledger.js';

/** As often the end of a ledger is looked through for marks that are missing. */
const ENTRIES_BEFORE_MARKS = 128;

// A function of the database, which computes the marks.
const MARK = { name: 'balances_mark', text: 'SELECT mark_balances($1::text[], $2::int8[])' };

/**
 * What adds marks to ledgers, after their entries were written: nothing for most, since a mark comes only now and then.
 * The function of the database puts marks 64 entries apart, also among those that were posted late; and the trigger
 * `balance_marks` of the ledger sees to it that what is posted late is in all marks after it.
 */
export function marking(ledgers: readonly MovedLedger[]): Query[] {
  const long = ledgers.flatMap(({ accountId, head: { seqBefore, lastSeq } }) => {
    const looked = seqBefore - (seqBefore % ENTRIES_BEFORE_MARKS);
    return lastSeq - looked >= ENTRIES_BEFORE_MARKS ? [[accountId, looked]] : [];
  });
  return long.length === 0 ? [] : [{ statement: MARK, values: columnsOf(long) }];
}
