import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { currencyDigits, decimalOf, minorOf } from '../../src/shared/money.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { entry, importing, line, minorUnits, post, type PostedView } from './support/ledger.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const MOST = 10n ** 15n;
const CURRENCIES = ['JPY', 'KRW', 'USD', 'EUR', 'BHD', 'KWD', 'CLF', 'UYW'] as const;
const minor = fc.oneof(
  fc.bigInt({ min: 0n, max: MOST }),
  fc.constantFrom(0n, 1n, 9n, 10n, 99n, 100n, 101n, 1000n, 9999n, 10000n, MOST - 1n, MOST),
);

/** A decimal with all digits of its currency, put together apart from the code under test. */
function decimal(amount: bigint, digits: number): string {
  const sign = amount < 0n ? '-' : '';
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

type Money = Pick<PostedView, 'amount' | 'availableBalance'>;

async function shown(account: string, caller: string): Promise<{ rest: string; graphql: Money[] }> {
  const { text } = await gateway.as(caller).rest.get(`/accounts/${account}/transactions?limit=100`);
  const query =
    'query ($id: ID!) { account(accountId: $id) { transactions(first: 100) { nodes { amount availableBalance: balanceAfter } } } }';
  const { data } = await gateway
    .as(caller)
    .graphql<{ account: { transactions: { nodes: Money[] } } }>(query, { id: account });
  return { rest: text, graphql: data.account.transactions.nodes };
}

test('amounts of currencies of every number of digits are the same, digit by digit, whichever way they came and go', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CURRENCIES),
      fc.array(fc.tuple(minor, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 8 }),
      fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }),
      async (currency, movements, balanceMinor) => {
        const digits = currencyDigits(currency);
        const given = await gateway.given.account({ currency, balanceMinor });
        let balance = balanceMinor;
        const expected: Money[] = [];
        for (const [amountMinor, isImported, isCredit] of movements) {
          const amount = decimal(amountMinor, digits);
          balance += isCredit ? amountMinor : -amountMinor;
          const availableBalance = decimal(balance, digits);
          const row = entry({ amount, availableBalance, debitCreditMemo: isCredit ? 'CREDIT' : 'DEBIT' });
          if (isImported) expect(await importing(gateway, given.program, [line(given.account, row)])).toEqual(['new']);
          else expect(await post(gateway, given, [row])).toMatchObject([{ amount, availableBalance }]);
          expected.unshift({ amount, availableBalance });
        }
        const { rest, graphql } = await shown(given.account, given.caller);
        expect(graphql).toEqual(expected);
        const numbers = [...rest.matchAll(/"amount":([^,]*),"availableBalance":([^,]*),/g)];
        expect(numbers.map(([, amount, availableBalance]) => ({ amount, availableBalance }))).toEqual(expected);
      },
    ),
    { numRuns: rounds(40) },
  );
});

test('a balance beyond what a binary number holds stays exact, to the last minor unit', async () => {
  const balanceMinor = 2n ** 53n;
  for (const currency of ['JPY', 'USD', 'BHD', 'CLF']) {
    const digits = currencyDigits(currency);
    const given = await gateway.given.account({ currency, balanceMinor });
    await post(gateway, given, [entry({ amount: decimal(1n, digits) })]);
    await importing(gateway, given.program, [line(given.account, entry({ amount: decimal(2n, digits) }))]);
    const { rest, graphql } = await shown(given.account, given.caller);
    const balances = [decimal(balanceMinor + 3n, digits), decimal(balanceMinor + 1n, digits)];
    expect(graphql.map(({ availableBalance }) => availableBalance)).toEqual(balances);
    for (const balance of balances) expect(rest).toContain(`"availableBalance":${balance},`);
    const wrong = entry({ amount: '0', availableBalance: decimal(balanceMinor + 2n, digits) });
    await expect(post(gateway, given, [wrong])).rejects.toThrow();
  }
});

test('minor units and decimal texts are two notations of one number', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CURRENCIES),
      fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }),
      (currency, amount) => {
        const text = decimalOf(amount, currency);
        expect(text).toBe(decimal(amount, currencyDigits(currency)));
        expect(minorOf(text, currency)).toBe(amount);
        expect(minorUnits(text.replace('-', ''), currency)).toBe(amount < 0n ? -amount : amount);
      },
    ),
  );
});

test.each([
  ['', 'USD'],
  ['-', 'USD'],
  ['.5', 'USD'],
  ['5.', 'USD'],
  ['1e2', 'USD'],
  ['1,000', 'USD'],
  [' 1', 'USD'],
  ['+1', 'USD'],
  ['1.001', 'USD'],
  ['0.1', 'JPY'],
  ['0.0001', 'BHD'],
  ['1.00001', 'CLF'],
  ['1234567890123456789', 'JPY'],
  ['NaN', 'USD'],
])('%j is no amount of %s', (text, currency) => {
  expect(minorOf(text, currency)).toBeNull();
});

test.each([
  ['1.5', 'USD', 150n],
  ['1.5000', 'USD', 150n],
  ['1.0000', 'JPY', 1n],
  ['-0.01', 'USD', -1n],
  ['007', 'USD', 700n],
  ['0', 'CLF', 0n],
] as const)('%j is an amount of %s', (text, currency, amount) => {
  expect(minorOf(text, currency)).toBe(amount);
});
