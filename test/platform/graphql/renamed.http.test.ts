import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HoldClient } from '../../hold/support/holds.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { entry, post } from '../../transaction/support/ledger.js';

let gateway: TestGateway;
let of: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  of = await gateway.given.account({ owners: 1, balanceMinor: 0n });
  await post(gateway, of, [entry({ amount: '12.50' })]);
});
afterAll(() => gateway.stop());

/** What a query of an account gives. */
async function accountOf(fields: string): Promise<Record<string, unknown>> {
  const { data, errors } = await gateway
    .as(of.caller)
    .graphql(`query ($a: ID!) { account(accountId: $a) { ${fields} } }`, { a: of.account });
  expect(errors).toBeUndefined();
  return data.account as Record<string, unknown>;
}

test('a field of a record answers by its former name as well', async () => {
  expect(await accountOf('transactions { nodes { balanceAfter availableBalance } }')).toEqual({
    transactions: { nodes: [{ balanceAfter: '12.50', availableBalance: '12.50' }] },
  });
});

test.each([
  ['transactions { nodes { transactedAt transactionTimestamp } }'],
  ['transactions { nodes { transactedAtLocal transactionTime } }'],
  ['transactions { nodes { postedAt postedTimestamp } }'],
  ['transactions { nodes { postedAtLocal postedTime } }'],
  ['balanceOn(date: "2030-01-01") balanceAt(date: "2030-01-01")'],
  [
    'dailyBalances(from: "2029-12-31", to: "2030-01-01") { balance } balancesAt(to: "2030-01-01", from: "2029-12-31") { balance }',
  ],
])('both names give the same: %s', async fields => {
  const account = await accountOf(fields);
  const row = (account['transactions'] as { nodes?: object[] } | undefined)?.nodes?.[0] ?? account;
  const [one, other, ...none] = Object.values(row);
  expect(one).toEqual(other);
  expect(one).toEqual(expect.anything());
  expect(none).toEqual([]);
});

test('a filter by instants, by days and by the former texts selects the same, and not both at once', async () => {
  const at = entry({
    amount: '7.00',
    postedTimestamp: '2026-03-31T18:05:00Z',
    transactionTimestamp: '2026-03-31T18:05:00Z',
  });
  const given = await gateway.given.account({ balanceMinor: 0n });
  await post(gateway, given, [
    entry({ amount: '1.00', postedTimestamp: '2026-02-01T12:00:00Z', transactionTimestamp: '2026-02-01T12:00:00Z' }),
    at,
  ]);
  const found = async (filter: string) => {
    const { data, errors } = await gateway
      .as(given.caller)
      .graphql(
        `{ account(accountId: "${given.account}") { transactions(filter: { ${filter} }) { nodes { amount } } } }`,
      );
    return errors ? errors.map(({ extensions }) => extensions['errors']) : data.account.transactions.nodes;
  };
  const march = [{ amount: '7.00' }];
  expect(await found('postedFrom: "2026-03-01T00:00:00Z", postedBefore: "2026-04-02T00:00:00Z"')).toEqual(march);
  expect(await found('postedOnFrom: "2026-03-01", postedOnTo: "2026-04-01"')).toEqual(march);
  expect(await found('startTime: "2026-03-01", endTime: "2026-04-01"')).toEqual(march);
  expect(await found('directions: [CREDIT], postedOnFrom: "2026-03-01"')).toEqual(march);
  expect(await found('debitCreditMemo: CREDIT, postedOnFrom: "2026-03-01"')).toEqual(march);
  expect(await found('directions: DEBIT')).toEqual([]);
  expect(await found('startTime: "2026-03-01", postedOnFrom: "2026-03-01"')).toEqual([
    [expect.objectContaining({ pointer: '/filter/startTime', code: 'range' })],
  ]);
  expect(await found('postedOnFrom: "2026-03-02", postedOnTo: "2026-03-01"')).toEqual([
    [expect.objectContaining({ pointer: '/filter/postedOnTo', code: 'range' })],
  ]);
});

test('lists of holds take several statuses, one status, and the former argument beside them', async () => {
  const given = await gateway.given.account({ balanceMinor: 10_000n });
  const client = new HoldClient(gateway, given);
  const [kept, released] = [await client.placed(), await client.placed()];
  await client.release(released);
  const found = async (args: string) => {
    const { data, errors } = await gateway
      .as(given.caller)
      .graphql(`{ account(accountId: "${given.account}") { holds${args} { totalCount nodes { holdId } } } }`);
    expect(errors).toBeUndefined();
    const { totalCount, nodes } = data.account.holds;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ holdId }: { holdId: string }) => holdId);
  };
  expect(await found('')).toEqual([released, kept]);
  expect(await found('(filter: { status: [ACTIVE, RELEASED] })')).toEqual([released, kept]);
  expect(await found('(filter: { status: ACTIVE })')).toEqual([kept]);
  expect(await found('(status: RELEASED)')).toEqual([released]);
  expect(await found('(status: RELEASED, filter: { status: [ACTIVE, RELEASED] })')).toEqual([released]);
  expect(await found('(status: RELEASED, filter: { status: ACTIVE })')).toEqual([]);
});
