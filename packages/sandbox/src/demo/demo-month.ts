import { BILLS, INTEREST, MONTHLY_FEE, MONTHLY_FEE_UNITS, SALARY, SHOPS, WIRE } from './demo-words.js';
import type { Random } from './random.js';

interface Time {
  readonly day: number;
  /** After 13:00 UTC. */
  readonly minute: number;
}

/** An entry of a month, before it belongs to an account and a year. */
export interface Draft extends Time {
  /** Names the entry in its month. */
  readonly key: string;
  /** The key of an earlier entry of the month that this one posts or takes back. */
  readonly after?: string;
  readonly direction: 'CREDIT' | 'DEBIT' | 'MEMO';
  readonly category: string;
  readonly type: string;
  /** POSTED where nothing is said. */
  readonly status?: 'AUTHORIZATION' | 'PENDING' | 'MEMO';
  readonly description: string;
  readonly reference?: string;
  readonly memo?: string;
  readonly lineItem?: readonly DraftLine[];
  /** In units of the currency's size: about a dollar. */
  readonly units: number;
}

interface DraftLine {
  readonly description: string;
  readonly reference?: string;
  readonly imageIds?: readonly string[];
}

const FRIENDS = ['Picnic', 'Concert tickets', 'Shared ride', 'Birthday present'];
const LAST_DAY = 31;

/**
 * A salary, rent and a bill, purchases by card with one that is authorised first and one that comes back, a check,
 * cash, a transfer, a fee. What is drawn is drawn in the order of the list, so another order would be another history.
 */
export function checkingMonth(random: Random): Draft[] {
  const on = timesOf(random);
  const invoice = random.between(10_000, 99_999);
  const check = random.between(1001, 4999);
  const bill = random.between(4000, 21_000) / 100;
  const fuel = random.between(1800, 7200) / 100;
  const returned = random.between(900, 6000) / 100;
  return [
    entry('salary', on(1), 'CREDIT ACH DIRECTDEPOSIT', 3150, SALARY, {
      reference: `PAY-${invoice}`,
    }),
    entry('rent', on(2), 'DEBIT ACH DIRECTDEBIT', 1180, 'Rent, Tumblestone Homes', {
      reference: 'LEASE-7',
      memo: 'Flat 7, heating included',
    }),
    ...purchases(random),
    entry('fuel-hold', on(8), 'DEBIT CARD PURCHASE', 75, 'Quarry Road Fuel, pump 4', { status: 'AUTHORIZATION' }),
    entry('fuel', on(10), 'DEBIT CARD PURCHASE', fuel, 'Quarry Road Fuel, pump 4', { after: 'fuel-hold' }),
    entry('check', on(12), 'DEBIT CHECK CHECK', 85, `Check ${check}`, {
      reference: String(check),
      memo: 'Piano lessons',
      lineItem: [{ description: `Check ${check}`, reference: String(check), imageIds: ['check-front', 'check-back'] }],
    }),
    entry('cash', on(14), 'DEBIT ATM WITHDRAWAL', 60, 'Cash, Old Lanternworks Street'),
    entry('bill', on(15), 'DEBIT ACH DIRECTDEBIT', bill, random.pick(BILLS), { reference: `INV-${invoice}` }),
    entry('return', on(17), 'DEBIT CARD PURCHASE', returned, 'Lanternlight Books', { reference: `ORDER-${invoice}` }),
    entry('refund', on(21), 'CREDIT CARD REFUND', returned, 'Lanternlight Books, returned', {
      after: 'return',
      reference: `ORDER-${invoice}`,
    }),
    entry('transfer-sent', on(22), 'DEBIT TRANSFER TRANSFER', 40, 'To a friend', {
      status: 'PENDING',
      memo: random.pick(FRIENDS),
    }),
    entry('transfer', on(23), 'DEBIT TRANSFER TRANSFER', 40, 'To a friend', { after: 'transfer-sent' }),
    entry('notice', on(25), 'MEMO OTHER NOTICE', 0, 'The monthly fee falls due in three days', { status: 'MEMO' }),
    entry('fee', on(28), 'DEBIT OTHER FEE', MONTHLY_FEE_UNITS, MONTHLY_FEE, {
      lineItem: [
        { description: 'Account, 4.00 of 6.00', reference: 'FEE-ACCOUNT' },
        { description: 'Statement on paper, 2.00 of 6.00', reference: 'FEE-PAPER' },
      ],
    }),
  ];
}

function purchases(random: Random): Draft[] {
  const on = timesOf(random);
  return Array.from({ length: random.between(3, 6) }, (_, index) => {
    const time = on(random.between(3, 27));
    const units = random.between(350, 14_000) / 100;
    return entry(`card-${index + 1}`, time, 'DEBIT CARD PURCHASE', units, random.pick(SHOPS));
  });
}

/** Interest on the last day of each month, or of each quarter of a time deposit; deposits, and now and then a wire. */
export function savingsMonth(type: 'SAVINGS' | 'MONEY_MARKET' | 'CD', month: number, random: Random): Draft[] {
  const on = timesOf(random);
  const isQuarter = month % 3 === 0;
  const deposit = entry('deposit', on(5), 'CREDIT TRANSFER DEPOSIT', random.between(100, 600), 'Transfer to savings', {
    reference: 'STANDING-ORDER-1',
  });
  const wired = on(18);
  const reference = `WIRE-${random.between(100_000, 999_999)}`;
  const wire = entry('wire', wired, 'CREDIT WIRE INCOMINGWIRE', random.between(900, 2500), WIRE, {
    reference,
    memo: 'Sale of a boat, part payment',
  });
  const time = on(LAST_DAY);
  const interest = entry('interest', time, 'CREDIT OTHER INTEREST', random.between(150, 2400) / 100, INTEREST);
  if (type === 'CD') return [...(month === 1 ? [deposit] : []), ...(isQuarter ? [interest] : [])];
  return [deposit, ...(isQuarter ? [wire] : []), interest];
}

function timesOf(random: Random): (day: number) => Time {
  return day => ({ day, minute: random.between(0, 539) });
}

/** `kind` is the direction, the category and the type, separated by spaces. */
function entry(
  key: string,
  time: Time,
  kind: `${Draft['direction']} ${string} ${string}`,
  units: number,
  description: string,
  rest: Partial<Draft> = {},
): Draft {
  const [direction, category, type] = kind.split(' ') as [Draft['direction'], string, string];
  return { key, ...time, direction, category, type, units, description, ...rest };
}
