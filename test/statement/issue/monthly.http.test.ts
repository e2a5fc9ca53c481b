import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAsElsewhere } from '../../support/citus-differences.js';
import { minorOf } from '../../../src/shared/money.js';
import type { StatementContent } from '../../../src/bank/statement/statement.content.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { PROGRAM } from '../../support/given.js';
import { read } from '../../../lib/typeset/test/reading.js';
import { issue, only, post, statementsOf } from './issuing.js';
import { rounds } from '../../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

async function given(order: { timeZone?: string; currency?: string } = {}) {
  const program = gateway.given.program();
  return gateway.given.account({ program, ...order });
}

/** Opening balance, entries and closing balance, short. */
function told({ content }: { content: StatementContent }) {
  const { openingBalance, closingBalance, entries } = content;
  return [
    openingBalance,
    entries.map(({ direction, amount }) => (direction === 'DEBIT' ? `-${amount}` : amount)),
    closingBalance,
  ];
}

test('a statement has opening balance, entries with running balance, totals, fees by kind and interest', async () => {
  const of = await given();
  await post(gateway, of, [
    { at: '2024-12-30', amount: '1000.00' },
    { at: '2025-01-31', amount: '5.00', type: 'INTEREST', description: 'Interest credited' },
    { at: '2025-02-03', amount: '-250.10', type: 'WITHDRAWAL', description: 'Cash' },
    { at: '2025-02-10', amount: '-3.00', type: 'FEE', description: 'Statement fee' },
    { at: '2025-02-11', amount: '-2.50', type: 'CARDPAYMENT', usage: 'FEES', description: 'Foreign use' },
    { at: '2025-02-12', amount: '-3.00', type: 'FEE', description: 'Statement fee' },
    { at: '2025-02-28', amount: '4.20', type: 'INTEREST', description: 'Interest credited' },
    { at: '2025-03-01', amount: '77.00' },
  ]);
  expect(await issue(gateway, 'close', '2025-02', of.program)).toMatchObject({ accounts: 1, issued: 1, leftOut: 0 });
  const { content } = only(await statementsOf(gateway, of.account));
  expect(content).toMatchObject({
    issuer: { ...PROGRAM.letterhead, errorResolution: PROGRAM.errorResolution },
    account: { number: expect.stringMatching(/^\*+.{4}$/), currency: 'USD' },
    period: { start: '2025-02-01', end: '2025-02-28', days: 28 },
    openingBalance: '1005.00',
    closingBalance: '750.60',
    credits: { count: 1, amount: '4.20' },
    debits: { count: 4, amount: '258.60' },
    fees: {
      items: [
        { description: 'Statement fee', count: 2, amount: '6.00' },
        { description: 'Foreign use', count: 1, amount: '2.50' },
      ],
      total: '8.50',
    },
    interest: { paid: '4.20', paidYearToDate: '9.20' },
  });
  expect(content.entries.map(({ postedOn, amount, balance }) => [postedOn, amount, balance])).toEqual([
    ['2025-02-03', '250.10', '754.90'],
    ['2025-02-10', '3.00', '751.90'],
    ['2025-02-11', '2.50', '749.40'],
    ['2025-02-12', '3.00', '746.40'],
    ['2025-02-28', '4.20', '750.60'],
  ]);
});

test('fees are totalled since the year began, and those of overdrafts and returned items apart', async () => {
  const of = await given();
  const fee = (at: string, amount: string, category: string) => ({ at, amount, category, type: 'FEE' });
  await post(gateway, of, [
    { at: '2024-12-30', amount: '1000.00' },
    fee('2024-12-31', '-35.00', 'OVERDRAFT'),
    fee('2025-01-10', '-3.00', 'OTHER'),
    fee('2025-01-11', '-30.00', 'OVERDRAFT'),
    { at: '2025-01-12', amount: '-99.00', category: 'OVERDRAFT', type: 'WITHDRAWAL' },
    { at: '2025-02-10', amount: '-30.00', category: 'OVERDRAFT', usage: 'FEES' },
    fee('2025-02-11', '-28.00', 'RETURNEDITEM'),
    fee('2025-02-12', '28.00', 'RETURNEDITEM'),
    fee('2025-03-01', '-31.00', 'RETURNEDITEM'),
  ]);
  for (const month of ['2025-01', '2025-02', '2025-04']) await issue(gateway, 'close', month, of.program);
  const statements = (await statementsOf(gateway, of.account)).map(({ content }) => content);
  expect(statements.map(({ fees, overdraft }) => [fees.total, fees.totalYearToDate, overdraft])).toEqual([
    [
      '33.00',
      '33.00',
      { fees: { period: '30.00', yearToDate: '30.00' }, returnedItemFees: { period: '0.00', yearToDate: '0.00' } },
    ],
    [
      '58.00',
      '91.00',
      { fees: { period: '30.00', yearToDate: '60.00' }, returnedItemFees: { period: '28.00', yearToDate: '28.00' } },
    ],
    [
      '0.00',
      '122.00',
      { fees: { period: '0.00', yearToDate: '60.00' }, returnedItemFees: { period: '0.00', yearToDate: '59.00' } },
    ],
  ]);
});

test('a year without overdrafts has no totals of them', async () => {
  const of = await given();
  await post(gateway, of, [
    { at: '2024-12-31', amount: '-35.00', category: 'OVERDRAFT', type: 'FEE' },
    { at: '2025-01-10', amount: '-3.00', type: 'FEE' },
  ]);
  await issue(gateway, 'close', '2025-01', of.program);
  const { content } = only(await statementsOf(gateway, of.account));
  expect(content.fees).toMatchObject({ total: '3.00', totalYearToDate: '3.00' });
  expect(content).not.toHaveProperty('overdraft');
});

test('the average daily balance and the yield are those of Regulation DD', async () => {
  // The example of 12 CFR 1030, appendix A, part II.A: 1,500 for 15 days and 500 for 15 days of a month of 30, 5.25 of
  // interest.
  const of = await given();
  await post(gateway, of, [
    { at: '2025-03-31', amount: '1500.00' },
    { at: '2025-04-16', amount: '-1000.00' },
    { at: '2025-04-30', amount: '5.25', type: 'INTEREST' },
  ]);
  await issue(gateway, 'close', '2025-04', of.program);
  const { content } = only(await statementsOf(gateway, of.account));
  // The interest itself is on the balance of its one day: 1,000 and 0.175.
  expect(content.interest).toEqual({
    paid: '5.25',
    paidYearToDate: '5.25',
    averageDailyBalance: '1000.18',
    annualPercentageYieldEarned: '6.58',
  });
});

test('the yield is that of the exact average balance, and not of the printed one', async () => {
  const of = await gateway.given.account({ currency: 'JPY', openedOn: '2024-01-01' });
  await post(gateway, of, [
    { at: '2024-12-31', amount: '54' },
    { at: '2025-01-14', amount: '1', type: 'INTEREST' },
  ]);
  await issue(gateway, 'close', '2025-01', of.program);
  const { content } = only(await statementsOf(gateway, of.account));
  // 54 yen on 13 days and 55 on 18: 1 of 54.58 in 31 days is 23.83 percent a year, and 1 of 55 is 23.63.
  expect(content.interest).toMatchObject({ averageDailyBalance: '55', annualPercentageYieldEarned: '23.83' });
});

test('the first period of an account begins when it was opened', async () => {
  const of = await gateway.given.account({ openedOn: '2025-04-16' });
  const earlier = await gateway.given.account({ program: of.program, openedOn: '2025-04-16' });
  await post(gateway, of, [
    { at: '2025-04-21', amount: '1500.00' },
    { at: '2025-04-30', amount: '1.00', type: 'INTEREST' },
  ]);
  // Its ledger was imported, and begins before the day on record.
  await post(gateway, earlier, [{ at: '2025-04-11', amount: '20.00' }]);
  for (const month of ['2025-04', '2025-05']) await issue(gateway, 'close', month, of.program);
  const [april, may] = await statementsOf(gateway, of.account);
  expect(april?.content.period).toEqual({ start: '2025-04-16', end: '2025-04-30', days: 15 });
  // 1,500.00 on ten of fifteen days, and the interest on one: 1.00 of 1,000.07 in fifteen days.
  expect(april?.content.interest).toMatchObject({
    averageDailyBalance: '1000.07',
    annualPercentageYieldEarned: '2.46',
  });
  expect(may?.content.period).toEqual({ start: '2025-05-01', end: '2025-05-31', days: 31 });
  const [first] = await statementsOf(gateway, earlier.account);
  expect(first?.content.period).toEqual({ start: '2025-04-11', end: '2025-04-30', days: 20 });
});

test('days that end below zero count as zero, and a yield that cannot be computed is said', async () => {
  const of = await given();
  await post(gateway, of, [
    { at: '2025-03-01', amount: '1000.00' },
    { at: '2025-03-16', amount: '-2000.00', type: 'WITHDRAWAL' },
    { at: '2025-03-31', amount: '1100.00' },
    { at: '2025-03-31', amount: '0.42', type: 'INTEREST' },
    // Below zero from the first day on.
    { at: '2025-04-01', amount: '-500.00', type: 'WITHDRAWAL' },
    { at: '2025-04-30', amount: '0.10', type: 'INTEREST' },
  ]);
  for (const month of ['2025-03', '2025-04']) await issue(gateway, 'close', month, of.program);
  const statements = await statementsOf(gateway, of.account);
  expect(statements.map(({ content }) => content.interest)).toEqual([
    { paid: '0.42', paidYearToDate: '0.42', averageDailyBalance: '487.11', annualPercentageYieldEarned: '1.02' },
    { paid: '0.10', paidYearToDate: '0.52', averageDailyBalance: '0.00', annualPercentageYieldEarned: null },
  ]);
  const [march, april] = await Promise.all(statements.map(({ pdf }) => read(pdf)));
  expect(march?.text).toContain('1.02%');
  expect(april?.text).toContain('Cannot be computed');
});

test('an account that had a balance gets a statement without entries, one that never had any gets none', async () => {
  const program = gateway.given.program();
  const [still, empty] = [await gateway.given.account({ program }), await gateway.given.account({ program })];
  await post(gateway, still, [{ at: '2025-01-05', amount: '10.00' }]);
  expect(await issue(gateway, 'close', '2025-05', program)).toMatchObject({ accounts: 2, done: 2, issued: 1 });
  expect((await statementsOf(gateway, still.account)).map(told)).toEqual([['10.00', [], '10.00']]);
  expect(await statementsOf(gateway, empty.account)).toEqual([]);
});

test('what is not posted, or moves no money, is on no statement', async () => {
  const of = await given();
  await post(gateway, of, [
    { at: '2025-05-01', amount: '10.00' },
    { at: '2025-05-02', amount: '99.00', status: 'PENDING' },
    { at: '2025-05-03', amount: '98.00', direction: 'MEMO' },
  ]);
  await issue(gateway, 'close', '2025-05', of.program);
  expect((await statementsOf(gateway, of.account)).map(told)).toEqual([['0.00', ['10.00'], '10.00']]);
});

test("days are those of the account's clock", async () => {
  const of = await given({ timeZone: 'Pacific/Auckland' });
  // In Auckland it is 1 June from 12:00 UTC of 31 May on.
  await post(gateway, of, [
    { at: '2025-05-31T11:59:59.999Z', amount: '1.00' },
    { at: '2025-05-31T12:00:00.000Z', amount: '2.00' },
    { at: '2025-06-30T11:59:59.999Z', amount: '3.00' },
    { at: '2025-06-30T12:00:00.000Z', amount: '4.00' },
  ]);
  await issue(gateway, 'close', '2025-06', of.program);
  const { content } = only(await statementsOf(gateway, of.account));
  expect(told({ content })).toEqual(['1.00', ['2.00', '3.00'], '6.00']);
  expect(content.entries.map(({ postedOn }) => postedOn)).toEqual(['2025-06-01', '2025-06-30']);
});

test('amounts have the digits of the currency', async () => {
  const [yen, dinar] = [await given({ currency: 'JPY' }), await given({ currency: 'KWD' })];
  await post(gateway, yen, [{ at: '2025-06-02', amount: '1200' }]);
  await post(gateway, dinar, [{ at: '2025-06-02', amount: '-0.005' }]);
  for (const { program } of [yen, dinar]) await issue(gateway, 'close', '2025-06', program);
  expect((await statementsOf(gateway, yen.account)).map(told)).toEqual([['0', ['1200'], '1200']]);
  expect((await statementsOf(gateway, dinar.account)).map(told)).toEqual([['0.000', ['-0.005'], '-0.005']]);
});

describe('issued once', () => {
  test('the same month again issues nothing, and what is there stays byte for byte', async () => {
    const of = await given();
    await post(gateway, of, [{ at: '2025-06-02', amount: '1.00' }]);
    await issue(gateway, 'close', '2025-06', of.program);
    const before = await statementsOf(gateway, of.account);
    await post(gateway, of, [{ at: '2025-06-03', amount: '5.00' }]);
    expect(await issue(gateway, 'close', '2025-06', of.program)).toMatchObject({ issued: 0, done: 1 });
    expect(await statementsOf(gateway, of.account)).toEqual(before);
  });

  test('an account that came later gets the statement that it misses', async () => {
    const of = await given();
    await post(gateway, of, [{ at: '2025-06-02', amount: '1.00' }]);
    await issue(gateway, 'close', '2025-06', of.program);
    const later = await gateway.given.account({ program: of.program });
    await post(gateway, later, [{ at: '2025-06-02', amount: '2.00' }]);
    expect(await issue(gateway, 'close', '2025-06', of.program)).toMatchObject({ issued: 1, done: 2 });
    expect((await statementsOf(gateway, later.account)).map(told)).toEqual([['0.00', ['2.00'], '2.00']]);
  });

  test('runs at the same moment issue one statement an account', async () => {
    const program = gateway.given.program();
    const accounts = await Promise.all(Array.from({ length: 20 }, () => gateway.given.account({ program })));
    for (const account of accounts) await post(gateway, account, [{ at: '2025-06-02', amount: '1.00' }]);
    const runs = await Promise.all([
      issue(gateway, 'close', '2025-06', program),
      issue(gateway, 'close', '2025-06', null),
      issue(gateway, 'close', '2025-06', program),
    ]);
    expect(runs.every(({ leftOut, dead }) => leftOut === 0 && dead === 0)).toBe(true);
    for (const { account } of accounts) expect(await statementsOf(gateway, account)).toHaveLength(1);
  });

  test('the database refuses to change or delete what is issued', async () => {
    const of = await given();
    await post(gateway, of, [{ at: '2025-06-02', amount: '1.00' }]);
    await issue(gateway, 'close', '2025-06', of.program);
    for (const statement of [
      `UPDATE statement SET pdf = '' WHERE account_id = '${of.account}'`,
      `UPDATE statement SET content = NULL, statement_date = '2020-01-31'`,
      `DELETE FROM statement WHERE account_id = '${of.account}'`,
      ...(isAsElsewhere('statementTriggers') ? ['TRUNCATE statement'] : []),
    ]) {
      await expect(gateway.sql.query(statement)).rejects.toThrow('append-only');
    }
  });
});

describe('what is posted late', () => {
  test('is on the next statement, with the day it belongs to', async () => {
    const of = await given();
    await post(gateway, of, [{ at: '2025-01-10', amount: '100.00' }]);
    await issue(gateway, 'close', '2025-01', of.program);
    await post(gateway, of, [
      { at: '2025-01-20', amount: '7.00' },
      { at: '2025-02-05', amount: '-1.00' },
    ]);
    await issue(gateway, 'close', '2025-02', of.program);
    const statements = await statementsOf(gateway, of.account);
    expect(statements.map(told)).toEqual([
      ['0.00', ['100.00'], '100.00'],
      ['100.00', ['7.00', '-1.00'], '106.00'],
    ]);
    expect(statements[1]?.content.entries[0]?.postedOn).toBe('2025-01-20');
  });

  test('is on no statement of a month that is issued afterwards and lies before', async () => {
    const of = await given();
    await post(gateway, of, [
      { at: '2025-01-10', amount: '1.00' },
      { at: '2025-02-10', amount: '2.00' },
      { at: '2025-03-10', amount: '4.00' },
    ]);
    await issue(gateway, 'close', '2025-01', of.program);
    await issue(gateway, 'close', '2025-03', of.program);
    await post(gateway, of, [
      { at: '2025-02-11', amount: '8.00' },
      { at: '2025-01-11', amount: '16.00' },
    ]);
    await issue(gateway, 'close', '2025-02', of.program);
    await issue(gateway, 'close', '2025-04', of.program);
    expect((await statementsOf(gateway, of.account)).map(told)).toEqual([
      ['0.00', ['1.00'], '1.00'],
      ['1.00', ['2.00'], '3.00'],
      ['3.00', ['4.00'], '7.00'],
      ['7.00', ['8.00', '16.00'], '31.00'],
    ]);
  });

  test('in any order of postings and closings: each entry is on one statement, and balances meet', async () => {
    const months = ['2025-01', '2025-02', '2025-03', '2025-04'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({
              month: fc.constantFrom(...months),
              day: fc.integer({ min: 1, max: 28 }),
              cents: fc.integer({ min: -9999, max: 9999 }),
            }),
            fc.constantFrom(...months),
          ),
          { maxLength: 12 },
        ),
        async steps => {
          const of = await given();
          const posted: string[] = [];
          for (const step of [...steps, ...months, '2025-05']) {
            if (typeof step === 'string') await issue(gateway, 'close', step, of.program);
            else {
              const at = `${step.month}-${String(step.day).padStart(2, '0')}`;
              posted.push(...(await post(gateway, of, [{ at, amount: (step.cents / 100).toFixed(2) }])));
            }
          }
          const statements = (await statementsOf(gateway, of.account)).map(({ content }) => content);
          const shown = statements.flatMap(({ entries }) => entries.map(({ transactionId }) => transactionId));
          expect(shown.toSorted()).toEqual(posted.toSorted());
          let before: string | undefined;
          for (const { openingBalance, closingBalance, entries } of statements) {
            if (before !== undefined) expect(openingBalance).toBe(before);
            const minor = (text: string) => minorOf(text, 'USD') as bigint;
            const sum = entries.reduce(
              (total, { direction, amount }) => total + (direction === 'CREDIT' ? minor(amount) : -minor(amount)),
              0n,
            );
            expect(minor(openingBalance) + sum).toBe(minor(closingBalance));
            before = closingBalance;
          }
        },
      ),
      {
        numRuns: rounds(15),
        examples: [
          // A late entry is on the statement of April, so the months that are closed after it and lie before leave it
          // out.
          [[{ month: '2025-01', day: 1, cents: 0 }, '2025-01', { month: '2025-01', day: 1, cents: -1 }, '2025-04']],
        ],
      },
    );
  });
});

describe('a month without a transaction', () => {
  /** An account with a balance since January, an empty one, one that never had a posting, and those that have none. */
  async function givenAccounts(rule: string | undefined) {
    const program = gateway.given.program();
    await gateway.given.programRecord(program, rule === undefined ? {} : { statementsWithoutActivity: rule });
    const names = ['kept', 'emptied', 'unused', 'later', 'closed', 'active'] as const;
    const accounts = {} as Record<(typeof names)[number], string>;
    for (const name of names) {
      const openedOn = name === 'later' ? '2025-07-01' : '2025-01-01';
      const of = await gateway.given.account({ program, openedOn, ...(name === 'closed' && { status: 'CLOSED' }) });
      accounts[name] = of.account;
      const money = { at: '2025-01-05', amount: '10.00' };
      if (name === 'kept' || name === 'emptied') await post(gateway, of, [money]);
      if (name === 'emptied') await post(gateway, of, [{ at: '2025-01-06', amount: '-10.00' }]);
      if (name === 'active') {
        await post(gateway, of, [
          { at: '2025-05-05', amount: '10.00' },
          { at: '2025-06-06', amount: '10.00' },
        ]);
      }
    }
    const issuedTo = async (period: string): Promise<string[]> => {
      const { done, issued, early, leftOut } = await issue(gateway, 'close', period, program);
      const found = await Promise.all(
        names.map(async name => {
          const statements = await statementsOf(gateway, accounts[name]);
          return statements.some(({ content }) => content.period.start.startsWith(period)) ? [name] : [];
        }),
      );
      expect([done, issued, early, leftOut]).toEqual([6, found.flat().length, 0, 0]);
      return found.flat();
    };
    return { program, issuedTo };
  }

  test.each([
    [undefined, ['kept', 'active'], ['kept', 'active']],
    ['WITH_BALANCE', ['kept', 'active'], ['kept', 'active']],
    ['QUARTERLY', ['active'], ['kept', 'active']],
    ['ALWAYS', ['kept', 'emptied', 'unused', 'active'], ['kept', 'emptied', 'unused', 'active']],
  ])('has a statement as the program says: %s', async (rule, may, june) => {
    const { issuedTo } = await givenAccounts(rule);
    expect(await issuedTo('2025-05')).toEqual(may);
    expect(await issuedTo('2025-06')).toEqual(june);
  });

  test('leaves the account in the count of those that are due none', async () => {
    const { program } = await givenAccounts(undefined);
    await issue(gateway, 'close', '2025-05', program);
    const { rest } = gateway.as(await gateway.caller({ program }));
    const { body } = await rest.get('/statement-runs');
    const counts = { accounts: 6, done: 6, issued: 2, notOverYet: 0, leftOutCount: 0, notDueCount: 4 };
    expect(body).toMatchObject({ statementRuns: [counts] });
  });
});
