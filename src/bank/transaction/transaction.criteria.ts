import type { AccountView } from '../account/account.entity.js';
import { dayOf, startOfDay } from '../../shared/days.js';
import { isDay } from '../../shared/calendar.js';
import { currenciesOf, currencyDigits } from '../../shared/money.js';
import type { TransactionQuery } from './transaction.filter.js';

/** Which transactions are asked for. A transaction must match every criterion that is given. */
export type TransactionCriteria = Readonly<TransactionQuery>;

/** Criteria of several values, with the column that must have one of them. */
const LISTS = {
  status: 't.status',
  debitCreditMemo: 't.debit_credit_memo',
  category: 't.category',
  transactionType: 't.transaction_type',
} as const;

type SingleValueName = Exclude<keyof TransactionQuery, keyof typeof LISTS>;

/** Criteria of one value, with their SQL. */
const SINGLES: Readonly<Record<SingleValueName, (value: string, query: LedgerQuery) => string>> = {
  startTime: (time, query) => `t.posted_timestamp >= ${query.instant(time, 0)}`,
  endTime: (time, query) => `t.posted_timestamp < ${query.instant(time, 1)}`,
  minAmount: (amount, query) => `t.amount_minor >= ceil(${query.parameter(amount)}::numeric * ${query.minorUnits})`,
  maxAmount: (amount, query) => `t.amount_minor <= floor(${query.parameter(amount)}::numeric * ${query.minorUnits})`,
  search: (text, query) => {
    const pattern = query.parameter(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
    return `(t.description ILIKE ${pattern} OR t.memo ILIKE ${pattern})`;
  },
};

export const SINGLE_CRITERIA = Object.keys(SINGLES) as SingleValueName[];
export const LIST_CRITERIA = Object.keys(LISTS) as (keyof typeof LISTS)[];

/** Criteria as the query of an address has them. One of several values can be repeated, or separated by commas. */
export function filtersOf(query: URLSearchParams): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  for (const name of SINGLE_CRITERIA) if (query.has(name)) filters[name] = query.get(name);
  for (const name of LIST_CRITERIA) {
    if (query.has(name)) filters[name] = query.getAll(name).flatMap(text => text.split(','));
  }
  return filters;
}

export function isUnfiltered(criteria: TransactionCriteria): boolean {
  return Object.values(criteria).every(value => value === undefined || value === null);
}

const currencyIs = (digits: number): string => `a.currency IN ('${currenciesOf(digits).join("', '")}')`;
const MINOR_UNITS = `CASE WHEN ${currencyIs(0)} THEN 1 WHEN ${currencyIs(3)} THEN 1000 WHEN ${currencyIs(4)} THEN 10000 ELSE 100 END`;

/**
 * The values and conditions of a statement about transactions `t` of one account, or of many, whose rows are `a`. Its
 * text depends only on which criteria are given, so there are few.
 */
export class LedgerQuery {
  readonly values: unknown[] = [];
  private timeZone: string | null = null;

  constructor(private readonly account: AccountView | null) {}

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  conditionsOf(criteria: TransactionCriteria): string[] {
    return [
      ...SINGLE_CRITERIA.flatMap(name => {
        const value = criteria[name];
        return value ? SINGLES[name](value, this) : [];
      }),
      ...LIST_CRITERIA.flatMap(name => {
        const values = criteria[name];
        return values ? `${LISTS[name]} = ANY(${this.parameter(values)}::text[])` : [];
      }),
    ];
  }

  /** The number of minor units of a unit of the currency: 100 for USD. */
  get minorUnits(): string {
    return this.account ? String(10 ** currencyDigits(this.account.currency)) : MINOR_UNITS;
  }

  /** The instant at which a day begins, or with `daysLater` 1 ends. An instant is itself. */
  instant(time: string, daysLater: 0 | 1): string {
    if (!isDay(time)) return `${this.parameter(time)}::timestamptz`;
    return startOfDay(`${this.parameter(time)}::date + ${daysLater}`, this.zone);
  }

  /** The day on which a transaction was posted, as text. */
  get postedDay(): string {
    return `${dayOf('t.posted_timestamp', this.zone)}::text`;
  }

  /** A parameter only if it is used: PostgreSQL takes none that the statement does not mention. */
  private get zone(): string {
    if (!this.account) return 'a.time_zone';
    return (this.timeZone ??= `${this.parameter(this.account.timeZone)}::text`);
  }
}
