import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { postSome, problems, refusal, refusedConnection } from './support/ledger.js';

let gateway: TestGateway;
let given: GivenAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  given = await gateway.given.account();
  await postSome(gateway, given, 3);
});
afterAll(() => gateway.stop());

async function refusedRest(query: string) {
  const { status, body, headers, text } = await gateway
    .as(given.caller)
    .rest.get(`/accounts/${given.account}/transactions?${query}`);
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  return { status, ...problems(body), text };
}

test.each([
  ['unknown=1', '/unknown unknown_parameter'],
  ['Category=ACH', '/Category unknown_parameter'],
  ['limit=abc', '/limit range'],
  ['limit=0', '/limit range'],
  ['limit=-1', '/limit range'],
  ['limit=1.5', '/limit range'],
  ['limit=', '/limit range'],
  ['offSet=abc', '/offSet range'],
  ['offSet=-1', '/offSet range'],
  ['offSet=2147483648', '/offSet range'],
  ['offSet=1&offset=1', '/offset repeated'],
  ['limit=1&limit=2', '/limit repeated'],
  ['snapshot=abc', '/snapshot format'],
  ['snapshot=-1', '/snapshot format'],
  ['snapshot=', '/snapshot format'],
  ['snapshot=1e3', '/snapshot format'],
  ['snapshot=1&snapshot=2', '/snapshot repeated'],
  ['startTime=2026-01-01&startTime=2026-01-02', '/startTime repeated'],
  ['search=a&search=b', '/search repeated'],
  ['debitCreditMemo=credit', '/debitCreditMemo/0 wrong_type'],
  ['debitCreditMemo=', '/debitCreditMemo/0 wrong_type'],
])('REST: %s is malformed', async (query, problem) => {
  expect(await refusedRest(query)).toMatchObject({ status: 400, code: 'invalid_input', errors: [problem] });
});

test('REST: the value of an unknown parameter is not said again', async () => {
  const { text } = await refusedRest('unheard=offered&limit=word');
  expect(text).not.toMatch(/offered|word/);
});

const SHAPE = [
  ['a day in another notation', { startTime: '01.02.2026' }, '/startTime wrong_type'],
  ['30 February', { startTime: '2026-02-30' }, '/startTime wrong_type'],
  ['29 February of a common year', { endTime: '2026-02-29T00:00:00Z' }, '/endTime wrong_type'],
  ['month 13', { endTime: '2026-13-01' }, '/endTime wrong_type'],
  ['the year 0', { startTime: '0000-01-01' }, '/startTime wrong_type'],
  ['an instant without zone', { startTime: '2026-01-01T00:00:00' }, '/startTime wrong_type'],
  ['an instant of another zone', { endTime: '2026-01-01T00:00:00+01:00' }, '/endTime wrong_type'],
  ['hour 24', { endTime: '2026-01-01T24:00:00Z' }, '/endTime wrong_type'],
  ['a leap second', { endTime: '2016-12-31T23:59:60Z' }, '/endTime wrong_type'],
  ['no time at all', { startTime: '' }, '/startTime wrong_type'],
  ['a day with a NUL', { startTime: '2026-01-01\u0000' }, '/startTime wrong_type'],
  ['an amount with an exponent', { minAmount: '1e5' }, '/minAmount wrong_type'],
  ['an amount in hexadecimal', { maxAmount: '0x10' }, '/maxAmount wrong_type'],
  ['no amount at all', { maxAmount: '' }, '/maxAmount wrong_type'],
  ['an amount that is no number', { minAmount: 'NaN' }, '/minAmount wrong_type'],
  ['an amount with five digits after the point', { minAmount: '1.00001' }, '/minAmount wrong_type'],
  ['an unknown status', { status: ['DONE'] }, '/status/0 wrong_type'],
] as const;

/** Lists have plural names in GraphQL. */
const PLURALS: Readonly<Record<string, string>> = {
  category: 'categories',
  transactionType: 'transactionTypes',
  status: 'statuses',
};

const RULES = [
  ['a range of days that ends before it begins', { startTime: '2026-03-02', endTime: '2026-03-01' }, '/endTime range'],
  [
    'a range of instants that ends before it begins',
    { startTime: '2026-03-01T00:00:00.001Z', endTime: '2026-03-01T00:00:00Z' },
    '/endTime range',
  ],
  ['a day after an instant', { startTime: '2026-03-05', endTime: '2026-03-01T00:00:00Z' }, '/endTime range'],
  ['an instant after a day', { startTime: '2026-03-05T00:00:00Z', endTime: '2026-03-01' }, '/endTime range'],
  ['a range of amounts that ends before it begins', { minAmount: '10.01', maxAmount: '10.00' }, '/maxAmount range'],
  ['a text with a NUL', { search: 'a\u0000b' }, '/search text'],
  ['no text', { search: '' }, '/search text'],
  ['a blank text', { search: '  ' }, '/search text'],
  ['a text of 101 characters', { search: 'x'.repeat(101) }, '/search text'],
  ['a category with a NUL', { category: ['ACH', 'A\u0000'] }, '/category/1 format'],
  ['a category of two words', { category: ['DIRECT DEPOSIT'] }, '/category/0 format'],
  ['no category', { category: [''] }, '/category/0 format'],
  ['a type of 65 letters', { transactionType: ['F'.repeat(65)] }, '/transactionType/0 format'],
  ['21 categories', { category: Array.from({ length: 21 }, (_, index) => `C${index}`) }, '/category size'],
] as const;

test.each([
  ...SHAPE.map(([what, filter, problem]) => [what, filter, problem, 'invalid_input', 400] as const),
  ...RULES.map(([what, filter, problem]) => [what, filter, problem, 'rule_broken', 422] as const),
])('%s is refused alike over every API', async (_what, filter, problem, code, status) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    for (const text of Array.isArray(value) ? value : [value]) query.append(name, text as string);
  }
  const rest = await refusedRest(query.toString());
  expect(rest).toMatchObject({ status, code, errors: [problem] });

  // GraphQL has scalars for days and instants, and names of its own.
  if (problem.includes('Time')) return;
  const named = Object.entries(filter).map(([name, value]) => [PLURALS[name] ?? name, value]);
  const inGraphql = Object.fromEntries(named) as object;
  const pointer = problem.replace(/^\/(\w+)/, (_whole, name: string) => `/${PLURALS[name] ?? name}`);
  const inAccount = await refusedConnection(gateway, given, { filter: inGraphql });
  const isOfField = code === 'rule_broken';
  const graphql = {
    status: isOfField ? 200 : 400,
    code: isOfField ? 'rule_broken' : code,
    errors: [`/filter${pointer}`],
  };
  expect(inAccount).toEqual(graphql);
  const PROGRAM =
    'query ($filter: TransactionFilter) { transactions(filter: $filter) { totalCount nodes { amount } } }';
  const inProgram = refusal(
    await gateway.as(given.caller).graphql(PROGRAM.replace('totalCount', ''), { filter: inGraphql }),
  );
  expect(inProgram).toEqual(graphql);
});

test.each([
  ['postedOnFrom: "2026-03-02", postedOnTo: "2026-03-01"', '/filter/postedOnTo range'],
  ['categories: ["two words"]', '/filter/categories/0 format'],
  ['search: ""', '/filter/search text'],
  ['minAmount: "2", maxAmount: "1"', '/filter/maxAmount range'],
  ['categories: []', '/filter/categories size'],
])('a filter written into the document is held to the same rules: %s', async (filter, problem) => {
  const query = `query ($id: ID!) { account(accountId: $id) { transactions(filter: { ${filter} }) { totalCount } } }`;
  const answer = await gateway.as(given.caller).graphql(query, { id: given.account });
  expect(refusal(answer)).toEqual({ status: 200, code: 'rule_broken', errors: [problem] });
  expect([answer.data, answer.errors?.[0].path]).toEqual([
    { account: { transactions: null } },
    ['account', 'transactions'],
  ]);
});

test.each([
  ['statuses: [DONE]', '/filter/statuses/0 wrong_type'],
  ['minAmount: "1e5"', '/filter/minAmount wrong_type'],
  ['minAmount: 1e5', '/filter/minAmount wrong_type'],
  ['minAmount: TEN', '/filter/minAmount wrong_type'],
  ['unknown: "x-secret"', '/filter/unknown unknown_field'],
])('a literal that does not fit is refused and not said again: %s', async (filter, problem) => {
  const query = `query ($id: ID!) { account(accountId: $id) { transactions(filter: { ${filter} }) { totalCount } } }`;
  const answer = await gateway.as(given.caller).graphql(query, { id: given.account });
  expect(refusal(answer)).toEqual({ status: 400, code: 'invalid_input', errors: [problem] });
  expect(answer.text).not.toMatch(/DONE|\b1e5\b|secret/);
});

test('all bad filters are told at once', async () => {
  expect(await refusedRest('status=DONE&minAmount=x&debitCreditMemo=BOTH')).toMatchObject({
    errors: ['/minAmount wrong_type', '/status/0 wrong_type', '/debitCreditMemo/0 wrong_type'],
  });
  expect(await refusedRest('startTime=x&endTime=y')).toMatchObject({
    errors: ['/startTime wrong_type', '/endTime wrong_type'],
  });
});

test.each([
  'startTime=2026-03-02&endTime=2026-03-02',
  'startTime=2026-03-02T00:00:00Z&endTime=2026-03-02T00:00:00.000Z',
  'startTime=2026-03-02&endTime=2026-03-01T12:00:00Z',
  'startTime=2024-02-29&endTime=9999-12-31',
  'startTime=0001-01-01T00:00:00Z',
  'minAmount=-5&maxAmount=999999999999999999.9999',
  'minAmount=10.0000&maxAmount=10',
  'category=UNHEARD_OF&transactionType=x.y-z,A',
])('what is odd and no mistake is answered: %s', async query => {
  const { status } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/transactions?${query}`);
  expect(status).toBe(200);
});
