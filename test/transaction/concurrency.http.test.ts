import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import {
  entries,
  entry,
  expectSound,
  idsOf,
  importing,
  line,
  post,
  posting,
  refusal,
  restPages,
} from './support/ledger.js';
import { inputsOf } from '../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const WRITERS = 16;
const writers = <Result>(work: (writer: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));

test('sixteen writers to one account: no number is missing, every balance adds up, nobody is refused', async () => {
  const given = await gateway.given.account();
  const posted = await writers(async writer => {
    const ids: string[] = [];
    for (let round = 0; round < 4; round++) {
      const batch = entries(1 + ((writer + round) % 3), index => ({
        amount: `${writer}.${round}${index}`,
        debitCreditMemo: (writer + index) % 2 ? 'DEBIT' : 'CREDIT',
      }));
      const answer = await post(gateway, given, batch);
      ids.push(...answer.map(({ transactionId }) => transactionId));
    }
    return ids;
  });
  const { count } = await expectSound(gateway, given.account);
  const history = idsOf(...(await restPages(gateway, given, 'limit=100'))).reverse();
  expect(history).toHaveLength(count);
  expect([...history].sort()).toEqual(posted.flat().sort());
  // What one writer posted stands in its order.
  for (const ids of posted) expect(history.filter(id => ids.includes(id))).toEqual(ids);
});

test('sixteen writers to several accounts in turn, some in one operation: every ledger is sound', async () => {
  const program = gateway.given.program();
  const accounts: GivenAccount[] = [];
  for (let index = 0; index < 4; index++) accounts.push(await gateway.given.account({ program }));
  const both = `mutation ($one: ID!, $two: ID!, $a: [TransactionInput!]!, $b: [TransactionInput!]!) {
    a: postAccountTransactions(input: { accountId: $one, transactions: $a }) { transactions { transactionId } } b: postAccountTransactions(input: { accountId: $two, transactions: $b }) { transactions { transactionId } } }`;
  await writers(async writer => {
    for (let round = 0; round < 3; round++) {
      const one = accounts[(writer + round) % 4] as GivenAccount;
      const two = accounts[(writer * 3 + round + 1) % 4] as GivenAccount;
      const variables = { one: one.account, two: two.account, a: inputsOf(entries(2)), b: inputsOf(entries(1)) };
      const { errors } = await gateway.as(one.caller).graphql(both, variables, { headers: keyed(unique('key')) });
      expect(errors).toBeUndefined();
    }
  });
  const counts = await Promise.all(accounts.map(async ({ account }) => (await expectSound(gateway, account)).count));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(WRITERS * 3 * 3);
});

test('one transaction that sixteen post at once is on the ledger once, and all get the same answer', async () => {
  const given = await gateway.given.account();
  const [same, ...others] = [entry({ amount: '12.34' }), ...entries(WRITERS)];
  const answers = await writers(async writer => (await post(gateway, given, [others[writer] as object, same]))[1]);
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: WRITERS + 1, balance: '17234' });
});

test('sixteen who post different things under one id: one of them gets in, the others are told', async () => {
  const given = await gateway.given.account();
  const answers = await writers(writer =>
    posting(gateway, given, [entry({ transactionId: 'one', amount: `${writer + 1}` })]),
  );
  const told = answers.filter(({ errors }) => errors).map(answer => refusal(answer).code);
  expect(told).toEqual(Array.from({ length: WRITERS - 1 }, () => 'transaction_mismatch'));
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 1 });
});

test('one request that sixteen send at once under one key is done once', async () => {
  const given = await gateway.given.account();
  const key = keyed(unique('key'));
  const batch = entries(5);
  const answers = await writers(() => posting(gateway, given, batch, key));
  expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'])).toHaveLength(WRITERS - 1);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 5 });
});

test('imports and postings that take two accounts in either order end in no deadlock', async () => {
  const program = gateway.given.program();
  const [one, two] = [await gateway.given.account({ program }), await gateway.given.account({ program })];
  const lines = (first: GivenAccount, second: GivenAccount) =>
    [first, second, first, second].map(({ account }) => line(account, entry()));
  const outcomes = await Promise.all([
    ...Array.from({ length: 6 }, (_, index) =>
      importing(gateway, program, index % 2 ? lines(one, two) : lines(two, one)),
    ),
    ...Array.from({ length: 6 }, (_, index) => post(gateway, index % 2 ? one : two, entries(2))),
  ]);
  expect(outcomes.slice(0, 6).flat()).toEqual(Array.from({ length: 24 }, () => 'new'));
  for (const { account } of [one, two]) expect(await expectSound(gateway, account)).toMatchObject({ count: 18 });
});

test('while an account is imported, others post to it: both are on its ledger, once', async () => {
  const given = await gateway.given.account();
  const file = entries(300);
  const shared = file.filter((_, index) => index % 10 === 0);
  const importer = async (): Promise<void> => {
    for (let from = 0; from < file.length; from += 30) {
      const outcomes = await importing(
        gateway,
        given.program,
        file.slice(from, from + 30).map(row => line(given.account, row)),
      );
      for (const outcome of outcomes) expect(['new', 'unchanged']).toContain(outcome);
    }
  };
  const poster = async (writer: number): Promise<void> => {
    for (const row of shared.slice(writer * 7, writer * 7 + 7)) await post(gateway, given, [row, entry()]);
  };
  await Promise.all([importer(), importer(), poster(0), poster(1), poster(2), poster(3)]);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 300 + 28 });
});

test('whoever reads meanwhile sees whole postings: the balance, the total and the newest row belong together', async () => {
  const given = await gateway.given.account();
  const query = `query ($id: ID!) { account(accountId: $id) { availableBalance transactions(first: 1) { totalCount nodes { availableBalance: balanceAfter } } } }`;
  let done = false;
  const posters = Promise.all(
    [0, 1].map(async () => {
      for (let round = 0; round < 15; round++) await post(gateway, given, entries(3));
    }),
  ).finally(() => (done = true));
  while (!done) {
    const { account } = (await gateway.as(given.caller).graphql(query, { id: given.account })).data;
    const { totalCount, nodes } = account.transactions;
    expect(totalCount % 3).toBe(0);
    expect(account.availableBalance).toBe(`${totalCount * 10 || '0'}.00`);
    expect(nodes).toEqual(totalCount === 0 ? [] : [{ availableBalance: account.availableBalance }]);
  }
  await posters;
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 90 });
});
