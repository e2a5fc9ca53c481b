import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Caller, SCOPES, type Scope } from '../../../src/shared/caller.js';
import { differsOnCitus } from '../../support/citus-differences.js';
import { startGatewayInside, unique, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import type { GivenAccount } from '../../support/given.js';
import { testUnless } from '../../support/unless.js';
import { until } from '../../support/until.js';
import { entries, entry, post, postSome, problems } from '../../transaction/support/ledger.js';
import { rounds } from '../../support/rounds.js';
import { restCode } from '../../support/answers.js';

let gateway: GatewayInThisProcess;
beforeAll(async () => {
  gateway = await startGatewayInside();
});
afterAll(() => gateway.stop());

/** More often than it takes for a query to be compiled. Only what is compiled prefetches. */
const TIMES = 6;

const PAGE = 'first: $first, after: $after';
const LISTS = `query ($id: ID!, $first: Int, $after: String) { account(accountId: $id) { availableBalance
  beneficiaries(${PAGE}) { totalCount edges { cursor node { beneficiaryId addresses { city } } } pageInfo { hasNextPage hasPreviousPage } }
  names: beneficiaries(${PAGE}) { nodes { beneficiaryId name { last } } }
  transactions(${PAGE}) { totalCount edges { cursor node { transactionId } } pageInfo { hasNextPage hasPreviousPage } }
  ...Whole } }
  fragment Whole on Account { whole: transactions(${PAGE}) { nodes { transactionId amount balanceAfter lineItem { reference } } } }`;

async function compiled(caller: string, query: string, variables: Record<string, unknown>): Promise<void> {
  for (let time = 0; time < TIMES; time++) await gateway.as(caller).graphql(query, variables);
  await gateway.compiled();
}

async function withLists(beneficiaries: number, transactions: number): Promise<GivenAccount> {
  const given = await gateway.given.account();
  for (let n = 0; n < beneficiaries; n++) await gateway.given.beneficiary({ of: given });
  await postSome(gateway, given, transactions);
  return given;
}

/** A caller as services know it. */
function callerIn(program: string, customerId: string | null = null, scopes: readonly Scope[] = SCOPES): Caller {
  return new Caller({ program, clientId: 'c', subject: 's', customerId, scopes: new Set(scopes) }, 'request-id');
}

test('a page is the same whether it was prefetched or not', async () => {
  const { caller, account } = await withLists(3, 5);
  const cursors = (await gateway.as(caller).graphql(LISTS, { id: account, first: 10 })).data?.account;
  const after = fc.constantFrom(
    null,
    undefined,
    '',
    'MA',
    'nonsense',
    ...cursors.beneficiaries.edges.map(({ cursor }: { cursor: string }) => cursor),
    ...cursors.transactions.edges.map(({ cursor }: { cursor: string }) => cursor),
  );
  const page = fc.record({
    id: fc.constantFrom(account, account, account, unique('none'), 'two words', ''),
    first: fc.constantFrom(undefined, null, -1, 0, 1, 2, 3, 5, 6, 100, 2_000_000_000),
    after,
  });
  await compiled(caller, LISTS, { id: account });
  await fc.assert(
    fc.asyncProperty(page, async variables => {
      const [ahead, plain] = await Promise.all([
        gateway.as(caller).graphql(LISTS, variables),
        // No text like it came before, so it is not compiled.
        gateway.as(caller).graphql(`# ${unique('text')}\n${LISTS}`, variables),
      ]);
      expect(ahead.data).toEqual(plain.data);
      expect(ahead.errors?.map(({ extensions }) => problems(extensions))).toEqual(
        plain.errors?.map(({ extensions }) => problems(extensions)),
      );
    }),
    { numRuns: rounds(150) },
  );
});

/**
 * The statements that batches send while `work` goes on. The account is not looked up before `ahead` statements have
 * been asked for beside it.
 */
async function statementsOf(ahead: number, work: () => Promise<void>): Promise<string[]> {
  const { database } = gateway.gateway.container;
  const sent: string[] = [];
  const queryTogether = database.queryTogether.bind(database);
  const listening = jest.spyOn(database, 'queryTogether').mockImplementation(async (statement, values) => {
    sent.push(statement.name);
    if (statement.name.startsWith('accounts_')) await until(() => sent.length > ahead);
    return queryTogether(statement, values);
  });
  try {
    await work();
    return sent.toSorted();
  } finally {
    listening.mockRestore();
  }
}

testUnless(differsOnCitus('prefetching'))('the lists of an account are asked for beside the account', async () => {
  const { caller, account } = await withLists(1, 1);
  const query = `query ($id: ID!) { account(accountId: $id) { beneficiaries { nodes { beneficiaryId } } transactions { nodes { amount } } } }`;
  await compiled(caller, query, { id: account });
  const sent = await statementsOf(2, async () => {
    const { data } = await gateway.as(caller).graphql(query, { id: account });
    expect(data).toMatchObject({ account: { beneficiaries: { nodes: [{}] }, transactions: { nodes: [{}] } } });
  });
  expect(sent).toEqual(['accounts_seen_by_program', 'beneficiary_pages_ahead', 'transaction_ranges_ahead']);
});

test.each([
  [
    'a directive may leave out',
    ', $wanted: Boolean!',
    'transactions @include(if: $wanted) { nodes { amount } }',
    { wanted: false },
  ],
  [
    'has a filter',
    ', $filter: TransactionFilter',
    'transactions(filter: $filter) { nodes { amount } }',
    { filter: { category: 'ACH' } },
  ],
  ['is asked for its total alone', '', 'beneficiaries { totalCount }', {}],
])('a list that %s is not begun', async (_which, given, list, variables) => {
  const { caller, account } = await withLists(1, 1);
  const query = `query ($id: ID!${given}) { account(accountId: $id) { accountId ${list} } }`;
  await compiled(caller, query, { id: account, ...variables });
  const sent = await statementsOf(0, async () => {
    const { errors } = await gateway.as(caller).graphql(query, { id: account, ...variables });
    expect(errors).toBeUndefined();
  });
  expect(sent).toContain('accounts_seen_by_program');
  expect(sent.filter(name => name.endsWith('_ahead'))).toEqual([]);
});

test('a page and its total know the same postings, however many come in between', async () => {
  const given = await gateway.given.account();
  const query = `query ($id: ID!) { account(accountId: $id) { availableBalance transactions(first: 3) { totalCount nodes { transactionId availableBalance: balanceAfter } } } }`;
  await compiled(given.caller, query, { id: given.account });
  const POSTINGS = 60;
  let posted = 0;
  const write = async () => {
    for (; posted < POSTINGS; posted++) {
      await post(gateway, given, [entry({ transactionId: `t${posted + 1}`, amount: '1' })]);
    }
  };
  const totals = new Set<number>();
  const read = async () => {
    while (posted < POSTINGS) {
      const { data } = await gateway.as(given.caller).graphql(query, { id: given.account });
      const { availableBalance, transactions } = data.account;
      const total = transactions.totalCount as number;
      totals.add(total);
      expect(availableBalance).toBe(`${total}.00`);
      const newest = Array.from({ length: Math.min(3, total) }, (_, index) => total - index);
      expect(transactions.nodes).toEqual(
        newest.map(number => ({ transactionId: `t${number}`, availableBalance: `${number}.00` })),
      );
      const { body } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/transactions?limit=3`);
      const shown = body.transactions.map(
        ({ depositTransaction }: { depositTransaction: { transactionId: string } }) => depositTransaction.transactionId,
      );
      const { totalElements } = body.page;
      expect(shown).toEqual(
        Array.from({ length: Math.min(3, totalElements) }, (_, index) => `t${totalElements - index}`),
      );
    }
  };
  await Promise.all([write(), read(), read()]);
  expect(totals.size).toBeGreaterThan(5);
});

test('callers who ask for the same lists at the same moment see each what they may', async () => {
  const mine = await withLists(1, 1);
  const theirs = await gateway.given.account();
  const owner = mine.owners[0] as string;
  const { customer: stranger } = await gateway.given.customer({ program: mine.program });
  const query = `query ($id: ID!) { account(accountId: $id) { beneficiaries { nodes { taxId } } transactions { nodes { amount } } } }`;
  const sees = async (caller: string) => {
    const { data, errors } = await gateway.as(caller).graphql(query, { id: mine.account });
    return data?.account ?? errors?.map(({ extensions }) => restCode(extensions.code)) ?? null;
  };
  const customers = await Promise.all(
    [owner, stranger].map(customerId => gateway.caller({ program: mine.program, customerId })),
  );
  const limited = await gateway.caller({ program: mine.program, scopes: ['accounts.read', 'beneficiaries.read'] });
  const all = { beneficiaries: { nodes: [expect.anything()] }, transactions: { nodes: [expect.anything()] } };
  await compiled(mine.caller, query, { id: mine.account });
  for (let time = 0; time < TIMES; time++) {
    expect(await Promise.all([mine.caller, theirs.caller, ...customers, limited].map(caller => sees(caller)))).toEqual([
      all,
      null,
      all,
      null,
      { beneficiaries: { nodes: [expect.anything()] }, transactions: null },
    ]);
  }
});

testUnless(differsOnCitus('prefetching'))(
  'nothing of an account is prefetched for a caller who does not see it',
  async () => {
    const { program, account, owners } = await withLists(2, 2);
    const { customer: stranger } = await gateway.given.customer({ program });
    const { beneficiaries, history } = gateway.gateway.container;
    const rowsFor = async (caller: Caller) =>
      Promise.all([
        beneficiaries.prefetch(caller, account, {}, true).rows.then(rows => rows?.length ?? null),
        history.prefetch(caller, account, {}, true).rows.then(rows => rows.length),
      ]);
    expect(await rowsFor(callerIn(program))).toEqual([2, 2]);
    expect(await rowsFor(callerIn(program, owners[0]))).toEqual([2, 2]);
    expect(await rowsFor(callerIn(program, stranger))).toEqual([null, 0]);
    expect(await rowsFor(callerIn(gateway.given.program()))).toEqual([null, 0]);
    const limited = callerIn(program, null, ['accounts.read']);
    expect(() => beneficiaries.prefetch(limited, account, {}, true)).toThrow('scope');
    expect(() => history.prefetch(limited, account, {}, true)).toThrow('scope');
  },
);

test('what was prefetched too early, or is another page, is read anew', async () => {
  const given = await withLists(2, 2);
  const { accounts, beneficiaries, history } = gateway.gateway.container;
  const { program, account, caller } = given;
  const { customer } = await gateway.given.customer({ program });
  const late = callerIn(program, customer);
  const early = {
    page: beneficiaries.prefetch(late, account, {}, false),
    range: history.prefetch(late, account, {}, false),
  };
  await Promise.all([early.page.rows, early.range.rows]);
  const { errors } = await gateway
    .as(caller)
    .graphql(
      'mutation ($a: ID!, $c: [UUID!]!) { addAccountOwners(accountId: $a, customerIds: $c) { results { customerId } } }',
      {
        a: account,
        c: [customer],
      },
    );
  expect(errors).toBeUndefined();
  await post(gateway, given, entries(1));
  const view = await accounts.mustSee(late, account);
  const page = await beneficiaries.list(late, view, {}, { secrets: false, prefetch: early.page }).page();
  const range = await history.list(late, view, {}, {}, { lists: false, prefetch: early.range }).page();
  expect([page.nodes.length, range.nodes.length]).toEqual([2, 3]);

  const masked = beneficiaries.prefetch(late, account, {}, false);
  const whole = await beneficiaries.list(late, view, {}, { secrets: true, prefetch: masked }).page();
  expect(whole.nodes.map(({ addresses }) => addresses.length)).toEqual([1, 1]);
  const other = history.prefetch(late, account, { first: 1 }, false);
  const lists = await history.list(late, view, {}, {}, { lists: true, prefetch: other }).page();
  expect(lists.nodes.map(({ lineItem }) => lineItem)).toEqual([[], [], []]);
});
