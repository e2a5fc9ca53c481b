import { currencyDigits } from '../shared/money.js';
import type { DemoAccount } from './demo-bank.js';
import type { Random } from './random.js';

/** The demo year. Fixed, so that the same data has the same days wherever and whenever it is made. */
const YEAR = 2025;

interface Draft {
  readonly day: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly category: string;
  readonly type: string;
  readonly description: string;
  /** In units of the currency's size: about a dollar. */
  readonly units: number;
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

/** What a unit of about a dollar is in each currency of the demo banks. */
const UNIT: Readonly<Record<DemoAccount['currency'], number>> = { USD: 1, EUR: 1, JPY: 150, KWD: 0.3 };

/** A year of an account: a salary, bills, purchases and fees of a checking account, deposits and interest of the others. */
export function demoTransactions(accountId: string, { type, currency }: DemoAccount, random: Random): object[] {
  const drafts = Array.from({ length: 12 }, (_, month) =>
    type === 'CHECKING' ? checkingMonth(month + 1, random) : savingsMonth(month + 1, random),
  )
    .flat()
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const digits = currencyDigits(currency);
  return drafts.map(({ day, direction, category, type: transactionType, description, units }, index) => {
    const at = `${day}T${String(random.between(13, 21)).padStart(2, '0')}:${String(random.between(0, 59)).padStart(2, '0')}:00.000Z`;
    return {
      depositTransaction: {
        transactionId: `${accountId}-${YEAR}-${String(index + 1).padStart(4, '0')}`,
        accountId,
        amount: Number((units * UNIT[currency]).toFixed(digits)),
        ...{ debitCreditMemo: direction, category, transactionType, status: 'POSTED', description },
        ...{ transactionTimestamp: at, postedTimestamp: at },
        additionalInformation: [
          { key: 'usage', value: transactionType === 'FEE' ? 'FEES' : 'MONETARY' },
          { key: 'direction', value: direction === 'CREDIT' ? 'RECEIVING' : 'ORIGINATING' },
        ],
      },
    };
  });
}

function checkingMonth(month: number, random: Random): Draft[] {
  const purchases = Array.from({ length: random.between(5, 9) }, (): Draft => {
    const units = random.between(350, 14_000) / 100;
    return {
      day: dayOf(month, random.between(3, 27)),
      direction: 'DEBIT',
      category: 'CARD',
      type: 'PURCHASE',
      description: random.pick(SHOPS),
      units,
    };
  });
  const bill = random.between(4000, 21_000) / 100;
  return [
    {
      day: dayOf(month, 1),
      direction: 'CREDIT',
      category: 'ACH',
      type: 'DIRECTDEPOSIT',
      description: 'Salary, Orchard Way Works',
      units: 3150,
    },
    {
      day: dayOf(month, 2),
      direction: 'DEBIT',
      category: 'ACH',
      type: 'DIRECTDEBIT',
      description: 'Rent, Tumblestone Homes',
      units: 1180,
    },
    ...purchases,
    {
      day: dayOf(month, 15),
      direction: 'DEBIT',
      category: 'ACH',
      type: 'DIRECTDEBIT',
      description: random.pick(BILLS),
      units: bill,
    },
    {
      day: dayOf(month, 28),
      direction: 'DEBIT',
      category: 'OTHER',
      type: 'FEE',
      description: 'Monthly service fee',
      units: 6,
    },
  ];
}

function savingsMonth(month: number, random: Random): Draft[] {
  const deposit = random.between(100, 600);
  const interest = random.between(150, 2400) / 100;
  return [
    {
      day: dayOf(month, 5),
      direction: 'CREDIT',
      category: 'OTHER',
      type: 'DEPOSIT',
      description: 'Transfer to savings',
      units: deposit,
    },
    {
      day: dayOf(month, 28),
      direction: 'CREDIT',
      category: 'OTHER',
      type: 'INTEREST',
      description: 'Interest',
      units: interest,
    },
  ];
}

function dayOf(month: number, day: number): string {
  return [YEAR, month, day].map(part => String(part).padStart(2, '0')).join('-');
}
