import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SCOPES } from '../../src/shared/caller.js';
import { mask } from '../../src/shared/mask.js';
import type { Connection } from '../support/answers.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ACCOUNT = `query ($account: ID!) { account(accountId: $account) {
  accountId accountType currency status openedOn interestBearing availableBalance
  owners { customerId name { first middle last } taxId taxIdCountry governmentId contact { email telephones { type country number } } isPrimary }
} }`;

test('an account has every field of its type', async () => {
  const { program, customer, taxId, governmentId, email } = await gateway.given.customer();
  const { account, caller } = await gateway.given.account({
    program,
    owners: [customer],
    accountType: 'CD',
    status: 'RESTRICTED',
    openedOn: '2021-02-28',
    interestBearing: true,
    balanceMinor: -5n,
  });
  const { status, data, errors } = await gateway.as(caller).graphql(ACCOUNT, { account });
  expect([status, errors]).toEqual([200, undefined]);
  expect(data.account).toEqual({
    accountId: account,
    accountType: 'CD',
    currency: 'USD',
    status: 'RESTRICTED',
    openedOn: '2021-02-28',
    interestBearing: true,
    availableBalance: '-0.05',
    owners: [
      {
        customerId: customer,
        name: {
          first: 'Ada',
          middle: null,
          last: expect.any(String),
        },
        taxId: mask(taxId),
        taxIdCountry: 'US',
        governmentId: mask(governmentId),
        isPrimary: true,
        contact: {
          email: [email],
          telephones: [
            {
              type: 'CELL',
              country: 'US',
              number: expect.any(String),
            },
          ],
        },
      },
    ],
  });
});

test.each([
  ['USD', 123456n, '1234.56'],
  ['JPY', 123456n, '123456'],
  ['BHD', 123456n, '123.456'],
  ['CLF', 123456n, '12.3456'],
  ['USD', 9007199254740993n, '90071992547409.93'],
  ['EUR', 0n, '0.00'],
])('the balance in %s of %s minor units is %s', async (currency, balanceMinor, availableBalance) => {
  const { account, caller } = await gateway.given.account({ currency, balanceMinor });
  const { data } = await gateway.as(caller).graphql(ACCOUNT, { account });
  expect(data.account).toMatchObject({ currency, availableBalance });
});

test('a government id is whole for a caller with pii.read alone', async () => {
  const { program, customer, governmentId } = await gateway.given.customer();
  const { account, caller } = await gateway.given.account({ program, owners: [customer] });
  const reader = await gateway.caller({ program, scopes: SCOPES });
  const seen = async (token: string) =>
    (await gateway.as(token).graphql(ACCOUNT, { account })).data.account.owners[0].governmentId;
  expect(await Promise.all([seen(caller), seen(reader), seen(caller)])).toEqual([
    mask(governmentId),
    governmentId,
    mask(governmentId),
  ]);
});

const LIST = `query ($first: Int, $after: String, $filter: AccountFilter) { accounts(first: $first, after: $after, filter: $filter) {
  totalCount nodes { accountId } edges { cursor node { accountId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
} }`;

type Accounts = Connection<{ accountId: string }>;

async function listed(caller: string, variables: object): Promise<Accounts> {
  const { data, errors } = await gateway.as(caller).graphql<{ accounts: Accounts }>(LIST, variables);
  expect(errors).toBeUndefined();
  return data.accounts;
}

async function ids(caller: string, filter?: object): Promise<string[]> {
  const { nodes, totalCount } = await listed(caller, { filter, first: 100 });
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ accountId }) => accountId);
}

test('accounts go on from cursor to cursor to their end', async () => {
  const program = gateway.given.program();
  const accounts = await Promise.all(Array.from({ length: 7 }, () => gateway.given.account({ program })));
  const caller = await gateway.caller({ program });
  const pages = [await listed(caller, { first: 3 })];
  for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
    pages.push(await listed(caller, { first: 3, after: last.pageInfo.endCursor }));
  }
  expect(pages.map(({ nodes }) => nodes.length)).toEqual([3, 3, 1]);
  expect(pages.flatMap(({ nodes }) => nodes.map(({ accountId }) => accountId)).sort()).toEqual(
    accounts.map(({ account }) => account).sort(),
  );
  expect(pages.map(({ pageInfo: { hasNextPage, hasPreviousPage } }) => [hasNextPage, hasPreviousPage])).toEqual([
    [true, false],
    [true, true],
    [false, true],
  ]);
  for (const { edges, nodes, pageInfo, totalCount } of pages) {
    expect(totalCount).toBe(7);
    expect(edges.map(({ node }) => node)).toEqual(nodes);
    expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]?.cursor, edges.at(-1)?.cursor]);
  }
});

test('the filter of accounts: what is given must all fit', async () => {
  const program = gateway.given.program();
  const [one, other] = (await gateway.given.customers(program, 2)) as [string, string];
  const open = await gateway.given.account({ program, owners: [one] });
  const closed = await gateway.given.account({ program, owners: [one, other], status: 'CLOSED' });
  const foreign = await gateway.given.account();
  const caller = await gateway.caller({ program });
  const both = [open.account, closed.account].sort();
  expect((await ids(caller)).sort()).toEqual(both);
  expect((await ids(caller, {})).sort()).toEqual(both);
  expect(await ids(caller, { statuses: ['CLOSED'] })).toEqual([closed.account]);
  expect(await ids(caller, { statuses: 'CLOSED' })).toEqual([closed.account]);
  expect(await ids(caller, { statuses: ['RESTRICTED'] })).toEqual([]);
  expect(await ids(caller, { accountIds: [open.account, foreign.account, 'no\u0000such', ''] })).toEqual([
    open.account,
  ]);
  expect(await ids(caller, { customerId: other })).toEqual([closed.account]);
  expect(await ids(caller, { customerId: randomUUID() })).toEqual([]);
  expect(await ids(caller, { customerId: other, statuses: ['OPEN'] })).toEqual([]);
  expect(
    await ids(caller, { customerId: one.toUpperCase(), statuses: ['OPEN', 'CLOSED'], accountIds: both }),
  ).toHaveLength(2);
});

// Conditions differ by caller and filter, and the connections are shared: a prepared statement of one must never serve
// another.
test('callers of every kind with every filter share connections', async () => {
  const program = gateway.given.program();
  const [one, other] = (await gateway.given.customers(program, 2)) as [string, string];
  const mine = await gateway.given.account({ program, owners: [one] });
  await gateway.given.account({ program, owners: [other], status: 'CLOSED' });
  const customer = await gateway.caller({ program, customerId: one });
  const wide = await gateway.caller({ program });
  const filters = [
    undefined,
    {},
    { statuses: ['OPEN'] },
    { accountIds: [mine.account] },
    { customerId: one },
    { statuses: ['OPEN'], customerId: one },
    { accountIds: [mine.account], statuses: ['OPEN'] },
  ];
  for (let round = 0; round < 3; round++) {
    const seen = await Promise.all(filters.flatMap(filter => [ids(customer, filter), ids(wide, filter)]));
    for (const [index, found] of seen.entries()) {
      expect(found).toEqual(index === 1 || index === 3 ? expect.arrayContaining([mine.account]) : [mine.account]);
    }
  }
});

test.each([
  ['first: 0', '/first'],
  ['first: -1', '/first'],
  ['after: "!!"', '/after'],
  ['after: "AAAA"', '/after'],
])('accounts(%s) is refused', async (args, pointer) => {
  const query = `{ accounts(${args}) { nodes { accountId } totalCount } }`;
  const { status, data, errors } = await gateway.as(await gateway.caller()).graphql(query);
  expect([status, data]).toEqual([200, { accounts: null }]);
  expect(errors).toMatchObject([{ path: ['accounts'], extensions: { code: 'RULE_BROKEN', errors: [{ pointer }] } }]);
});

test('owners are added and removed with a reason for each who is not', async () => {
  const { caller, program, account, owners } = await gateway.given.account();
  const { customer } = await gateway.given.customer({ program });
  const unknown = randomUUID();
  const { data } = await gateway
    .as(caller)
    .graphql(
      `mutation ($account: ID!, $ids: [ID!]!) { addAccountOwners(input: { accountId: $account, customerIds: $ids }) { account { owners { customerId } } results { customerId ownerStatus reason owner { customerId isPrimary governmentId } } } }`,
      { account, ids: [customer, unknown, owners[0], customer] },
    );
  expect(data.addAccountOwners.account.owners).toEqual([...owners, customer].map(customerId => ({ customerId })));
  expect(data.addAccountOwners.results).toEqual([
    {
      customerId: customer,
      ownerStatus: 'ADDED',
      reason: null,
      owner: { customerId: customer, isPrimary: false, governmentId: expect.stringMatching(/^\*{5}\d{4}$/) },
    },
    {
      customerId: unknown,
      ownerStatus: 'FAILED_TO_ADD',
      reason: expect.stringContaining('no customer with this id'),
      owner: null,
    },
    { customerId: owners[0], ownerStatus: 'FAILED_TO_ADD', reason: expect.stringContaining('already'), owner: null },
  ]);
  const removed = await gateway
    .as(caller)
    .graphql(
      `mutation { removeAccountOwners(input: { accountId: "${account}", customerIds: ["${customer}", "${unknown}"] }) { account { owners { customerId } } results { customerId ownerStatus reason owner { customerId } } } }`,
    );
  expect(removed.data.removeAccountOwners.account.owners).toEqual(owners.map(customerId => ({ customerId })));
  expect(removed.data.removeAccountOwners.results).toEqual([
    { customerId: customer, ownerStatus: 'REMOVED', reason: null, owner: null },
    { customerId: unknown, ownerStatus: 'NOT_FOUND', reason: null, owner: null },
  ]);
});

test('the account of a payload needs the scope of accounts, and costs what was written nothing', async () => {
  const { program, account, owners } = await gateway.given.account();
  const { customer } = await gateway.given.customer({ program });
  const caller = await gateway.caller({ program, scopes: ['owners.write', 'operations'] });
  const transaction = { transactionId: 't-1', amount: '1', direction: 'CREDIT', category: 'ACH' };
  const at = '2026-03-31T18:05:00Z';
  const posted = {
    ...transaction,
    transactionType: 'X',
    status: 'POSTED',
    transactedAt: at,
    postedAt: at,
  };
  const { data, errors } = await gateway.as(caller).graphql(
    `mutation ($id: ID!, $in: [ID!]!, $out: [ID!]!, $posted: [TransactionInput!]!) {
      added: addAccountOwners(input: { accountId: $id, customerIds: $in }) { results { ownerStatus } account { accountId } }
      removed: removeAccountOwners(input: { accountId: $id, customerIds: $out }) { results { ownerStatus } account { accountId } }
      posted: postAccountTransactions(input: { accountId: $id, transactions: $posted }) { transactions { amount } account { accountId } } }`,
    { id: account, in: [customer], out: owners, posted: [posted] },
  );
  expect(data).toEqual({
    added: { results: [{ ownerStatus: 'ADDED' }], account: null },
    removed: { results: [{ ownerStatus: 'REMOVED' }], account: null },
    posted: { transactions: [{ amount: '1.00' }], account: null },
  });
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('INSUFFICIENT_SCOPE'));
});
