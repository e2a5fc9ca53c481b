import { randomUUID } from 'node:crypto';
import type { StatementsWithoutActivity } from '../../program/program.entity.js';
import { mask } from '../../../shared/mask.js';
import { decimalOf } from '../../../shared/money.js';
import type { Issuer, StatementContent, Total } from '../statement.content.js';
import type { Addressee } from './accounts.js';
import type { LedgerMonth, PostedEntry } from './ledger.js';
import { daysThrough, type Period } from './period.js';

const DAYS_A_YEAR = 365;
/** A higher yield is misleading: some cents earned interest that belongs to a larger balance. */
const MAX_YIELD_PERCENT = 9999;

/**
 * True if an account gets a statement of the month: one with transactions always, another one as its program says. A
 * quarter is the longest time without a statement of an account from which transfers are possible (12 CFR 1005.9(b)).
 */
export function isStatementDue(
  { account, openingMinor, entries }: LedgerMonth,
  { end }: Period,
  withoutActivity: StatementsWithoutActivity,
): boolean {
  if (entries.length > 0) return true;
  if (withoutActivity === 'ALWAYS') return account.isOpen;
  const isQuarterEnd = Number(end.slice(5, 7)) % 3 === 0;
  return openingMinor !== 0n && (withoutActivity === 'WITH_BALANCE' || isQuarterEnd);
}

/**
 * Returns the content of a statement, and its closing balance, which is its opening balance and its entries, in minor
 * units.
 */
export function monthlyContent(
  issuer: Issuer,
  owners: readonly Addressee[],
  month: Period,
  { account, openingMinor, ofYear, entries }: LedgerMonth,
): { content: StatementContent; closingMinor: bigint } {
  const { accountId, accountType, currency, timeZone } = account;
  const period = ownPeriod(month, account.openedOn, openingMinor, entries);
  const decimal = (minor: bigint): string => decimalOf(minor, currency);
  const totalOf = (some: readonly PostedEntry[]): Total => ({
    count: some.length,
    amount: decimal(sumOf(some.map(({ amountMinor }) => amountMinor))),
  });
  const fees = entries.filter(({ isFee }) => isFee);
  const interestMinor = sumOf(entries.filter(({ transactionType }) => transactionType === 'INTEREST').map(movement));
  const balanceDays = dailyBalances(openingMinor, entries, period);
  let balanceMinor = openingMinor;
  const shown = entries.map(entry => {
    balanceMinor += movement(entry);
    const { transactionId, postedOn, description, transactionType, direction, amountMinor } = entry;
    const [amount, balance] = [decimal(amountMinor), decimal(balanceMinor)];
    return { transactionId, postedOn, description, transactionType, direction, amount, balance };
  });
  const content: StatementContent = {
    statementId: randomUUID(),
    issuer,
    account: { number: mask(accountId), type: accountType, currency, timeZone },
    owners: owners.map(({ name }) => name),
    addressLines: owners[0]?.addressLines ?? [],
    period,
    issuedOn: account.today,
    openingBalance: decimal(openingMinor),
    closingBalance: decimal(balanceMinor),
    credits: totalOf(entries.filter(({ direction }) => direction === 'CREDIT')),
    debits: totalOf(entries.filter(({ direction }) => direction === 'DEBIT')),
    fees: {
      items: Array.from(
        Map.groupBy(fees, ({ description }) => description),
        ([description, ofKind]) => ({ description, ...totalOf(ofKind) }),
      ),
      total: totalOf(fees).amount,
      totalYearToDate: decimal(ofYear.feesMinor),
    },
    ...overdraftOf(fees, ofYear, decimal),
    interest: {
      paid: decimal(interestMinor),
      paidYearToDate: decimal(ofYear.interestMinor),
      averageDailyBalance: decimal(mean(balanceDays, BigInt(period.days))),
      annualPercentageYieldEarned: yieldEarned(interestMinor, balanceDays, period.days),
    },
    entries: shown,
  };
  return { content, closingMinor: balanceMinor };
}

/** Returns the part of the fees that overdrafts and returned items cost; nothing where there were none this year. */
function overdraftOf(
  fees: readonly PostedEntry[],
  { overdraftFeesMinor, returnedItemFeesMinor }: LedgerMonth['ofYear'],
  decimal: (minor: bigint) => string,
): Pick<StatementContent, 'overdraft'> {
  const ofKind = (kind: string): bigint =>
    sumOf(fees.filter(({ category }) => category === kind).map(({ amountMinor }) => amountMinor));
  const [overdrafts, returns] = [ofKind('OVERDRAFT'), ofKind('RETURNEDITEM')];
  if ([overdrafts, returns, overdraftFeesMinor, returnedItemFeesMinor].every(minor => minor === 0n)) return {};
  return {
    overdraft: {
      fees: { period: decimal(overdrafts), yearToDate: decimal(overdraftFeesMinor) },
      returnedItemFees: { period: decimal(returns), yearToDate: decimal(returnedItemFeesMinor) },
    },
  };
}

/**
 * The part of a month that a statement is about: the first one of an account begins when it was opened, or with its
 * first entry where a ledger was imported that begins before.
 */
function ownPeriod(month: Period, openedOn: string, openingMinor: bigint, entries: readonly PostedEntry[]): Period {
  const [start = month.start] = [openedOn, ...entries.map(({ postedOn }) => postedOn)].toSorted();
  if (openingMinor !== 0n || start <= month.start || start > month.end) return month;
  return { ...month, start, days: daysThrough(start, month.end) };
}

/**
 * The sum of the balances at the end of each day of the period, in minor units. A day that ends below zero counts as
 * zero (12 CFR 1030, appendix A, part II.A). What was posted late counts from the first day.
 */
function dailyBalances(openingMinor: bigint, entries: readonly PostedEntry[], { start, end }: Period): bigint {
  const byDay = Map.groupBy(entries, ({ postedOn }) => (postedOn < start ? start : postedOn));
  // Between these days, the first one of which is the period's, the balance stays as it is.
  const turns = [...new Set([start, ...byDay.keys()])].toSorted();
  let balanceMinor = openingMinor;
  const weighted = turns.map((day, index) => {
    balanceMinor += sumOf((byDay.get(day) ?? []).map(movement));
    const next = turns[index + 1];
    const lasts = daysThrough(day, end) - (next === undefined ? 0 : daysThrough(next, end));
    return balanceMinor > 0n ? balanceMinor * BigInt(lasts) : 0n;
  });
  return sumOf(weighted);
}

/** A mean, rounded half up. */
function mean(sum: bigint, count: bigint): bigint {
  return (2n * sum + count) / (2n * count);
}

/**
 * The annual percentage yield earned, `100 [(1 + interest / balance)^(365 / days) - 1]`, in percent with two digits (12
 * CFR 1030, appendix A, part II.A). The balance is the exact mean, of which a statement prints a rounded one. null if
 * no interest was paid, or on no balance.
 */
function yieldEarned(interestMinor: bigint, balanceDays: bigint, days: number): string | null {
  if (interestMinor <= 0n || balanceDays <= 0n) return null;
  const rate = Number(interestMinor * BigInt(days)) / Number(balanceDays);
  const percent = 100 * ((1 + rate) ** (DAYS_A_YEAR / days) - 1);
  return percent <= MAX_YIELD_PERCENT ? percent.toFixed(2) : null;
}

function movement({ direction, amountMinor }: PostedEntry): bigint {
  return direction === 'CREDIT' ? amountMinor : -amountMinor;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
