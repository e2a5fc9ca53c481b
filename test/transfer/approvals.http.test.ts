import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { make, pairOf, seenBy, transferOf, type Pair } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Two accounts of a program in which transfers above 100 dollars wait, and who approves them. */
async function given() {
  const pair = await pairOf(gateway);
  const transfersAbove = [
    { currency: 'JPY', amount: '0' },
    { currency: 'USD', amount: '100.00' },
  ];
  await gateway.given.programRecord(pair.program, { approvals: { transfersAbove } });
  const approver = await gateway.caller({ program: pair.program, clientId: 'another', subject: 'another' });
  return { ...pair, approver };
}

async function waitingOf({ approver }: { approver: string }): Promise<{ approvalId: string; changes: Change[] }> {
  const { data } = await gateway
    .as(approver)
    .graphql(
      '{ approvals(filter: { statuses: [WAITING] }) { nodes { approvalId object facts subject changes { field before after } } } }',
    );
  return data.approvals.nodes[0];
}
interface Change {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

const balancesOf = async ({ from, to }: Pair) =>
  Promise.all([from, to].map(async of => (await seenBy(gateway, of)).availableBalance));

describe.each(['GraphQL', 'REST'] as const)('over %s', api => {
  test('a transfer above the amount for its currency waits, and is made when another person approves it', async () => {
    const pair = await given();
    const input = transferOf(pair, { amount: '100.01' });
    const sending = { headers: keyed(unique('key')) };
    await make(gateway, api, pair.caller, input, sending);
    // What waits is kept back.
    expect(await balancesOf(pair)).toEqual(['899.99', '0.00']);
    const waiting = await waitingOf(pair);
    expect(waiting).toMatchObject({
      object: `transfer/${input.transferId}`,
      facts: { fromAccountId: pair.from.account, toAccountId: pair.to.account, amount: '100.01', currency: 'USD' },
    });
    const approved = await gateway.as(pair.approver).rest.post(`/approvals/${waiting.approvalId}/approve`);
    expect(approved.body.status).toBe('APPROVED');
    expect(await balancesOf(pair)).toEqual(['899.99', '100.01']);
    const again = await make(gateway, api, pair.caller, input, sending);
    expect([again.transfer?.status, again.replayed]).toEqual(['MADE', true]);
    // At the amount itself nothing waits.
    expect((await make(gateway, api, pair.caller, transferOf(pair, { amount: '100' }))).code).toBeNull();
  });

  test('of several in one request it is refused, and the others are made', async () => {
    const pair = await given();
    const inputs = [transferOf(pair, { amount: '100' }), transferOf(pair, { amount: '100.01' })];
    const { body } = await gateway.as(pair.caller).rest.post('/transfers/batch', {
      transfers: inputs.map(one => ({ ...one, amount: Number(one.amount) })),
    });
    expect(body.results.map(({ refusal }: { refusal?: { code: string } }) => refusal?.code ?? null)).toEqual([
      null,
      'transfer_waits',
    ]);
  });

  test('what waits is tried again when it is approved', async () => {
    const pair = await given();
    await make(gateway, api, pair.caller, transferOf(pair), { headers: keyed(unique('key')) });
    await gateway.as(pair.caller).rest.post(`/accounts/${pair.from.account}/restrict`, { reason: 'Court order' });
    const { approvalId } = await waitingOf(pair);
    const approved = await gateway.as(pair.approver).rest.post(`/approvals/${approvalId}/approve`);
    expect(approved.body).toMatchObject({ status: 'FAILED', code: 'account_restricted' });
    expect(await balancesOf(pair)).toEqual(['1000.00', '0.00']);
  });
});

test("the approver reads both accounts, their owners' masked names, and what is left", async () => {
  const pair = await given();
  const hold = {
    holdId: 'h1',
    amount: 30,
    description: 'Shop',
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  };
  await gateway.as(pair.caller).rest.post(`/accounts/${pair.from.account}/holds`, hold);
  await make(gateway, 'REST', pair.caller, transferOf(pair), { headers: keyed(unique('key')) });
  const { approvalId, changes } = await waitingOf(pair);
  const [from, to] = [`accounts/${pair.from.account}`, `accounts/${pair.to.account}`];
  const expected = [
    { field: `${from}/balances/posted`, before: '1000.00', after: '750.00' },
    { field: `${from}/balances/available`, before: '970.00', after: '720.00' },
    { field: `${to}/balances/posted`, before: '0.00', after: '250.00' },
    { field: `${from}/owners`, before: 'A*** O***', after: 'A*** O***' },
    { field: `${to}/owners`, before: 'A*** O***', after: 'A*** O***' },
  ];
  expect(changes).toEqual(expected);
  const shown = await gateway.as(pair.approver).rest.get(`/approvals/${approvalId}`);
  expect(shown.body.changes).toEqual(expected);
});

test("a customer's transfer waits as well, and is carried out as that customer's", async () => {
  const pair = await given();
  const own = await gateway.given.account({ program: pair.program, owners: pair.from.owners });
  const customer = await gateway.caller({ program: pair.program, customerId: pair.from.owners[0] as string });
  const input = transferOf({ from: pair.from, to: own });
  const sending = { headers: keyed(unique('key')) };
  expect((await gateway.as(customer).rest.post('/transfers', { ...input, amount: 250 }, sending.headers)).status).toBe(
    202,
  );
  const { approvalId } = await waitingOf(pair);
  const approved = await gateway.as(pair.approver).rest.post(`/approvals/${approvalId}/approve`);
  expect(approved.body.status).toBe('APPROVED');
  expect((await make(gateway, 'GraphQL', customer, input, sending)).transfer?.status).toBe('MADE');
  expect((await seenBy(gateway, own)).availableBalance).toBe('250.00');
});

test('a customer who owns an account no longer moves no money of it, though the transfer was approved', async () => {
  const pair = await given();
  const own = await gateway.given.account({ program: pair.program, owners: pair.from.owners });
  const customerId = pair.from.owners[0] as string;
  const customer = await gateway.caller({ program: pair.program, customerId });
  const input = { ...transferOf({ from: pair.from, to: own }), amount: 250 };
  await gateway.as(customer).rest.post('/transfers', input, keyed(unique('key')));
  await gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [pair.from.account]);
  const { approvalId } = await waitingOf(pair);
  const approved = await gateway.as(pair.approver).rest.post(`/approvals/${approvalId}/approve`);
  expect(approved.body).toMatchObject({ status: 'FAILED', code: 'account_not_found' });
  expect((await seenBy(gateway, own)).availableBalance).toBe('0.00');
});
