import { daysIn } from 'tillgate/noun';
import type { DemoAccount } from './demo-bank.js';
import { amountOf } from './demo-words.js';
import { checkingMonth, savingsMonth, type Draft } from './demo-month.js';
import { Random } from './random.js';

/** The demo history begins in January of this year, so that what pages show of it stays as it is. */
const FIRST_YEAR = 2025;
const HOUR_MS = 3_600_000;

/**
 * The history of an account from January 2025 up to the day before `today` (YYYY-MM-DD). Another day adds to it, or
 * leaves out its end, and changes nothing: each month is drawn by itself.
 */
export function demoTransactions(accountId: string, account: DemoAccount, seed: number, today: string): object[] {
  const drafts = monthsUntil(today).flatMap(({ year, month }) => {
    const random = new Random(seed * 10_000 + (year - FIRST_YEAR) * 12 + month);
    const ofMonth = account.type === 'CHECKING' ? checkingMonth(random) : savingsMonth(account.type, month, random);
    return ofMonth.map(draft => ({
      ...draft,
      name: `${accountId}-${year}${two(month)}`,
      at: instantOf(draft, year, month),
    }));
  });
  const past = drafts.filter(({ at }) => at < `${today}T00`);
  return past.sort((a, b) => (a.at < b.at ? -1 : 1)).map(draft => recordOf(accountId, account, draft));
}

function recordOf(
  accountId: string,
  { currency }: DemoAccount,
  { name, at, key, after, ...draft }: Draft & { readonly name: string; readonly at: string },
): object {
  const { direction, category, type, status = 'POSTED', description, units, lineItem = [] } = draft;
  const fee = type === 'FEE';
  return {
    depositTransaction: {
      transactionId: `${name}-${key}`,
      ...(after !== undefined && { referenceTransactionId: `${name}-${after}` }),
      ...(draft.reference !== undefined && { reference: draft.reference }),
      accountId,
      amount: Number(amountOf(units, currency)),
      debitCreditMemo: direction,
      category,
      transactionType: type,
      status,
      description,
      ...(draft.memo !== undefined && { memo: draft.memo }),
      transactionTimestamp: at,
      ...(status === 'POSTED' && { postedTimestamp: at }),
      additionalInformation: [
        { key: 'usage', value: fee ? 'FEES' : 'MONETARY' },
        { key: 'direction', value: direction === 'CREDIT' ? 'RECEIVING' : 'ORIGINATING' },
      ],
      lineItem: lineItem.map(item => ({ ...item, imageIds: item.imageIds?.map(image => `${name}-${image}`) ?? [] })),
    },
  };
}

function monthsUntil(today: string): { year: number; month: number }[] {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const count = Math.max(0, (year - FIRST_YEAR) * 12 + month);
  return Array.from({ length: count }, (_, index) => ({
    year: FIRST_YEAR + Math.floor(index / 12),
    month: (index % 12) + 1,
  }));
}

/**
 * The last day of a month stands for all later ones. In working hours of America, so that it is the same day nearly
 * everywhere.
 */
function instantOf({ day, minute }: Draft, year: number, month: number): string {
  const last = daysIn(year, month);
  return new Date(Date.UTC(year, month - 1, Math.min(day, last)) + 13 * HOUR_MS + minute * 60_000).toISOString();
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
