import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { givenTwo, stored } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const CLOSE = `mutation ($account: ID!, $reason: String!) { closeAccount(input: { accountId: $account, reason: $reason }) { account { status } } }`;

test('closing an account waits, says why to whoever approves it, and is done once, with its cards', async () => {
  const { asker, approver, account, program } = await givenTwo(gateway, { closingAccounts: true });
  const headers = keyed(unique('key'));
  const close = () => asker.graphql(CLOSE, { account, reason: 'Owner moved away' }, { headers });
  const approvalId = (await close()).errors?.[0]?.extensions.approvalId;
  const waiting = await approver.rest.get(`/approvals/${approvalId}`);
  expect(waiting.body).toMatchObject({
    command: 'account.close',
    accountId: account,
    object: `account/${account}`,
    facts: {
      status: 'CLOSED',
      cardIds: [],
      reason: 'Owner moved away',
    },
  });
  expect((await approver.rest.post(`/approvals/${approvalId}/approve`)).body.status).toBe('APPROVED');
  expect((await close()).data).toEqual({ closeAccount: { account: { status: 'CLOSED' } } });
  const overRest = await asker.rest.post(`/accounts/${account}/close`, { reason: 'Owner moved away' }, headers);
  expect([overRest.status, overRest.body.status]).toEqual([200, 'CLOSED']);
  const actions = ['approval.request', 'account.close', 'approval.approve'];
  expect((await stored(gateway, program)).actions).toEqual(actions);
});

test('an account that has got money meanwhile is not closed', async () => {
  const { asker, approver, account } = await givenTwo(gateway, { closingAccounts: true });
  const close = (headers: object) => asker.rest.post(`/accounts/${account}/close`, { reason: 'Empty' }, { ...headers });
  const headers = keyed(unique('key'));
  const { approvalId } = (await close(headers)).body;
  await gateway.sql.query('UPDATE account SET balance_minor = 1 WHERE account_id = $1', [account]);
  const approved = await approver.rest.post(`/approvals/${approvalId}/approve`);
  expect(approved.body).toMatchObject({ status: 'FAILED', code: 'account_not_empty' });
  expect(await close(headers)).toMatchObject({ status: 409, body: { code: 'account_not_empty' } });
  expect(await close(keyed(unique('key')))).toMatchObject({ status: 409, body: { code: 'account_not_empty' } });
});
