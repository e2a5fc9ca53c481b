import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { digits } from '../../support/given.js';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function pathsOf(path: string, token?: string): Promise<{ status: number; told: unknown; logged: unknown }> {
  const id = unique('path');
  const answer = await gateway.as(token ?? (await gateway.caller())).rest.get(path, { 'x-request-id': id });
  const lines = gateway.log.map(line => JSON.parse(line)).filter(({ requestId }) => requestId === id);
  return { status: answer.status, told: answer.body.instance, logged: lines[0]?.path };
}

test.each([
  ['/accounts/987654321/beneficiaries', '/accounts/*/beneficiaries'],
  ['/accounts/987-65-4321/beneficiaries', '/accounts/*/beneficiaries'],
  ['/accounts/ada%40example.test/transactions', '/accounts/*/transactions'],
  ['/accounts/x/beneficiaries/1970-02-03', '/accounts/x/beneficiaries/*'],
  ['/accounts/1%20Quill%20Lane/Statements/%2B12125550123', '/accounts/*/Statements/*'],
  ['/%C3%A9t%C3%A9/%zz', '/*/*'],
])('what may be personal in the path of a refused request is neither told nor logged: %s', async (path, shown) => {
  expect(await pathsOf(path)).toEqual({ status: expect.any(Number), told: shown, logged: shown });
});

test.each([
  '/accounts/acc-17/beneficiaries',
  '/accounts/7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11/beneficiaries/00000000-0000-0000-0000-000000000000',
  '/accounts/nest-2c506399/transactions',
  '/accounts/%20/beneficiaries',
  '/no/such/route',
])('an id of ours, though of nothing, and the words of a route are told and logged: %s', async path => {
  expect(await pathsOf(path)).toEqual({ status: 404, told: path, logged: path });
});

test('an account whose number is nothing but digits is logged where the request was good', async () => {
  // Shorter than a card's number, which a log hides wherever it stands.
  const { account, caller } = await gateway.given.account({ accountId: `9${digits(9)}` });
  const path = `/accounts/${account}/beneficiaries`;
  expect(await pathsOf(path, caller)).toEqual({ status: 200, told: undefined, logged: path });
});

test.each(['987-65-4321', '987654321', '4242424242424242', '1970-02-03', '12125550123'])(
  'a request id that looks like %s is replaced by one of ours',
  async id => {
    const { headers } = await gateway.as(null).rest.get('/livez', { 'x-request-id': id });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  },
);

test.each([
  'delete-0521675219286de952',
  '4bf92f3577b34da6a3ce929d0e0e4736',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
])('a request id with letters among its digits is kept: %s', async id => {
  const { headers } = await gateway.as(null).rest.get('/livez', { 'x-request-id': id });
  expect(headers['x-request-id']).toBe(id);
});

test('a number in the name of a GraphQL field is not repeated, and the rest of the advice is', async () => {
  const { errors } = await gateway
    .as(await gateway.caller())
    .graphql('{ n987654321 accountz { pageInfo { hasNextPage } } }');
  expect(errors?.map(({ message }) => message)).toEqual([
    'Cannot query field "n****" on type "Query".',
    'Cannot query field "accountz" on type "Query". Did you mean "account" or "accounts"?',
  ]);
});
