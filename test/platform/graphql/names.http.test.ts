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

test('a transaction has over GraphQL the names of GraphQL, and over REST those of the contract', async () => {
  const fields = 'balanceAfter transactedAt transactedAtLocal postedAt postedAtLocal';
  const { transactions } = await accountOf(`transactions { nodes { ${fields} } }`);
  const { body } = await gateway.as(of.caller).rest.get(`/accounts/${of.account}/transactions`);
  const [{ depositTransaction }] = body.transactions;
  const { availableBalance, transactionTimestamp, transactionTime, postedTimestamp, postedTime } = depositTransaction;
  expect(availableBalance).toBe(12.5);
  expect(transactions).toEqual({
    nodes: [
      {
        balanceAfter: '12.50',
        transactedAt: transactionTimestamp,
        transactedAtLocal: transactionTime,
        postedAt: postedTimestamp,
        postedAtLocal: postedTime,
      },
    ],
  });
});

test('a filter by instants and by days selects the same, and not both at once', async () => {
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
  expect(await found('directions: [CREDIT], postedOnFrom: "2026-03-01"')).toEqual(march);
  expect(await found('directions: DEBIT')).toEqual([]);
  expect(await found('postedFrom: "2026-03-01T00:00:00Z", postedOnFrom: "2026-03-01"')).toEqual([
    [expect.objectContaining({ pointer: '/filter/postedOnFrom', code: 'range' })],
  ]);
  expect(await found('postedOnFrom: "2026-03-02", postedOnTo: "2026-03-01"')).toEqual([
    [expect.objectContaining({ pointer: '/filter/postedOnTo', code: 'range' })],
  ]);
});

test('lists of holds take several statuses, and one', async () => {
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
  expect(await found('(filter: { statuses: [ACTIVE, RELEASED] })')).toEqual([released, kept]);
  expect(await found('(filter: { statuses: ACTIVE })')).toEqual([kept]);
});
