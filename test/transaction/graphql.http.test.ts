import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../support/answers.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import {
  FIELDS,
  byCursor,
  connection,
  entries,
  entry,
  idsOf,
  post,
  postSome,
  refusal,
  refusedConnection,
  restPages,
  type HistoryPage,
  type PostedView,
} from './support/ledger.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function history(count: number) {
  const given = await gateway.given.account();
  const posted = await postSome(gateway, given, count);
  return { given, newestFirst: posted.reverse() };
}

test('a transaction has every field of its type', async () => {
  const given = await gateway.given.account({ currency: 'BHD', timeZone: 'Asia/Kolkata' });
  const whole = entry({
    transactionId: 'whole',
    referenceTransactionId: 'earlier',
    reference: 'ref',
    amount: '1250.5',
    description: 'Wages',
    memo: 'March',
    transactionTimestamp: '2026-03-01T20:20:30.450Z',
    additionalInformation: [
      {
        key: 'usage',
        value: 'MONETARY',
      },
    ],
    lineItem: [
      {
        description: 'Base pay',
        reference: 'L1',
        imageIds: ['i1'],
      },
    ],
  });
  const expected = {
    ...whole,
    accountId: given.account,
    amount: '1250.500',
    availableBalance: '1250.500',
    currency: 'BHD',
    transactionTime: '2026-03-02T01:50:30',
    postedTime: '2026-03-02T21:30:00',
  };
  expect(await post(gateway, given, [whole])).toEqual([expected]);

  const query = `query ($id: ID!) { account(accountId: $id) { availableBalance
    one: transaction(transactionId: "whole") { ${FIELDS} } none: transaction(transactionId: "nothing") { amount }
    odd: transaction(transactionId: "two words") { amount }
    transactions { nodes { ${FIELDS} } } } transactions { nodes { ${FIELDS} } }
    listsAlone: account(accountId: $id) { lines: transactions { nodes { lineItems { reference } } } facts: transactions { nodes { additionalInformation { key } } } } }`;
  const { data } = await gateway.as(given.caller).graphql(query, { id: given.account });
  expect(data).toEqual({
    account: {
      availableBalance: '1250.500',
      one: expected,
      none: null,
      odd: null,
      transactions: { nodes: [expected] },
    },
    transactions: { nodes: [expected] },
    listsAlone: {
      lines: { nodes: [{ lineItems: [{ reference: 'L1' }] }] },
      facts: { nodes: [{ additionalInformation: [{ key: 'usage' }] }] },
    },
  });
});

test('a transaction id belongs to its account: the same id elsewhere is another transaction', async () => {
  const one = await gateway.given.account();
  const two = await gateway.given.account({ program: one.program });
  await post(gateway, one, [entry({ transactionId: 'twin', amount: '1' })]);
  await post(gateway, two, [entry({ transactionId: 'twin', amount: '2' })]);
  const query = `query ($one: ID!, $two: ID!) { one: account(accountId: $one) { transaction(transactionId: "twin") { amount } }
    two: account(accountId: $two) { transaction(transactionId: "twin") { amount } } }`;
  const { data } = await gateway.as(one.caller).graphql(query, { one: one.account, two: two.account });
  expect(data).toEqual({ one: { transaction: { amount: '1.00' } }, two: { transaction: { amount: '2.00' } } });
});

test('pages go forward from cursor to cursor, and say where they stand', async () => {
  const { given, newestFirst } = await history(7);
  const first = await connection(gateway, given, { first: 3 });
  expect(first).toMatchObject({ ids: newestFirst.slice(0, 3), totalCount: 7 });
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: first.cursors[0],
    endCursor: first.cursors[2],
  });
  const second = await connection(gateway, given, { first: 3, after: first.pageInfo.endCursor });
  expect(second.ids).toEqual(newestFirst.slice(3, 6));
  expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  const last = await connection(gateway, given, { first: 3, after: second.pageInfo.endCursor });
  expect(last).toMatchObject({ ids: newestFirst.slice(6), totalCount: 7 });
  expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const beyond = await connection(gateway, given, { first: 3, after: last.pageInfo.endCursor });
  expect(beyond).toMatchObject({ ids: [], totalCount: 7 });
  expect(beyond.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null });
});

test('a page that ends with the list has no next page', async () => {
  const { given, newestFirst } = await history(4);
  for (const args of [{ first: 4 }, { first: 4, filter: { categories: ['ACH'] } }]) {
    const page = await connection(gateway, given, args);
    expect(page.ids).toEqual(newestFirst);
    expect(page.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  }
});

test('pages go backward from the oldest to the newest', async () => {
  const { given, newestFirst } = await history(7);
  for (const filter of [undefined, { categories: ['ACH', 'WIRE'] }]) {
    const last = await connection(gateway, given, { last: 3, filter });
    expect(last.ids).toEqual(newestFirst.slice(4));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const middle = await connection(gateway, given, { last: 3, before: last.pageInfo.startCursor, filter });
    expect(middle.ids).toEqual(newestFirst.slice(1, 4));
    expect(middle.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const newest = await connection(gateway, given, { last: 3, before: middle.pageInfo.startCursor, filter });
    expect(newest.ids).toEqual(newestFirst.slice(0, 1));
    expect(newest.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const whole = await connection(gateway, given, { last: 7, filter });
    expect(whole).toMatchObject({ ids: newestFirst, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
  }
});

test('between two cursors there is what lies between them, and both ends are known to go on', async () => {
  const { given, newestFirst } = await history(8);
  const { cursors } = await connection(gateway, given, { first: 8 });
  for (const filter of [undefined, { minAmount: '1' }]) {
    const between = { after: cursors[1], before: cursors[6], filter };
    const all = await connection(gateway, given, { first: 8, ...between });
    expect(all).toMatchObject({
      ids: newestFirst.slice(2, 6),
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
    const some = await connection(gateway, given, { first: 2, ...between });
    expect(some).toMatchObject({
      ids: newestFirst.slice(2, 4),
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
    const fromTheEnd = await connection(gateway, given, { last: 3, ...between });
    expect(fromTheEnd).toMatchObject({
      ids: newestFirst.slice(3, 6),
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
    const allFromTheEnd = await connection(gateway, given, { last: 8, ...between });
    expect(allFromTheEnd).toMatchObject({
      ids: newestFirst.slice(2, 6),
      pageInfo: { hasNextPage: true, hasPreviousPage: true },
    });
    const nothing = await connection(gateway, given, { first: 8, after: cursors[4], before: cursors[2], filter });
    expect(nothing.ids).toEqual([]);
  }
});

test('an empty history has no cursors and no pages on either side', async () => {
  const given = await gateway.given.account();
  for (const args of [{}, { last: 3 }, { filter: { categories: ['ACH'] } }, { last: 3, filter: { minAmount: '0' } }]) {
    expect(await connection(gateway, given, args)).toEqual({
      ids: [],
      cursors: [],
      totalCount: 0,
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: null,
        endCursor: null,
      },
    });
  }
});

test('a page has ten elements unless it is asked for more, and never more than a hundred', async () => {
  const { given, newestFirst } = await history(120);
  expect((await connection(gateway, given, {})).ids).toEqual(newestFirst.slice(0, 10));
  expect((await connection(gateway, given, { first: null })).ids).toEqual(newestFirst.slice(0, 10));
  const page = await connection(gateway, given, { first: 2147483647 });
  expect(page).toMatchObject({ ids: newestFirst.slice(0, 100), pageInfo: { hasNextPage: true } });
  expect((await connection(gateway, given, { last: 2147483647 })).ids).toEqual(newestFirst.slice(20));
});

test('cursors and REST pages give the same rows in the same order', async () => {
  const { given, newestFirst } = await history(57);
  expect(await byCursor(gateway, given, 10)).toEqual(newestFirst);
  expect(idsOf(...(await restPages(gateway, given, 'limit=13')))).toEqual(newestFirst);
  const backward: string[] = [];
  for (let before: string | null = null; ;) {
    const page: HistoryPage = await connection(gateway, given, { last: 9, before });
    backward.unshift(...page.ids);
    if (!page.pageInfo.hasPreviousPage) break;
    before = page.pageInfo.startCursor;
  }
  expect(backward).toEqual(newestFirst);
});

test('a cursor beyond this ledger stands before its newest entry', async () => {
  const long = await history(30);
  const short = await history(4);
  const { cursors } = await connection(gateway, long.given, { first: 1 });
  for (const filter of [undefined, { categories: ['ACH'] }]) {
    const page = await connection(gateway, short.given, { first: 3, after: cursors[0], filter });
    expect(page).toMatchObject({ ids: short.newestFirst.slice(0, 3), pageInfo: { hasNextPage: true } });
    expect((await connection(gateway, short.given, { last: 3, before: cursors[0], filter })).ids).toEqual([]);
  }
});

test.each([
  [{ first: 0 }, '/first range'],
  [{ first: -1 }, '/first range'],
  [{ last: 0 }, '/last range'],
  [{ last: -5 }, '/last range'],
  [{ last: 2, first: 1 }, '/first range'],
  [{ after: 'AAAA' }, '/after format'],
  [{ after: '!' }, '/after format'],
  [{ before: Buffer.from('0').toString('base64url'), last: 1 }, '/before format'],
  [{ after: Buffer.from('-5').toString('base64url') }, '/after format'],
  [{ after: Buffer.from('12345678901234567').toString('base64url') }, '/after format'],
])('a page of %j is refused', async (args, problem) => {
  const given = await gateway.given.account();
  expect(await refusedConnection(gateway, given, args)).toEqual({
    status: 200,
    code: 'rule_broken',
    errors: [problem],
  });
});

const PROGRAM = `query ($first: Int, $after: String, $filter: TransactionFilter) { transactions(first: $first, after: $after, filter: $filter) {
  nodes { accountId transactionId postedTimestamp: postedAt transactionTimestamp: transactedAt } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount } }`;

type Transactions = Connection<Pick<PostedView, 'accountId' | 'transactionId'>>;

async function programPages(caller: string, first: number, filter?: object): Promise<Transactions[]> {
  const page = async (after?: string | null): Promise<Transactions> => {
    const { data, errors } = await gateway
      .as(caller)
      .graphql<{ transactions: Transactions }>(PROGRAM, { first, after, filter });
    expect(errors).toBeUndefined();
    return data.transactions;
  };
  const pages = [await page()];
  for (let last = pages[0]; last?.pageInfo.hasNextPage; last = pages.at(-1)) {
    pages.push(await page(last.pageInfo.endCursor));
  }
  return pages;
}

test('the history of a program is newest first over all its accounts, each entry once', async () => {
  const program = gateway.given.program();
  const expected: { at: string; account: string; seq: number; id: string }[] = [];
  for (const timeZone of ['America/New_York', 'Asia/Kolkata', 'UTC']) {
    const given = await gateway.given.account({ program, timeZone });
    // Times go back and forth along the ledger, some are the same in every account, and what is pending counts from
    // when it happened.
    const ledger = entries(15, index => {
      const at = new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 15), 12)).toISOString();
      const pending = { status: 'PENDING', transactionTimestamp: at, postedTimestamp: null } as const;
      return index % 5 === 0 ? pending : { transactionTimestamp: '2020-01-01T00:00:00Z', postedTimestamp: at };
    });
    await post(gateway, given, ledger);
    for (const [index, { transactionId, postedTimestamp, transactionTimestamp }] of ledger.entries()) {
      expected.push({
        at: postedTimestamp ?? transactionTimestamp,
        account: given.account,
        seq: index + 1,
        id: transactionId,
      });
    }
  }
  expected.sort((a, b) =>
    a.at < b.at ? 1 : a.at > b.at ? -1 : a.account < b.account ? 1 : a.account > b.account ? -1 : b.seq - a.seq,
  );
  await postSome(gateway, await gateway.given.account(), 3);

  const caller = await gateway.caller({ program });
  for (const first of [4, 9, 45, 100]) {
    const pages = await programPages(caller, first);
    const nodes = pages.flatMap(page => page.nodes);
    expect(nodes.map(({ accountId, transactionId }) => [accountId, transactionId])).toEqual(
      expected.map(({ account, id }) => [account, id]),
    );
    expect(pages.map(page => page.totalCount)).toEqual(pages.map(() => 45));
    expect(pages.map(page => page.pageInfo.hasPreviousPage)).toEqual(pages.map((_, index) => index > 0));
    expect(pages).toHaveLength(Math.ceil(45 / first));
  }
});

test("a day filter of a program's history is the day of each account", async () => {
  const program = gateway.given.program();
  const east = await gateway.given.account({ program, timeZone: 'Asia/Tokyo' });
  const west = await gateway.given.account({ program, timeZone: 'America/Los_Angeles' });
  const at = (postedTimestamp: string) => entry({ transactionId: postedTimestamp, postedTimestamp });
  const times = ['2026-03-04T14:00:00.000Z', '2026-03-04T16:00:00.000Z', '2026-03-05T06:00:00.000Z'];
  const more = [
    '2026-03-05T14:59:59.999Z',
    '2026-03-05T15:00:00.000Z',
    '2026-03-06T07:59:59.999Z',
    '2026-03-06T08:00:00.000Z',
  ];
  await post(gateway, east, [...times, ...more].map(at));
  await post(gateway, west, [...times, ...more].map(at));
  const pages = await programPages(await gateway.caller({ program }), 2, {
    postedOnFrom: '2026-03-05',
    postedOnTo: '2026-03-05',
  });
  const nodes = pages.flatMap(page => page.nodes).map(({ accountId, transactionId }) => [accountId, transactionId]);
  const of = (account: string) => nodes.filter(([id]) => id === account).map(([, id]) => id);
  expect(of(east.account)).toEqual([more[0], times[2], times[1]]);
  expect(of(west.account)).toEqual([more[2], more[1], more[0]]);
  expect(pages.map(page => page.totalCount)).toEqual([6, 6, 6]);
});

test("amount filters of a program's history are in the currency of each account", async () => {
  const program = gateway.given.program();
  const caller = await gateway.caller({ program });
  for (const currency of ['JPY', 'USD', 'BHD', 'CLF']) {
    const given = await gateway.given.account({ program, currency });
    await post(
      gateway,
      given,
      ['9', '10', '11'].map(amount => entry({ transactionId: `${currency} ${amount}`.replace(' ', '-'), amount })),
    );
  }
  const found = async (filter: object): Promise<string[]> => {
    const pages = await programPages(caller, 3, filter);
    return pages.flatMap(page => page.nodes.map(({ transactionId }) => transactionId)).sort();
  };
  expect(await found({ minAmount: '10', maxAmount: '10.0000' })).toEqual(['BHD-10', 'CLF-10', 'JPY-10', 'USD-10']);
  expect(await found({ minAmount: '10.001' })).toEqual(['BHD-11', 'CLF-11', 'JPY-11', 'USD-11']);
  expect(await found({ maxAmount: '9.9999' })).toEqual(['BHD-9', 'CLF-9', 'JPY-9', 'USD-9']);
});

test("the history of a program is refused to a customer's token, whatever is asked of it", async () => {
  const given = await gateway.given.account();
  await postSome(gateway, given, 1);
  const caller = await gateway.caller({ program: given.program, customerId: given.owners[0] as string });
  for (const field of ['nodes { amount }', 'totalCount', 'pageInfo { hasNextPage }']) {
    const answer = await gateway.as(caller).graphql(`{ transactions { ${field} } }`);
    expect(refusal(answer)).toEqual({ status: 403, code: 'program_wide_only', errors: [] });
    expect(answer.data).toEqual({ transactions: null });
  }
});

test('a program without transactions has an empty history', async () => {
  const caller = await gateway.caller({ program: gateway.given.program() });
  expect(await programPages(caller, 10)).toEqual([
    { nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: null }, totalCount: 0 },
  ]);
});

test.each([
  '2026-02-30T00:00:00.000Z 1 a',
  '2026-13-01T00:00:00.000Z 1 a',
  '2026-01-01T25:00:00.000Z 1 a',
  '0000-01-01T00:00:00.000Z 1 a',
  '2026-01-01T00:00:00.000Z 1 a\u0000',
  '2026-01-01T00:00:00.000Z x a',
  '7',
])('a cursor that the list never gave is refused: %j', async position => {
  const caller = await gateway.caller({ program: gateway.given.program() });
  const after = Buffer.from(position).toString('base64url');
  expect(refusal(await gateway.as(caller).graphql(PROGRAM, { after }))).toEqual({
    status: 200,
    code: 'rule_broken',
    errors: ['/after format'],
  });
});

test('many accounts with their histories come in one query, each its own', async () => {
  const program = gateway.given.program();
  const caller = await gateway.caller({ program });
  const expected = new Map<string, string[]>();
  for (const count of [0, 1, 2, 5, 12]) {
    const given = await gateway.given.account({ program });
    expected.set(given.account, (await postSome(gateway, given, count)).reverse().slice(0, 3));
  }
  const query =
    '{ accounts { nodes { accountId transactions(first: 3) { nodes { transactionId accountId } totalCount } } } }';
  const { data } = await gateway.as(caller).graphql(query);
  expect(data.accounts.nodes).toHaveLength(5);
  for (const { accountId, transactions } of data.accounts.nodes) {
    expect(transactions.nodes).toEqual(expected.get(accountId)?.map(transactionId => ({ transactionId, accountId })));
  }
});
