import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { IssueAccount } from './issue-accounts.js';
import type { Period } from './period.js';

/** The longest statement. Whoever has more entries in a month gets them as a file from the bank's own systems. */
export const MAX_ENTRIES = 20_000;

/** An entry of the ledger as a statement has it. */
export interface PostedEntry {
  /** The day it was posted, on the clock of the account. */
  readonly postedOn: string;
  readonly transactionId: string;
  readonly description: string;
  readonly transactionType: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amountMinor: bigint;
  readonly isFee: boolean;
}

/** What an account's ledger has for the statement of a month. */
export interface MonthOnLedger {
  /** How many monthly statements there were when this was read: one more means that it has to be read again. */
  readonly known: number;
  /** How much of the ledger the statement knows. */
  readonly throughSeq: bigint;
  readonly openingMinor: bigint;
  readonly interestOfYearMinor: bigint;
  /** In ledger order, at most `MAX_ENTRIES` and one more. */
  readonly entries: readonly PostedEntry[];
}

type Neighbours = [
  n: number,
  known: number,
  isIssued: boolean,
  earlierDate: string | null,
  earlierThrough: bigint | null,
  earlierClosing: bigint | null,
  laterThrough: bigint | null,
];

const MONTHLY = `s.document_type = 'STATEMENTS' AND s.source = 'PLATFORM' AND s.account_id = k.account_id`;
const NEIGHBOURS = statementOf(
  `SELECT k.n::int, (SELECT count(*)::int FROM statement s WHERE ${MONTHLY}),
     EXISTS (SELECT FROM statement s WHERE ${MONTHLY} AND s.statement_date = $2::date),
     p.statement_date, p.through_seq, p.amount_minor, f.through_seq
   FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
   LEFT JOIN LATERAL (SELECT * FROM statement s WHERE ${MONTHLY} AND s.statement_date < $2::date ORDER BY s.statement_date DESC LIMIT 1) p ON true
   LEFT JOIN LATERAL (SELECT * FROM statement s WHERE ${MONTHLY} AND s.statement_date > $2::date ORDER BY s.statement_date LIMIT 1) f ON true
   ORDER BY k.n`,
);

const MOVED = `t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO'`;
const MOVEMENT = `coalesce(sum(CASE t.debit_credit_memo WHEN 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END), 0)::int8`;
const instant = (day: string): string => `((${day})::timestamp AT TIME ZONE k.zone)`;

// What moved between the statement before, if there is one, and the month; and the interest of the year up to the month's end. Both of
// what is known up to a number in ledger order.
const SUMS = statementOf(
  `SELECT k.n::int,
     (SELECT ${MOVEMENT} FROM transaction t WHERE t.account_id = k.account_id AND t.posted_timestamp < ${instant('$5::date')}
       AND t.posted_timestamp >= coalesce(${instant('k.earlier + 1')}, '-infinity') AND t.seq <= k.through AND ${MOVED}),
     (SELECT ${MOVEMENT} FROM transaction t WHERE t.account_id = k.account_id AND t.posted_timestamp >= ${instant('$6::date')}
       AND t.posted_timestamp < ${instant('$7::date + 1')} AND t.seq <= k.through AND t.transaction_type = 'INTEREST' AND ${MOVED})
   FROM unnest($1::text[], $2::text[], $3::int8[], $4::date[]) WITH ORDINALITY k(account_id, zone, through, earlier, n)`,
);

type EntryRow = [
  n: number,
  postedOn: string,
  transactionId: string,
  description: string,
  transactionType: string,
  direction: 'CREDIT' | 'DEBIT',
  amountMinor: bigint,
  isFee: boolean,
];

// Entries of the month, and those of the time before the last statement that were posted after it: no entry is on two statements.
const ENTRY = `t.seq, t.posted_timestamp, t.transaction_id, t.description, t.transaction_type, t.debit_credit_memo, t.amount_minor, t.additional_information`;
const ENTRIES = statementOf(
  `SELECT k.n::int, (t.posted_timestamp AT TIME ZONE k.zone)::date, t.transaction_id,
     coalesce(nullif(t.description, ''), t.transaction_type), t.transaction_type, t.debit_credit_memo, t.amount_minor,
     t.debit_credit_memo = 'DEBIT' AND (t.transaction_type = 'FEE' OR t.additional_information @> '[{"key": "usage", "value": "FEES"}]')
   FROM unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::date[]) WITH ORDINALITY k(account_id, zone, through, late_after, late_until, n)
   CROSS JOIN LATERAL (SELECT * FROM (
     SELECT ${ENTRY} FROM transaction t WHERE t.account_id = k.account_id AND t.posted_timestamp >= ${instant('$6::date')}
       AND t.posted_timestamp < ${instant('$7::date + 1')} AND t.seq <= k.through AND ${MOVED}
     UNION ALL
     SELECT ${ENTRY} FROM transaction t WHERE t.account_id = k.account_id AND t.seq > k.late_after AND t.seq <= k.through
       AND t.posted_timestamp < ${instant('k.late_until + 1')} AND ${MOVED}) u ORDER BY u.seq LIMIT ${MAX_ENTRIES + 1}) t
   ORDER BY k.n, t.seq`,
);

/**
 * What the ledgers have for the statements of a month, in the order of the accounts; null where there is a statement already.
 *
 * A statement knows the ledger up to the last entry there is when it is issued, and it never changes. What is posted later with a day of
 * its month is on the next statement that is issued. Where a later month is issued already, an earlier one is issued with what that
 * one knew, so that one's closing balance stays the next one's opening balance: it goes on from the statement before.
 */
export async function readMonth(
  database: Database,
  accounts: readonly IssueAccount[],
  { start, end, yearStart }: Period,
): Promise<(MonthOnLedger | null)[]> {
  const ids = accounts.map(({ accountId }) => accountId);
  const neighbours = await database.query<Neighbours>(NEIGHBOURS, [ids, end]);
  const due = accounts.flatMap((account, index) => {
    const [, known, isIssued, earlierDate, earlierThrough, earlierClosing, laterThrough] = neighbours[
      index
    ] as Neighbours;
    if (isIssued) return [];
    return [
      {
        account,
        known,
        throughSeq: laterThrough ?? account.lastSeq,
        carriedMinor: earlierClosing ?? 0n,
        earlierDate,
        // Where a later month is issued, what was posted late is on that one.
        lateAfter: laterThrough === null ? earlierThrough : null,
      },
    ];
  });
  const key = [due.map(({ account }) => account.accountId), due.map(({ account }) => account.timeZone)];
  const through = due.map(({ throughSeq }) => throughSeq);
  const earlier = due.map(({ earlierDate }) => earlierDate);
  const sums = await database.query<[number, bigint, bigint]>(SUMS, [...key, through, earlier, start, yearStart, end]);
  const lateAfter = due.map(({ lateAfter: after }) => after);
  const rows = await database.query<EntryRow>(ENTRIES, [...key, through, lateAfter, earlier, start, end]);
  const entries = due.map((): PostedEntry[] => []);
  for (const [n, postedOn, transactionId, description, transactionType, direction, amountMinor, isFee] of rows) {
    entries[n - 1]?.push({ postedOn, transactionId, description, transactionType, direction, amountMinor, isFee });
  }
  const months = new Map<string, MonthOnLedger>();
  for (const [n, movedMinor, interestOfYearMinor] of sums) {
    const { account, known, throughSeq, carriedMinor } = due[n - 1] as (typeof due)[number];
    const openingMinor = carriedMinor + movedMinor;
    months.set(account.accountId, {
      ...{ known, throughSeq, openingMinor, interestOfYearMinor },
      entries: entries[n - 1] ?? [],
    });
  }
  return accounts.map(({ accountId }) => months.get(accountId) ?? null);
}
