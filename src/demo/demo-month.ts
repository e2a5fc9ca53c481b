import type { Random } from './random.js';

/** An entry of a month, before it belongs to an account and a year. */
export interface Draft {
  /** Names the entry in its month. */
  readonly key: string;
  /** The key of an earlier entry of the month that this one posts or takes back. */
  readonly after?: string;
  readonly day: number;
  /** After 13:00 UTC. */
  readonly minute: number;
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

const SHOPS = [
  'Thistle & Thorn Grocers',
  'Copperkettle Cafe',
  'Lanternlight Books',
  'Quarry Road Fuel',
  'Bellwether Pharmacy',
  'Saltmarsh Market',
];
const BILLS = ['Ambergill Power and Light', 'Nettle Springs Water', 'Farspeaker Telephone'];
const FRIENDS = ['Picnic', 'Concert tickets', 'Shared ride', 'Birthday present'];
const LAST_DAY = 31;

/** A salary, rent and a bill, purchases by card with one that is authorised first and one that comes back, a check, cash, a transfer, a fee. */
export function checkingMonth(random: Random): Draft[] {
  const invoice = random.between(10_000, 99_999);
  const check = random.between(1001, 4999);
  const bill = random.between(4000, 21_000) / 100;
  const fuel = random.between(1800, 7200) / 100;
  const returned = random.between(900, 6000) / 100;
  const minute = (): number => random.between(0, 539);
  const credit = { direction: 'CREDIT' } as const;
  const debit = { direction: 'DEBIT' } as const;
  return [
    {
      ...{ key: 'salary', day: 1, minute: minute(), ...credit, category: 'ACH', type: 'DIRECTDEPOSIT', units: 3150 },
      ...{ description: 'Salary, Orchard Way Works', reference: `PAY-${invoice}` },
    },
    {
      ...{ key: 'rent', day: 2, minute: minute(), ...debit, category: 'ACH', type: 'DIRECTDEBIT', units: 1180 },
      ...{ description: 'Rent, Tumblestone Homes', reference: 'LEASE-7', memo: 'Flat 7, heating included' },
    },
    ...purchases(random),
    {
      ...{ key: 'fuel-hold', day: 8, minute: minute(), ...debit, category: 'CARD', type: 'PURCHASE', units: 75 },
      ...{ status: 'AUTHORIZATION', description: 'Quarry Road Fuel, pump 4' },
    },
    {
      ...{ key: 'fuel', after: 'fuel-hold', day: 10, minute: minute(), ...debit, category: 'CARD', type: 'PURCHASE' },
      ...{ description: 'Quarry Road Fuel, pump 4', units: fuel },
    },
    {
      ...{ key: 'check', day: 12, minute: minute(), ...debit, category: 'CHECK', type: 'CHECK', units: 85 },
      ...{ description: `Check ${check}`, reference: String(check), memo: 'Piano lessons' },
      lineItem: [{ description: `Check ${check}`, reference: String(check), imageIds: ['check-front', 'check-back'] }],
    },
    {
      ...{ key: 'cash', day: 14, minute: minute(), ...debit, category: 'ATM', type: 'WITHDRAWAL', units: 60 },
      description: 'Cash, Old Lanternworks Street',
    },
    {
      ...{ key: 'bill', day: 15, minute: minute(), ...debit, category: 'ACH', type: 'DIRECTDEBIT', units: bill },
      ...{ description: random.pick(BILLS), reference: `INV-${invoice}` },
    },
    {
      ...{ key: 'return', day: 17, minute: minute(), ...debit, category: 'CARD', type: 'PURCHASE', units: returned },
      ...{ description: 'Lanternlight Books', reference: `ORDER-${invoice}` },
    },
    {
      ...{ key: 'refund', after: 'return', day: 21, minute: minute(), ...credit, category: 'CARD', type: 'REFUND' },
      ...{ description: 'Lanternlight Books, returned', reference: `ORDER-${invoice}`, units: returned },
    },
    {
      ...{ key: 'transfer-sent', day: 22, minute: minute(), ...debit, category: 'TRANSFER', type: 'TRANSFER' },
      ...{ status: 'PENDING', description: 'To a friend', memo: random.pick(FRIENDS), units: 40 },
    },
    {
      ...{ key: 'transfer', after: 'transfer-sent', day: 23, minute: minute(), ...debit, category: 'TRANSFER' },
      ...{ type: 'TRANSFER', description: 'To a friend', units: 40 },
    },
    {
      ...{ key: 'notice', day: 25, minute: minute(), direction: 'MEMO', category: 'OTHER', type: 'NOTICE', units: 0 },
      ...{ status: 'MEMO', description: 'The monthly fee falls due in three days' },
    },
    {
      ...{ key: 'fee', day: 28, minute: minute(), ...debit, category: 'OTHER', type: 'FEE', units: 6 },
      description: 'Monthly service fee',
      lineItem: [
        { description: 'Account, 4.00 of 6.00', reference: 'FEE-ACCOUNT' },
        { description: 'Statement on paper, 2.00 of 6.00', reference: 'FEE-PAPER' },
      ],
    },
  ];
}

function purchases(random: Random): Draft[] {
  return Array.from({ length: random.between(3, 6) }, (_, index) => ({
    ...{ key: `card-${index + 1}`, day: random.between(3, 27), minute: random.between(0, 539), direction: 'DEBIT' },
    ...{ category: 'CARD', type: 'PURCHASE', units: random.between(350, 14_000) / 100 },
    description: random.pick(SHOPS),
  }));
}

/** Interest on the last day of each month, or of each quarter of a time deposit; deposits, and now and then a wire. */
export function savingsMonth(type: 'SAVINGS' | 'MONEY_MARKET' | 'CD', month: number, random: Random): Draft[] {
  const minute = (): number => random.between(0, 539);
  const isQuarter = month % 3 === 0;
  const deposit: Draft = {
    ...{ key: 'deposit', day: 5, minute: minute(), direction: 'CREDIT', category: 'TRANSFER', type: 'DEPOSIT' },
    ...{ description: 'Transfer to savings', reference: 'STANDING-ORDER-1', units: random.between(100, 600) },
  };
  const wire: Draft = {
    ...{ key: 'wire', day: 18, minute: minute(), direction: 'CREDIT', category: 'WIRE', type: 'INCOMINGWIRE' },
    ...{ description: 'Wire, Harborlight Estates', reference: `WIRE-${random.between(100_000, 999_999)}` },
    ...{ memo: 'Sale of a boat, part payment', units: random.between(900, 2500) },
  };
  const interest: Draft = {
    ...{ key: 'interest', day: LAST_DAY, minute: minute(), direction: 'CREDIT', category: 'OTHER', type: 'INTEREST' },
    ...{ description: 'Interest', units: random.between(150, 2400) / 100 },
  };
  if (type === 'CD') return [...(month === 1 ? [deposit] : []), ...(isQuarter ? [interest] : [])];
  return [deposit, ...(isQuarter ? [wire] : []), interest];
}
