import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { givenTwo, holders, stored } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ idempotencyTtlDays: 2 });
});
afterAll(() => gateway.stop());

async function late() {
  const given = await givenTwo(gateway);
  const key = keyed(unique('key'));
  const ask = () => given.asker.rest.post(`/accounts/${given.account}/owners/add`, holders(given.stranger), key);
  const { body } = await ask();
  await gateway.sql.query(`UPDATE approval SET expires_at = now() WHERE approval_id = $1`, [body.approvalId]);
  return { ...given, ask, id: body.approvalId as string };
}

test('an approval waits no longer than its key is kept', async () => {
  const { asker, account, stranger } = await givenTwo(gateway);
  const { body } = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger), keyed(unique('key')));
  expect(Date.parse(body.expiresAt) - Date.parse(body.requestedAt)).toBe(2 * 86_400_000);
});

test('what is late is not approved, and not rejected', async () => {
  const { approver, program, id, owners } = await late();
  const expired = { status: 409, body: { code: 'approval_expired' } };
  expect(await approver.rest.post(`/approvals/${id}/approve`)).toMatchObject(expired);
  expect(await approver.rest.post(`/approvals/${id}/reject`, { reason: 'Late.' })).toMatchObject(expired);
  expect(await stored(gateway, program)).toMatchObject({ owners: owners.length, actions: ['approval.request'] });
});

test('the gateway ends what is late once, and its key says so', async () => {
  const { approver, program, id, ask, owners } = await late();
  await Promise.all([gateway.expireApprovals(), gateway.expireApprovals(), gateway.expireApprovals()]);
  expect((await approver.rest.get(`/approvals/${id}`)).body).toMatchObject({
    status: 'EXPIRED',
    decidedBy: '',
    decidedAt: expect.stringMatching(/Z$/),
  });
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'approval_expired' } });
  expect(await approver.rest.post(`/approvals/${id}/approve`)).toMatchObject({ body: { code: 'approval_expired' } });
  const actions = ['approval.request', 'approval.expire'];
  expect(await stored(gateway, program)).toMatchObject({ owners: owners.length, actions });
  expect(await gateway.expireApprovals()).toBe(0);
});
