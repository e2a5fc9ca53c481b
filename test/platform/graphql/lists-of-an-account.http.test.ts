import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { entry, post, postSome, problems } from '../../transaction/support/ledger.js';
import { rounds } from '../../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** More often than it takes for a query to be compiled. */
const TIMES = 6;

const PAGE = 'first: $first, after: $after';
const LISTS = `query ($id: ID!, $first: Int, $after: String) { account(accountId: $id) { availableBalance
  beneficiaries(${PAGE}) { totalCount edges { cursor node { beneficiaryId addresses { city } } } pageInfo { hasNextPage hasPreviousPage } }
  names: beneficiaries(${PAGE}) { nodes { beneficiaryId name { last } } }
  transactions(${PAGE}) { totalCount edges { cursor node { transactionId } } pageInfo { hasNextPage hasPreviousPage } }
  ...Whole } }
  fragment Whole on Account { whole: transactions(${PAGE}) { nodes { transactionId amount balanceAfter lineItem: lineItems { reference } } } }`;

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

test('a page is the same whether its operation is compiled or not', async () => {
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
      const [quick, plain] = await Promise.all([
        gateway.as(caller).graphql(LISTS, variables),
        // No text like it came before, so it is not compiled.
        gateway.as(caller).graphql(`# ${unique('text')}\n${LISTS}`, variables),
      ]);
      expect(quick.data).toEqual(plain.data);
      expect(quick.errors?.map(({ extensions }) => problems(extensions))).toEqual(
        plain.errors?.map(({ extensions }) => problems(extensions)),
      );
    }),
    { numRuns: rounds(150) },
  );
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
    return data?.account ?? errors?.map(({ extensions }) => extensions.code) ?? null;
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
