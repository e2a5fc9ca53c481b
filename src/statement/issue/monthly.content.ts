import { mask } from '../../shared/mask.js';
import { decimalOf } from '../../shared/money.js';
import type { Issuer, StatementContent, StatementEntry, Total } from '../statement.content.js';
import type { Addressee, IssueAccount } from './issue-accounts.js';
import type { MonthOnLedger, PostedEntry } from './monthly.ledger.js';
import { daysThrough, type Period } from './period.js';

export interface MonthlyStatement {
  readonly statementId: string;
  readonly issuer: Issuer;
  readonly account: IssueAccount;
  readonly owners: readonly Addressee[];
  readonly period: Period;
  readonly issuedOn: string;
  readonly ledger: MonthOnLedger;
}

const DAYS_A_YEAR = 365;
/** Beyond it a yield tells nobody anything: some cents earned interest that belongs to a larger balance. */
const MAX_YIELD_PERCENT = 9999;

/** Whether an account gets a statement of the month: it had a balance, or something happened. */
export function isStatementDue({ openingMinor, entries }: MonthOnLedger): boolean {
  return openingMinor !== 0n || entries.length > 0;
}

/** What a statement says, and its closing balance in minor units. Opening balance and entries make the closing balance. */
export function monthlyContent(statement: MonthlyStatement): { content: StatementContent; closingMinor: bigint } {
  const { statementId, issuer, account, owners, period, issuedOn, ledger } = statement;
  const { accountId, accountType, currency, timeZone } = account;
  const decimal = (minor: bigint): string => decimalOf(minor, currency);
  const { entries, closingMinor } = withBalances(ledger, decimal);
  const fees = ledger.entries.filter(({ isFee }) => isFee);
  const interestMinor = sumOf(
    ledger.entries.filter(({ transactionType }) => transactionType === 'INTEREST').map(movement),
  );
  const averageMinor = averageDailyBalance(ledger, period);
  const content: StatementContent = {
    statementId,
    issuer,
    account: { number: mask(accountId), type: accountType, currency, timeZone },
    owners: owners.map(({ name }) => name),
    addressLines: owners[0]?.addressLines ?? [],
    period: { start: period.start, end: period.end, days: period.days },
    issuedOn,
    openingBalance: decimal(ledger.openingMinor),
    closingBalance: decimal(closingMinor),
    credits: totalOf(
      ledger.entries.filter(({ direction }) => direction === 'CREDIT'),
      decimal,
    ),
    debits: totalOf(
      ledger.entries.filter(({ direction }) => direction === 'DEBIT'),
      decimal,
    ),
    fees: {
      items: Array.from(
        Map.groupBy(fees, ({ description }) => description),
        ([description, ofKind]) => ({
          description,
          ...totalOf(ofKind, decimal),
        }),
      ),
      total: totalOf(fees, decimal).amount,
    },
    interest: {
      paid: decimal(interestMinor),
      paidYearToDate: decimal(ledger.interestOfYearMinor),
      averageDailyBalance: decimal(averageMinor),
      annualPercentageYieldEarned: yieldEarned(interestMinor, averageMinor, period.days),
    },
    entries,
  };
  return { content, closingMinor };
}

/**
 * The balance at the end of each day, on average over the days of the period, rounded half away from zero to minor units
 * (12 CFR 1030, appendix A, part II.A). What was posted late counts from the first day.
 */
export function averageDailyBalance({ openingMinor, entries }: MonthOnLedger, { start, end, days }: Period): bigint {
  const weighted = entries.map(entry => {
    const day = entry.postedOn < start ? start : entry.postedOn;
    return movement(entry) * BigInt(daysThrough(day, end));
  });
  return dividedHalfUp(openingMinor * BigInt(days) + sumOf(weighted), BigInt(days));
}

/**
 * The annual percentage yield earned, `100 [(1 + interest / balance)^(365 / days) - 1]`, in percent with two digits (12 CFR 1030,
 * appendix A, part II.A). null where no interest was paid, or on no balance.
 */
export function yieldEarned(interestMinor: bigint, averageMinor: bigint, days: number): string | null {
  if (interestMinor <= 0n || averageMinor <= 0n) return null;
  const percent = 100 * ((1 + Number(interestMinor) / Number(averageMinor)) ** (DAYS_A_YEAR / days) - 1);
  return percent <= MAX_YIELD_PERCENT ? percent.toFixed(2) : null;
}

function withBalances(
  { openingMinor, entries }: MonthOnLedger,
  decimal: (minor: bigint) => string,
): { entries: StatementEntry[]; closingMinor: bigint } {
  let balanceMinor = openingMinor;
  const shown = entries.map(entry => {
    balanceMinor += movement(entry);
    const { transactionId, postedOn, description, transactionType, direction, amountMinor } = entry;
    const [amount, balance] = [decimal(amountMinor), decimal(balanceMinor)];
    return { transactionId, postedOn, description, transactionType, direction, amount, balance };
  });
  return { entries: shown, closingMinor: balanceMinor };
}

function movement({ direction, amountMinor }: PostedEntry): bigint {
  return direction === 'CREDIT' ? amountMinor : -amountMinor;
}

function totalOf(entries: readonly PostedEntry[], decimal: (minor: bigint) => string): Total {
  return { count: entries.length, amount: decimal(sumOf(entries.map(({ amountMinor }) => amountMinor))) };
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}
