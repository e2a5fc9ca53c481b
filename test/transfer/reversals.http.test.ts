import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import {
  TRANSFER,
  make,
  ofGraphql,
  ofRest,
  pairOf,
  seenBy,
  transferOf,
  type Api,
  type Outcome,
  type Pair,
  type TransferPayload,
} from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const REVERSE = `mutation ($t: ID!, $reason: String!, $dryRun: Boolean!) {
  transfer: reverseTransfer(input: { transferId: $t, reason: $reason, dryRun: $dryRun }) { transfer { ${TRANSFER} } } }`;

async function reverse(
  api: Api,
  caller: string,
  t: string,
  { headers = {}, dryRun = false }: { readonly headers?: Record<string, string>; readonly dryRun?: boolean } = {},
): Promise<Outcome> {
  const reason = 'Sent twice';
  if (api === 'REST') {
    const path = `/transfers/${t}/reverse${dryRun ? '?dryRun=true' : ''}`;
    return ofRest(await gateway.as(caller).rest.post(path, { reason }, headers));
  }
  const variables = { t, reason, dryRun };
  const {
    data,
    errors,
    headers: answered,
  } = await gateway.as(caller).graphql<{ transfer: TransferPayload | null }>(REVERSE, variables, { headers });
  return ofGraphql(errors, data.transfer, answered);
}

async function made(pair: Pair): Promise<string> {
  const { transfer } = await make(gateway, 'REST', pair.caller, transferOf(pair));
  return transfer?.transferId ?? '';
}

const balancesOf = async ({ from, to }: Pair) =>
  (await Promise.all([seenBy(gateway, from), seenBy(gateway, to)])).map(({ availableBalance }) => availableBalance);

describe.each(['GraphQL', 'REST'] as const)('over %s', api => {
  test('a reversal takes both transactions back, once', async () => {
    const pair = await pairOf(gateway);
    const id = await made(pair);
    expect((await reverse(api, pair.caller, id, { dryRun: true })).transfer?.status).toBe('REVERSED');
    expect(await balancesOf(pair)).toEqual(['750.00', '250.00']);
    const headers = keyed(unique('key'));
    const first = await reverse(api, pair.caller, id, { headers });
    expect(first.transfer).toMatchObject({ transferId: id, status: 'REVERSED', reversedAt: expect.any(String) });
    expect(await reverse(api, pair.caller, id, { headers })).toEqual({ ...first, replayed: true });
    expect((await reverse(api, pair.caller, id)).code).toBe('already_reversed');
    expect(await balancesOf(pair)).toEqual(['1000.00', '0.00']);
    const [from, to] = await Promise.all([seenBy(gateway, pair.from), seenBy(gateway, pair.to)]);
    expect(from.transactions.nodes[0]).toMatchObject({
      transactionId: `${id}~out~reversal`,
      referenceTransactionId: `${id}~out`,
      debitCreditMemo: 'CREDIT',
    });
    expect(to.transactions.nodes[0]).toMatchObject({
      transactionId: `${id}~in~reversal`,
      referenceTransactionId: `${id}~in`,
      debitCreditMemo: 'DEBIT',
    });
    expect([from.transfers, to.transfers].map(({ nodes }) => nodes[0]?.status)).toEqual(['REVERSED', 'REVERSED']);
  });

  test('a transfer that is not there, and one of another program, are not found', async () => {
    const [pair, stranger] = [await pairOf(gateway), await gateway.given.account()];
    const id = await made(pair);
    expect((await reverse(api, stranger.caller, id)).code).toBe('transfer_not_found');
    expect((await reverse(api, pair.caller, unique('tr'))).code).toBe('transfer_not_found');
  });

  test('a closed account keeps both transactions as they are', async () => {
    const pair = await pairOf(gateway);
    const id = await made(pair);
    await gateway.sql.query(`UPDATE account SET status = 'CLOSED' WHERE account_id = $1`, [pair.to.account]);
    expect((await reverse(api, pair.caller, id)).code).toBe('account_closed');
    expect(await balancesOf(pair)).toEqual(['750.00', '250.00']);
  });
});

test('a reversal above the limit of the program waits, and is carried out in both accounts when it is approved', async () => {
  const pair = await pairOf(gateway);
  await gateway.given.programRecord(pair.program, {
    approvals: { reversalsAbove: [{ currency: 'USD', amount: '100' }] },
  });
  const id = await made(pair);
  const headers = keyed(unique('key'));
  const { rest } = gateway.as(pair.caller);
  const waiting = await rest.post(`/transfers/${id}/reverse`, { reason: 'Sent twice' }, headers);
  expect(waiting.status).toBe(202);
  expect(await balancesOf(pair)).toEqual(['750.00', '250.00']);
  const another = await gateway.caller({ program: pair.program, clientId: 'another', subject: 'another' });
  const approved = await gateway.as(another).rest.post(`/approvals/${waiting.body.approvalId}/approve`);
  expect(approved.body).toMatchObject({ status: 'APPROVED', object: `transfer/${id}` });
  expect(await balancesOf(pair)).toEqual(['1000.00', '0.00']);
  expect((await reverse('REST', pair.caller, id, { headers })).transfer?.status).toBe('REVERSED');
});
