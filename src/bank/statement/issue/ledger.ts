import { dayOf, startOfDay } from '../../../shared/days.js';
import { keyed } from '../../../platform/database/keyed.js';
import type { Database } from '../../../platform/database/orm.js';
import { byOrdinal, transpose, type WithOrdinal } from '../../../platform/repository/by-ordinal.js';
import { BOOKED_SQL } from '../../transaction/transaction.entity.js';
import { labelOf } from '../../../shared/labels.js';
import { MAX_ENTRIES, type StatementEntry } from '../statement.content.js';
import type { IssueAccount } from './accounts.js';
import type { Period } from './period.js';

/** An entry of the ledger that is on a statement. */
export interface PostedEntry extends Omit<StatementEntry, 'amount' | 'balance'> {
  readonly amountMinor: bigint;
  readonly isFee: boolean;
  /** `OVERDRAFT` and `RETURNEDITEM` tell fees apart (12 CFR 1030.11(a)). */
  readonly category: string;
}

/** The part of the ledger of an account for the statement of a month. */
export interface LedgerMonth {
  readonly account: IssueAccount;
  /** The number, in ledger order, of the last entry that the statement may know. */
  readonly throughSeq: bigint;
  readonly openingMinor: bigint;
  /** From the first day of the year to the last one of the month. */
  readonly ofYear: {
    readonly interestMinor: bigint;
    readonly feesMinor: bigint;
    readonly overdraftFeesMinor: bigint;
    readonly returnedItemFeesMinor: bigint;
  };
  /** In ledger order, at most `MAX_ENTRIES` and one more. */
  readonly entries: readonly PostedEntry[];
}

/** The amounts of a ledger for the boxes of a Form 1099-INT, in minor units. Negative where more was taken back. */
export interface TaxAmounts {
  /** Box 1: interest that was paid, less what was taken back. */
  readonly interestMinor: bigint;
  /** Box 2: the penalty for an early withdrawal from a time deposit. */
  readonly penaltyMinor: bigint;
  /** Box 4: federal income tax that was withheld. */
  readonly withheldMinor: bigint;
  /** Box 17: state income tax that was withheld. */
  readonly stateWithheldMinor: bigint;
}

/** The part of the ledger of an account for a Form 1099-INT. */
export interface LedgerYear extends TaxAmounts {
  readonly account: IssueAccount;
  /** The last form of the year, with its content as the vault keeps it; null if there is none. */
  readonly last: { readonly statementId: string; readonly sealedKey: Buffer; readonly content: Buffer } | null;
}

const postedTo = (accountId: string): string => `t.account_id = ${accountId} AND ${BOOKED_SQL}`;
// `+ 0` keeps the planner from reading the whole ledger by its numbers (ADR 5): for accounts of 4,000 entries the sums
// of a year take a thirtieth of the time.
const KNOWN = 't.seq + 0 <=';
/** The instants of days, of which the first may begin and the last may end in another time zone. */
const onDays = (first: string, last: string, zone: string, endZone = zone): string =>
  `t.posted_timestamp >= ${startOfDay(first, zone)} AND t.posted_timestamp < ${startOfDay(`${last} + 1`, endZone)}`;
/** The amounts in one direction less those in the other one. */
const net = (plus: 'CREDIT' | 'DEBIT', filter = ''): string =>
  `coalesce(sum(CASE t.debit_credit_memo WHEN '${plus}' THEN t.amount_minor ELSE -t.amount_minor END) ${filter}, 0)::int8`;
const issuedTo = (accountId: string): string => `s.account_id = ${accountId} AND s.source = 'PLATFORM'`;

const IS_FEE = `t.debit_credit_memo = 'DEBIT'
  AND (t.transaction_type = 'FEE' OR t.additional_information @> '[{"key": "usage", "value": "FEES"}]')`;
const feesOf = (filter: string): string => `coalesce(sum(t.amount_minor) FILTER (WHERE ${IS_FEE} ${filter}), 0)::int8`;

type MonthRow = [
  n: number,
  through: bigint,
  lateAfter: bigint | null,
  before: string | null,
  zoneBefore: string,
  startZone: string,
  endZone: string,
  openingMinor: bigint,
  interestMinor: bigint,
  feesMinor: bigint,
  overdraftFeesMinor: bigint,
  returnedItemFeesMinor: bigint,
];

// `p` is the last statement up to the end of the month, `f` the first one after it. If a later month is issued, what
// was posted late is on that one. The balance is carried from the statement before, with what was posted between it and
// the month.
//
// Documents are computed from the ledger by one statement for all accounts of a batch.
// The time zone of an account may change. A month begins where the one before it ended, in the zone that it was issued
// in, and ends where the next one begins if that is issued: so each entry is on one statement.
/** Accounts with their time zones and the ends of their ledgers. */
const LEDGERS = { account_id: 'text', zone: 'text', last_seq: 'int8' } as const;

const MONTHS = keyed(
  null,
  LEDGERS,
  ({ k, each, value }) => `SELECT ${k.n}::int, b.through, b.late_after, p.statement_date, z.before, z.first, z.last,
     coalesce(p.amount_minor, 0) + (SELECT ${net('CREDIT')} FROM transaction t WHERE ${postedTo(k.account_id)} AND ${KNOWN} b.through
       AND t.posted_timestamp < ${startOfDay(`${value(0)}::date`, 'z.first')}
       AND t.posted_timestamp >= coalesce(${startOfDay('p.statement_date + 1', 'z.before')}, '-infinity')),
     y.interest, y.fees, y.overdrafts, y.returns
   FROM ${each}(SELECT 1) one
   LEFT JOIN LATERAL (
     SELECT s.statement_date, s.through_seq, s.amount_minor, s.time_zone FROM statement s WHERE ${issuedTo(k.account_id)}
       AND s.document_type = 'STATEMENTS' AND s.statement_date <= ${value(1)}::date ORDER BY s.statement_date DESC LIMIT 1) p ON true
   LEFT JOIN LATERAL (
     SELECT s.through_seq, s.statement_date, s.time_zone FROM statement s WHERE ${issuedTo(k.account_id)}
       AND s.document_type = 'STATEMENTS' AND s.statement_date > ${value(1)}::date ORDER BY s.statement_date LIMIT 1) f ON true
   CROSS JOIN LATERAL (SELECT coalesce(p.time_zone, ${k.zone}) AS before,
     coalesce(CASE WHEN p.statement_date + 1 = ${value(0)}::date THEN p.time_zone END, ${k.zone}) AS first,
     coalesce(CASE WHEN date_trunc('month', f.statement_date)::date = ${value(1)}::date + 1 THEN f.time_zone END, ${k.zone}) AS last) z
   CROSS JOIN LATERAL (
     SELECT coalesce(f.through_seq, ${k.last_seq}) AS through,
       CASE WHEN f.through_seq IS NULL THEN p.through_seq END AS late_after) b
   CROSS JOIN LATERAL (
     SELECT ${net('CREDIT', `FILTER (WHERE t.transaction_type = 'INTEREST')`)} AS interest, ${feesOf('')} AS fees,
       ${feesOf(`AND t.category = 'OVERDRAFT'`)} AS overdrafts, ${feesOf(`AND t.category = 'RETURNEDITEM'`)} AS returns
     FROM transaction t WHERE ${postedTo(k.account_id)} AND ${KNOWN} b.through
       AND ${onDays(`date_trunc('year', ${value(0)}::date::timestamp)::date`, `${value(1)}::date`, k.zone)}) y
   WHERE p.statement_date IS DISTINCT FROM ${value(1)}::date ORDER BY ${k.n}`,
);

type EntryRow = [
  id: string,
  day: string,
  description: string | null,
  type: string,
  'CREDIT' | 'DEBIT',
  bigint,
  isFee: boolean,
  category: string,
];

// Entries of the month, and entries of earlier months that were posted after the last statement: no entry is on two
// statements.
const ENTRY = `t.seq, t.posted_timestamp, t.transaction_id, t.description, t.transaction_type, t.debit_credit_memo,
  t.amount_minor, t.category, t.additional_information`;
const ENTRIES = keyed(
  null,
  {
    account_id: 'text',
    zone: 'text',
    through: 'int8',
    late_after: 'int8',
    late_until: 'date',
    zone_before: 'text',
    start_zone: 'text',
    end_zone: 'text',
  },
  ({ k, each, value }) => `SELECT t.transaction_id, ${dayOf('t.posted_timestamp', k.zone)},
     nullif(t.description, ''), t.transaction_type, t.debit_credit_memo, t.amount_minor,
     ${IS_FEE}, t.category, ${k.n}::int
   FROM ${each}LATERAL (SELECT * FROM (
     SELECT ${ENTRY} FROM transaction t WHERE ${postedTo(k.account_id)} AND ${KNOWN} ${k.through}
       AND ${onDays(`${value(0)}::date`, `${value(1)}::date`, k.start_zone, k.end_zone)}
     UNION ALL
     SELECT ${ENTRY} FROM transaction t WHERE ${postedTo(k.account_id)} AND t.seq <= ${k.through} AND t.seq > ${k.late_after}
       AND t.posted_timestamp < ${startOfDay(`${k.late_until} + 1`, k.zone_before)}) u ORDER BY u.seq LIMIT ${MAX_ENTRIES + 1}) t
   ORDER BY ${k.n}, t.seq`,
);

/**
 * Reads the parts of ledgers for the statements of a month that are missing, in the order of the accounts.
 *
 * A statement knows the ledger up to the last entry at its issue, and it never changes. What is posted later with a day
 * of its month is on the next statement that is issued. If a later month is issued already, an earlier one is issued
 * with what that one knew and continues from the statement before it, so its closing balance stays the opening balance
 * of the next one.
 */
export async function readMonths(
  database: Database,
  accounts: readonly IssueAccount[],
  { start, end }: Period,
): Promise<LedgerMonth[]> {
  const months = await database.query<MonthRow>(MONTHS, [...keysOf(accounts), start, end]);
  if (months.length === 0) return [];
  const keys = months.map(([n, through, lateAfter, before, ...zones]) => {
    const { accountId, timeZone } = accounts[n - 1] as IssueAccount;
    return [accountId, timeZone, through, lateAfter, before, ...zones.slice(0, 3)];
  });
  const rows = await database.query<WithOrdinal<EntryRow>>(ENTRIES, [...transpose(keys), start, end]);
  const entries = byOrdinal<EntryRow, PostedEntry>(
    rows,
    months.length,
    ([transactionId, postedOn, described, transactionType, direction, amountMinor, isFee, category]) => {
      const description = described ?? labelOf(transactionType);
      return { transactionId, postedOn, description, transactionType, direction, amountMinor, isFee, category };
    },
  );
  return months.map(([n, throughSeq, , , , , , openingMinor, interestMinor, feesMinor, overdrafts, returns], index) => {
    const account = accounts[n - 1] as IssueAccount;
    const ofYear = { interestMinor, feesMinor, overdraftFeesMinor: overdrafts, returnedItemFeesMinor: returns };
    return { account, throughSeq, openingMinor, ofYear, entries: entries[index] ?? [] };
  });
}

type YearRow = [
  bigint,
  bigint,
  bigint,
  bigint,
  lastId: string | null,
  sealedKey: Buffer | null,
  content: Buffer | null,
];

const netOfType = (type: string, plus: 'CREDIT' | 'DEBIT'): string =>
  net(plus, `FILTER (WHERE t.transaction_type = '${type}')`);

const YEARS = keyed(
  null,
  LEDGERS,
  ({
    k,
    each,
    value,
  }) => `SELECT y.interest, y.penalty, y.withheld, y.state_withheld, f.statement_id, f.sealed_key, f.content
   FROM ${each}(SELECT 1) one
   LEFT JOIN LATERAL (
     SELECT * FROM statement s WHERE ${issuedTo(k.account_id)} AND s.document_type = 'TAX_1099'
       AND s.statement_date = ${value(1)}::date AND NOT EXISTS (
       SELECT FROM statement c WHERE c.account_id = s.account_id AND c.corrects_statement_id = s.statement_id)) f ON true
   LEFT JOIN LATERAL (
     SELECT s.time_zone FROM statement s WHERE ${issuedTo(k.account_id)} AND s.document_type = 'TAX_1099'
       AND s.statement_date = ${value(0)}::date - 1 ORDER BY s.issued_at LIMIT 1) p ON true
   CROSS JOIN LATERAL (
     SELECT ${netOfType('INTEREST', 'CREDIT')} AS interest, ${netOfType('EARLYWITHDRAWALPENALTY', 'DEBIT')} AS penalty,
       ${netOfType('FEDERALTAXWITHHELD', 'DEBIT')} AS withheld, ${netOfType('STATETAXWITHHELD', 'DEBIT')} AS state_withheld
     FROM transaction t WHERE ${postedTo(k.account_id)} AND ${KNOWN} ${k.last_seq}
       AND ${onDays(`${value(0)}::date`, `${value(1)}::date`, `coalesce(p.time_zone, ${k.zone})`, `coalesce(f.time_zone, ${k.zone})`)}) y
   ORDER BY ${k.n}`,
);

/** Reads the parts of ledgers for a tax year, in the order of the accounts. */
export async function readYears(
  database: Database,
  accounts: readonly IssueAccount[],
  { start, end }: Period,
): Promise<LedgerYear[]> {
  const rows = await database.query<YearRow>(YEARS, [...keysOf(accounts), start, end]);
  return rows.map((row, index) => {
    const [interestMinor, penaltyMinor, withheldMinor, stateWithheldMinor, statementId, sealedKey, content] = row;
    const account = accounts[index] as IssueAccount;
    const last = statementId && sealedKey && content ? { statementId, sealedKey, content } : null;
    return { account, interestMinor, penaltyMinor, withheldMinor, stateWithheldMinor, last };
  });
}

function keysOf(accounts: readonly IssueAccount[]): unknown[][] {
  return transpose(accounts.map(({ accountId, timeZone, lastSeq }) => [accountId, timeZone, lastSeq]));
}
