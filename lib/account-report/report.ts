/**
 * The facts that a bank tells about an account and some days of it, for every format alike. Amounts are integers of
 * minor units; days are `YYYY-MM-DD` where the account is, and instants `2026-11-01T03:00:00.000Z`.
 */
export interface AccountReport {
  /** Follows from the contents: a report that is made again has this id again. 1 to 35 letters, digits and hyphens. */
  readonly id: string;
  readonly createdAt: string;
  /** The bank that keeps the account. `id` is 1 to 64 visible ASCII characters. */
  readonly bank: { readonly id: string; readonly name: string };
  readonly account: ReportAccount;
  /** Names, the primary owner first; empty where they are not told. */
  readonly owners: readonly string[];
  /** The first and the last day. */
  readonly period: { readonly start: string; readonly end: string };
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
  /** The days that have entries, the earliest first. An entry that was posted late is of the day that it has. */
  readonly days: readonly ReportDay[];
  /** The entries in parts, so that a long report is never in memory as a whole. */
  entries(order: EntryOrder): AsyncIterable<readonly ReportEntry[]>;
}

export interface ReportAccount {
  /** 1 to 64 visible ASCII characters. */
  readonly id: string;
  readonly type: 'CHECKING' | 'SAVINGS' | 'MONEY_MARKET' | 'CD';
  /** ISO 4217. */
  readonly currency: string;
  /** IANA, such as `America/New_York`: its days are the days of the report. */
  readonly timeZone: string;
  /** Minor units as a decimal text with the digits of the currency: `-6.00`, and `1250` of yen. */
  readonly decimalOf: (minor: bigint) => string;
}

/** `ledger`: as they were posted. `day`: of each day together, the days in order. */
export type EntryOrder = 'ledger' | 'day';

export interface ReportEntry {
  /** 1 to 64 visible ASCII characters, and never another one for the same entry. */
  readonly id: string;
  readonly day: string;
  readonly description: string;
  readonly memo: string | null;
  /** The bank's own word, 1 to 64 characters. */
  readonly type: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  /** Never negative. */
  readonly amountMinor: bigint;
  /** The balance after it, where the entries before it are those of ledger order. */
  readonly balanceMinor: bigint;
}

export interface ReportTotal {
  readonly count: number;
  readonly minor: bigint;
}

export interface ReportDay {
  readonly day: string;
  readonly credits: ReportTotal;
  readonly debits: ReportTotal;
}

/** The credits or the debits of all days. */
export function totalOf(days: readonly ReportDay[], side: 'credits' | 'debits'): ReportTotal {
  return days.reduce((sum, { [side]: { count, minor } }) => ({ count: sum.count + count, minor: sum.minor + minor }), {
    count: 0,
    minor: 0n,
  });
}
