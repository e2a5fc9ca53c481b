import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, post } from './support/ledger.js';
import { inputsOf } from '../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions { transactionId } } }`;

async function given() {
  const of = await gateway.given.account();
  const client = gateway.as(of.caller);
  const { rest } = client;
  const holds = `/accounts/${of.account}/holds`;
  const place = (holdId: string) =>
    rest.post(holds, { holdId, amount: 5, description: 'Order', expiresAt }, keyed(unique('key')));
  const posting = async (id: string) => {
    const { errors } = await client.graphql(POST, {
      account: of.account,
      transactions: inputsOf([entry({ transactionId: id })]),
    });
    return errors?.[0]?.extensions ?? null;
  };
  return { ...of, rest, holds, place, posting };
}

test('holds whose ids look like captures and ends of others are captured and end', async () => {
  const { rest, holds, place } = await given();
  const order = unique('order');
  const ids = [order, `${order}-1`, `${order}-1-1`, `${order}-end`, `${order}-2`];
  for (const id of ids) expect((await place(id)).status).toBe(201);
  for (const id of ids) {
    const { status, body } = await rest.post(`${holds}/${id}/capture`, { amount: 2, keepRest: true });
    expect([id, status, body.captures]).toEqual([id, 200, 1]);
  }
  for (const id of ids) expect((await rest.post(`${holds}/${id}/release`)).status).toBe(200);
});

test('a transaction whose id looks like a reversal does not stop one', async () => {
  const of = await given();
  const [posted] = await post(gateway, of, [entry()]);
  const id = posted?.transactionId as string;
  expect(await of.posting(`${id}-reversal`)).toBeNull();
  const { status, body } = await of.rest.post(`/accounts/${of.account}/transactions/${id}/reverse`, {
    reason: 'Twice',
  });
  expect([status, body.depositTransaction.transactionId]).toEqual([200, `${id}~reversal`]);
});

test('a new id of a caller has no mark of the gateway', async () => {
  const of = await given();
  expect(await of.posting(`${unique('t')}~1`)).toMatchObject({
    code: 'RULE_BROKEN',
    errors: [
      {
        pointer: '/input/transactions/0/transactionId',
        code: 'format',
      },
    ],
  });
  const { status, body } = await of.place(`${unique('hold')}~1`);
  expect([status, body.errors]).toMatchObject([422, [{ pointer: '/holdId', code: 'format' }]]);
});
