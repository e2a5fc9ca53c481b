import { isDay, utcInstantOf } from '../shared/calendar.js';
import { currencyDigits } from '../shared/money.js';
import type { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';

/** Which transactions, whichever door asked. The filters of `transaction.inputs` hold what was sent to its rules. */
export interface TransactionCriteria {
  readonly startTime?: string | null;
  readonly endTime?: string | null;
  readonly debitCreditMemo?: readonly DebitCreditMemo[] | null;
  readonly category?: readonly string[] | null;
  readonly transactionType?: readonly string[] | null;
  readonly status?: readonly TransactionStatus[] | null;
  readonly minAmount?: string | null;
  readonly maxAmount?: string | null;
  readonly search?: string | null;
}

/** The account's side of a condition, as SQL: its time zone, and how many minor units its currency's unit has. */
export interface AccountTerms {
  readonly zone: string;
  readonly minorUnits: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
/** How a day and an instant are written; which of them there are, the calendar knows. */
export const TIME_FORM = new RegExp(`${DAY.source}|${UTC_TIME.source}`);
const DAY_MS = 86_400_000;

/** Conditions on a transaction `t`. `parameter` takes a value and gives the SQL that stands for it. */
export function conditionsOf(
  criteria: TransactionCriteria,
  terms: AccountTerms,
  parameter: (value: unknown) => string,
): string[] {
  const { startTime, endTime, debitCreditMemo, category, transactionType, status, minAmount, maxAmount, search } =
    criteria;
  const conditions: string[] = [];
  const oneOf = (column: string, values: readonly string[]): void =>
    void conditions.push(`${column} = ANY(${parameter(values)}::text[])`);
  if (startTime) conditions.push(`t.posted_timestamp >= ${instantOf(startTime, 0, terms, parameter)}`);
  if (endTime) conditions.push(`t.posted_timestamp < ${instantOf(endTime, 1, terms, parameter)}`);
  if (debitCreditMemo) oneOf('t.debit_credit_memo', debitCreditMemo);
  if (category) oneOf('t.category', category);
  if (transactionType) oneOf('t.transaction_type', transactionType);
  if (status) oneOf('t.status', status);
  if (minAmount) conditions.push(`t.amount_minor >= ceil(${parameter(minAmount)}::numeric * ${terms.minorUnits})`);
  if (maxAmount) conditions.push(`t.amount_minor <= floor(${parameter(maxAmount)}::numeric * ${terms.minorUnits})`);
  if (search) {
    const pattern = parameter(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`(t.description ILIKE ${pattern} OR t.memo ILIKE ${pattern})`);
  }
  return conditions;
}

/** How many minor units a currency's unit has: 100 for USD. */
export function minorUnitsOf(currency: string): number {
  return 10 ** currencyDigits(currency);
}

/** A day begins on the account's own clock; `daysLater` 1 is the end of it. An instant is itself. */
function instantOf(time: string, daysLater: 0 | 1, terms: AccountTerms, parameter: (value: unknown) => string): string {
  if (!DAY.test(time)) return `${parameter(time)}::timestamptz`;
  const midnight = `(${parameter(time)}::date + ${daysLater})::timestamp`;
  // Where clocks go back at one, they show midnight twice (Havana, the Azores), and PostgreSQL means the second: the day begins an hour after 23:00.
  return `least(${midnight} AT TIME ZONE ${terms.zone}, (${midnight} - interval '1 hour') AT TIME ZONE ${terms.zone} + interval '1 hour')`;
}

/** A day, or an instant in UTC, that the calendar has. */
export function isTime(text: string): boolean {
  return isDay(text) || (UTC_TIME.test(text) && utcInstantOf(text) !== null);
}

/** Whether a range of times ends before it begins, wherever the account is. */
export function isReversed(start: string, end: string): boolean {
  if (DAY.test(start) === DAY.test(end)) return Date.parse(start) > Date.parse(end);
  // A day against an instant depends on the account's zone, so only what is reversed in every zone is refused.
  return Date.parse(start) - Date.parse(end) > 2 * DAY_MS;
}
