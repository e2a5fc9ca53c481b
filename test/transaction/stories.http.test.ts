import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { entry, expectSound, importing, line, minorUnits, post, restPages, type Entry } from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** An amount with its sign, the type of transaction, and the place of the transaction that it is related to. */
type Row = readonly [amount: string, transactionType: string, relatesTo?: number];

interface Story {
  readonly name: string;
  readonly rows: readonly Row[];
  /** What the bank has after it. */
  readonly balance: string;
}

const repayments = (count: number, amount: string): Row[] =>
  Array.from({ length: count }, () => [amount, 'LOANPAYMENT', 0]);

const STORIES: readonly Story[] = [
  {
    name: 'a fee that is larger than the deposit that it is for',
    rows: [
      ['3.00', 'DEPOSIT'],
      ['-5.00', 'FEE', 0],
    ],
    balance: '-2.00',
  },
  {
    name: 'interest, and the tax of the whole year that is withheld from it',
    rows: [
      ['4.00', 'INTEREST'],
      ['-9.60', 'TAX', 0],
    ],
    balance: '-5.60',
  },
  {
    name: 'a chargeback with its fee',
    rows: [
      ['40.00', 'SALE'],
      ['-40.00', 'CHARGEBACK', 0],
      ['-15.00', 'FEE', 0],
    ],
    balance: '-15.00',
  },
  {
    name: 'a refund at another rate of exchange',
    rows: [
      ['-92.10', 'PURCHASE'],
      ['94.35', 'REFUND', 0],
    ],
    balance: '2.25',
  },
  {
    name: 'twelve payments of a loan of 1,000',
    rows: [['1000.00', 'LOAN'], ...repayments(12, '-87.92')],
    balance: '-55.04',
  },
  {
    name: 'winnings of 250 on a stake of 10',
    rows: [
      ['-10.00', 'STAKE'],
      ['250.00', 'WINNINGS', 0],
    ],
    balance: '240.00',
  },
  {
    name: 'a refund, and a goodwill credit for the trouble',
    rows: [
      ['-20.00', 'PURCHASE'],
      ['20.00', 'REFUND', 0],
      ['5.00', 'GOODWILL', 0],
    ],
    balance: '5.00',
  },
  {
    name: 'a cheque that comes back unpaid, with a fee',
    rows: [
      ['100.00', 'CHEQUE'],
      ['-100.00', 'RETURN', 0],
      ['-12.00', 'FEE', 0],
    ],
    balance: '-12.00',
  },
  {
    name: 'a wrong salary that is taken back twice and paid again',
    rows: [
      ['2000.00', 'SALARY'],
      ['-2000.00', 'CORRECTION', 0],
      ['2100.00', 'SALARY', 0],
      ['-50.00', 'CORRECTION', 0],
    ],
    balance: '2050.00',
  },
  {
    name: 'the deposit for a flat, which comes back with interest',
    rows: [
      ['-900.00', 'RENTDEPOSIT'],
      ['918.45', 'RENTDEPOSIT', 0],
    ],
    balance: '18.45',
  },
  {
    name: 'a dispute that is credited, taken back and credited in the end',
    rows: [
      ['-60.00', 'PURCHASE'],
      ['60.00', 'PROVISIONALCREDIT', 0],
      ['-60.00', 'PROVISIONALCREDIT', 0],
      ['60.00', 'FINALCREDIT', 0],
    ],
    balance: '0.00',
  },
  {
    name: 'a term deposit that matures',
    rows: [
      ['-5000.00', 'TERMDEPOSIT'],
      ['5125.00', 'MATURITY', 0],
    ],
    balance: '125.00',
  },
  {
    name: 'a dividend, and the shares that are bought with it and more',
    rows: [
      ['12.34', 'DIVIDEND'],
      ['-25.00', 'REINVESTMENT', 0],
    ],
    balance: '-12.66',
  },
  {
    name: 'a small wire with the fee of the bank between',
    rows: [
      ['8.00', 'INCOMINGWIRE'],
      ['-15.00', 'WIREFEE', 0],
    ],
    balance: '-7.00',
  },
  {
    name: 'a purchase that overdraws, its fee, and the fee waived with another one',
    rows: [
      ['-2.00', 'PURCHASE'],
      ['-35.00', 'OVERDRAFTFEE', 0],
      ['70.00', 'FEEREFUND', 1],
    ],
    balance: '33.00',
  },
  {
    name: 'an insurance premium and what is paid for the damage',
    rows: [
      ['-45.00', 'PREMIUM'],
      ['3000.00', 'CLAIM', 0],
    ],
    balance: '2955.00',
  },
  {
    name: 'shares that are sold with a profit',
    rows: [
      ['-500.00', 'BUY'],
      ['740.25', 'SELL', 0],
    ],
    balance: '240.25',
  },
  {
    name: 'the cashback of a year, named after the last purchase',
    rows: [
      ['-20.00', 'PURCHASE'],
      ['61.20', 'CASHBACK', 0],
    ],
    balance: '41.20',
  },
  {
    name: 'cash that did not come out, with the fee of the machine',
    rows: [
      ['-60.00', 'WITHDRAWAL'],
      ['60.00', 'REVERSAL', 0],
      ['2.50', 'FEEREFUND', 0],
    ],
    balance: '2.50',
  },
  {
    name: 'a purchase that is paid by instalments after all',
    rows: [
      ['-600.00', 'PURCHASE'],
      ['600.00', 'INSTALMENTPLAN', 0],
      ['-206.00', 'INSTALMENT', 1],
      ['-206.00', 'INSTALMENT', 1],
      ['-206.00', 'INSTALMENT', 1],
    ],
    balance: '-618.00',
  },
  {
    name: 'a fee for a report, refunded in two parts and once more by mistake',
    rows: [
      ['-6.00', 'FEE'],
      ['3.00', 'REFUND', 0],
      ['3.00', 'REFUND', 0],
      ['6.00', 'REFUND', 0],
    ],
    balance: '6.00',
  },
];

/** Rows as transactions, with the balance after each as the bank's own system exports it. */
function transactionsOf(rows: readonly Row[]): Entry[] {
  const ids = rows.map(() => unique('s'));
  let balanceMinor = 0n;
  return rows.map(([signed, transactionType, relatesTo], index) => {
    const isDebit = signed.startsWith('-');
    const amount = isDebit ? signed.slice(1) : signed;
    balanceMinor += isDebit ? -minorUnits(amount) : minorUnits(amount);
    return entry({
      transactionId: ids[index] as string,
      amount,
      debitCreditMemo: isDebit ? 'DEBIT' : 'CREDIT',
      transactionType,
      availableBalance: decimalOf(balanceMinor),
      ...(relatesTo !== undefined && { referenceTransactionId: ids[relatesTo] }),
    });
  });
}

function decimalOf(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The relations and balances of a history, the oldest first. */
async function recorded(given: GivenAccount) {
  const pages = await restPages(gateway, given, 'limit=100');
  return pages
    .flatMap(({ transactions }) => transactions.map(({ depositTransaction }) => depositTransaction))
    .toReversed()
    .map(({ transactionId, referenceTransactionId, availableBalance }: Record<string, unknown>) => [
      transactionId,
      referenceTransactionId,
      Number(availableBalance),
    ]);
}

const expected = (transactions: readonly Entry[]) =>
  transactions.map(({ transactionId, referenceTransactionId = '', availableBalance }) => [
    transactionId,
    referenceTransactionId,
    Number(availableBalance),
  ]);

describe.each(STORIES)('$name', ({ rows, balance }) => {
  test('is posted as it happened', async () => {
    const given = await gateway.given.account();
    const transactions = transactionsOf(rows);
    const posted = await post(gateway, given, transactions);
    expect(posted.at(-1)?.availableBalance).toBe(balance);
    expect(await recorded(given)).toEqual(expected(transactions));
    await expectSound(gateway, given.account);
  });

  test('is imported as it happened, with balances and without', async () => {
    const [given, plain] = [await gateway.given.account(), await gateway.given.account()];
    const transactions = transactionsOf(rows);
    const lines = transactions.map(row => line(given.account, row));
    expect(await importing(gateway, given.program, lines)).toEqual(rows.map(() => 'new'));
    expect(await recorded(given)).toEqual(expected(transactions));
    const withoutBalances = transactions.map(row => line(plain.account, { ...row, availableBalance: undefined }));
    expect(await importing(gateway, plain.program, withoutBalances)).toEqual(rows.map(() => 'new'));
    expect((await recorded(plain)).at(-1)?.[2]).toBe(Number(balance));
    await expectSound(gateway, plain.account);
  });
});

test('a history of 600 rows goes in with the balance of the bank, where a third relate to earlier ones', async () => {
  const given = await gateway.given.account();
  const rows = Array.from({ length: 600 }, (_, index): Row => {
    // Each third is larger than the one that it relates to, and goes in the other direction.
    if (index % 3 === 2) return [`${index % 2 ? '' : '-'}${80 + (index % 37)}.15`, 'ADJUSTMENT', index - 1];
    return [`${index % 2 ? '' : '-'}${20 + (index % 41)}.05`, 'PAYMENT'];
  });
  const transactions = transactionsOf(rows);
  const lines = transactions.map(row => line(given.account, row)).join('\n');
  const { body } = await gateway.as(given.caller).rest.post('/imports/transactions', { lines }, keyed(unique('key')));
  expect(body).toEqual({ read: 600, written: 600, unchanged: 0, rejected: [] });
  const { balance } = await expectSound(gateway, given.account);
  expect(decimalOf(BigInt(balance))).toBe(transactions.at(-1)?.availableBalance);
  expect(await recorded(given)).toEqual(expected(transactions));
});
