import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, post } from '../transaction/support/ledger.js';
import { givenTwo, stored } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const REVERSE = `mutation ($account: ID!, $id: ID!, $dryRun: Boolean! = false) {
  reverseTransaction(input: { accountId: $account, transactionId: $id, reason: "Charged twice", dryRun: $dryRun }) { transaction { transactionId amount } } }`;

async function given(above: string, amount: string) {
  const of = await givenTwo(gateway, { reversalsAbove: [{ currency: 'USD', amount: above }] });
  const [posted] = await post(gateway, of, [entry({ amount, status: 'POSTED', debitCreditMemo: 'CREDIT' })]);
  const id = posted?.transactionId as string;
  const path = `/accounts/${of.account}/transactions/${id}/reverse`;
  const reverse = (query = '', headers = keyed(unique('key'))) =>
    of.asker.rest.post(`${path}${query}`, { reason: 'Charged twice' }, headers);
  return { ...of, id, reverse };
}

test('a reversal above the amount waits, and is done once when it is approved', async () => {
  const { approver, program, id, reverse } = await given('100', '100.01');
  const headers = keyed(unique('key'));
  const waiting = await reverse('', headers);
  expect([waiting.status, waiting.body]).toMatchObject([
    202,
    { command: 'transaction.reverse', facts: { amount: '100.01', reason: 'Charged twice', reversedTransactionId: id } },
  ]);
  const { body } = await approver.rest.post(`/approvals/${waiting.body.approvalId}/approve`);
  expect(body).toMatchObject({ status: 'APPROVED', object: waiting.body.object });
  const done = await reverse('', headers);
  expect([done.status, done.body.depositTransaction]).toMatchObject([
    200,
    { amount: 100.01, debitCreditMemo: 'DEBIT' },
  ]);
  const actions = ['approval.request', 'transaction.reverse', 'approval.approve'];
  expect((await stored(gateway, program)).actions.slice(1)).toEqual(actions);
});

test.each([
  ['100', '100.00', 200],
  ['100.00', '100.01', 202],
  ['0', '0.01', 202],
])('with a limit of %s a reversal of %s is answered with %i', async (limit, amount, status) => {
  const { reverse } = await given(limit, amount);
  expect((await reverse()).status).toBe(status);
});

test('a reversal in a currency without an amount does not wait', async () => {
  const of = await givenTwo(gateway, { reversalsAbove: [{ currency: 'EUR', amount: '0' }] });
  const [posted] = await post(gateway, of, [entry({ amount: '500.00', status: 'POSTED', debitCreditMemo: 'CREDIT' })]);
  const path = `/accounts/${of.account}/transactions/${posted?.transactionId}/reverse`;
  expect((await of.asker.rest.post(path, { reason: 'Charged twice' }, keyed(unique('key')))).status).toBe(200);
});

test('two reversals of one transaction that wait: the first that is approved is done, the other one fails', async () => {
  const { approver, program, reverse } = await given('0', '5.00');
  const keys = [keyed(unique('key')), keyed(unique('key'))] as const;
  const ids = [(await reverse('', keys[0])).body.approvalId, (await reverse('', keys[1])).body.approvalId];
  expect((await approver.rest.post(`/approvals/${ids[1]}/approve`)).body.status).toBe('APPROVED');
  const failed = await approver.rest.post(`/approvals/${ids[0]}/approve`);
  expect(failed.body).toMatchObject({ status: 'FAILED', code: 'already_reversed' });
  expect((await reverse('', keys[0])).body.code).toBe('already_reversed');
  const { actions } = await stored(gateway, program);
  expect(actions.filter(action => action === 'transaction.reverse')).toHaveLength(1);
});

test('a dry run of what would wait says so over GraphQL and REST, and nothing waits', async () => {
  const { asker, account, program, id, reverse } = await given('0', '5.00');
  const rest = await reverse('?dryRun=true');
  expect([rest.status, rest.headers['location']]).toEqual([202, undefined]);
  expect(rest.body).toMatchObject({ approvalId: '', status: 'WAITING', facts: { amount: '5.00' } });
  const { errors } = await asker.graphql(REVERSE, { account, id, dryRun: true });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'APPROVAL_REQUIRED', approvalId: null });
  expect((await asker.rest.get('/approvals')).body.approvals).toEqual([]);
  expect((await stored(gateway, program)).actions).not.toContain('approval.request');
});
