import { dayOf } from '../../../shared/days.js';
import type { AccountView } from '../../account/account.entity.js';
import { statementOf } from '../../../../lib/pg-wire/statement.js';
import type { EntryOrder, ReportDay, ReportEntry } from '../../../../lib/account-report/report.js';
import type { Database } from '../../../platform/database/orm.js';
import { LedgerQuery } from '../transaction.criteria.js';
import { BOOKED_SQL } from '../transaction.entity.js';

/** The first and the last day of a range, `YYYY-MM-DD` where the account is. */
export interface DayRange {
  readonly start: string;
  readonly end: string;
}

/** The part of a ledger for a range of days, without the entries. */
export interface LedgerDays {
  readonly openingMinor: bigint;
  /** When the range was over, or now if it is not. */
  readonly asOf: string;
  readonly days: readonly ReportDay[];
  /** The number of the last entry; zero where there is none. */
  readonly lastSeq: number;
}

/** An entry without the balance, which follows from all entries before it. */
export type BookedEntry = Omit<ReportEntry, 'balanceMinor'>;

// The ledger, in which sums and days are computed where the entries are.
const ENTRIES = statementOf(
  `SELECT t.transaction_id, ${dayOf('t.posted_timestamp', '$2::text')}::text,
     coalesce(nullif(t.description, ''), t.transaction_type), nullif(t.memo, ''), t.transaction_type, t.debit_credit_memo,
     t.amount_minor::text
   FROM unnest($3::int8[]) WITH ORDINALITY k(seq, n) JOIN transaction t ON t.account_id = $1 AND t.seq = k.seq ORDER BY k.n`,
);

/**
 * Rows that are read at once, and written in one go. A reader that is slow holds so many, the numbers of the others,
 * and no connection.
 */
export const PAGE_ROWS = 250;

/** Asks for the next part of a long answer when its turn has come. */
export type Turn = <Part>(ask: () => Promise<Part>) => Promise<Part>;

type DayRow = [day: string, number, string, number, string, lastSeq: number];

/**
 * Reads the part of the ledger for a range, up to entry number `bound`. Entries count by the day on which they were
 * posted, in the time zone of the account.
 */
export async function readDays(
  database: Database,
  account: AccountView,
  { start, end }: DayRange,
  bound: number,
): Promise<LedgerDays> {
  const before = new LedgerQuery(account);
  const opening = `SELECT coalesce(sum(CASE t.debit_credit_memo WHEN 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END), 0)::text,
      date_trunc('milliseconds', least(now(), ${before.instant(end, 1)}))
    FROM transaction t WHERE ${bookedOf(before, account)} AND t.seq <= ${before.parameter(bound)}::int8
      AND t.posted_timestamp < ${before.instant(start, 0)}`;
  const within = new LedgerQuery(account);
  const side = (name: string): string =>
    `count(*) FILTER (WHERE t.debit_credit_memo = '${name}')::int, coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = '${name}'), 0)::text`;
  const where = rangeOf(within, account, { start, end }, bound);
  const perDay = `SELECT ${within.postedDay}, ${side('CREDIT')}, ${side('DEBIT')}, max(t.seq)::float8
    FROM transaction t WHERE ${where} GROUP BY 1 ORDER BY 1`;
  const [[sum], rows] = await Promise.all([
    database.read<[string, string]>(statementOf(opening), before.values),
    database.read<DayRow>(statementOf(perDay), within.values),
  ]);
  if (!sum) throw new Error('an aggregate gave no row');
  return {
    openingMinor: BigInt(sum[0]),
    asOf: sum[1],
    days: rows.map(([day, credits, credited, debits, debited]) => ({
      day,
      credits: { count: credits, minor: BigInt(credited) },
      debits: { count: debits, minor: BigInt(debited) },
    })),
    lastSeq: rows.reduce((most, row) => Math.max(most, row[5]), 0),
  };
}

type EntryRow = [
  id: string,
  day: string,
  description: string,
  memo: string | null,
  type: string,
  direction: 'CREDIT' | 'DEBIT',
  amountMinor: string,
];

/**
 * The entries of a range up to number `bound`, in pages. Their numbers are read first, from an index that has all that
 * selects them, so that a page costs the same wherever it is. Entries never change, so all pages together are the
 * ledger of one moment.
 */
export async function* readEntries(
  database: Database,
  account: AccountView,
  range: DayRange,
  bound: number,
  order: EntryOrder,
  turn: Turn,
): AsyncGenerator<readonly BookedEntry[]> {
  const numbers = new LedgerQuery(account);
  const where = rangeOf(numbers, account, range, bound);
  const by = order === 'day' ? `${numbers.postedDay}, t.seq` : 't.seq';
  const text = `SELECT t.seq::float8 FROM transaction t WHERE ${where} ORDER BY ${by}`;
  const rows = await turn(() => database.read<[number]>(statementOf(text), numbers.values));
  // A slow reader keeps them for minutes, and a row takes ten times as much memory as a number.
  const seqs = Float64Array.from(rows.splice(0), ([seq]) => seq);
  for (let at = 0; at < seqs.length; at += PAGE_ROWS) {
    const page = [...seqs.subarray(at, at + PAGE_ROWS)];
    const values = [account.accountId, account.timeZone, page];
    const entries = await turn(() => database.read<EntryRow>(ENTRIES, values));
    yield entries.map(entryOf);
  }
}

function entryOf([id, day, description, memo, type, direction, amountMinor]: EntryRow): BookedEntry {
  return { id, day, description, memo, type, direction, amountMinor: BigInt(amountMinor) };
}

function bookedOf(query: LedgerQuery, { accountId }: AccountView): string {
  return `t.account_id = ${query.parameter(accountId)} AND ${BOOKED_SQL}`;
}

function rangeOf(query: LedgerQuery, account: AccountView, { start, end }: DayRange, bound: number): string {
  return `${bookedOf(query, account)} AND t.seq <= ${query.parameter(bound)}::int8
    AND t.posted_timestamp >= ${query.instant(start, 0)} AND t.posted_timestamp < ${query.instant(end, 1)}`;
}
