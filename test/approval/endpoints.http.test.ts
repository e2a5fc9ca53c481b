import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { APPROVE, givenTwo, stored } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const PATH = '/webhook-endpoints';

test('the secret of an endpoint that waited goes to the one who asked, and to nobody else', async () => {
  const { asker, approver, program } = await givenTwo(gateway);
  const input = { url: 'https://bank.example/hooks?token=canary-in-the-url', types: ['card.frozen'] };
  const headers = keyed(unique('key'));
  const waiting = await asker.rest.post(PATH, input, headers);
  expect(waiting.status).toBe(202);
  expect(waiting.body).toMatchObject({
    command: 'webhook_endpoint.create',
    accountId: '',
    object: '',
    facts: {
      host: 'bank.example',
      types: ['card.frozen'],
      accountIds: [],
      status: 'ENABLED',
      signing: 'V1',
    },
  });
  const approved = await approver.graphql(APPROVE, { id: waiting.body.approvalId });
  const created = await asker.rest.post(PATH, input, headers);
  expect([created.status, created.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(created.body.secret).toMatch(/^whsec_/);
  expect(approved.data.approveApproval.approval.object).toBe(`webhook_endpoint/${created.body.endpointId}`);
  const seen = [approved.text, (await approver.rest.get('/approvals')).text, waiting.text].join('');
  expect(seen).not.toMatch(/whsec_|canary/);
  const actions = ['approval.request', 'webhook_endpoint.create', 'approval.approve'];
  expect(await stored(gateway, program)).toEqual({ owners: 1, endpoints: 1, actions });
});

test('changing, rotating and deleting an endpoint wait, too', async () => {
  const { asker, approver, program } = await givenTwo(gateway, null);
  const { body: endpoint } = await asker.rest.post(PATH, { url: 'https://bank.example/hooks' });
  await gateway.given.programRecord(program, { approvals: { changingWebhookEndpoints: true } });
  const one = `${PATH}/${endpoint.endpointId}`;
  const through = async (send: (headers: object) => Promise<{ status: number; body: { approvalId: string } }>) => {
    const headers = keyed(unique('key'));
    const { status, body } = await send(headers);
    expect([status, body]).toMatchObject([202, { object: `webhook_endpoint/${endpoint.endpointId}` }]);
    expect((await approver.rest.post(`/approvals/${body.approvalId}/approve`)).body.status).toBe('APPROVED');
    return send(headers);
  };
  expect(await through(key => asker.rest.patch(one, { status: 'DISABLED' }, { ...key }))).toMatchObject({
    body: { status: 'DISABLED' },
  });
  expect(await through(key => asker.rest.patch(one, { types: ['card.frozen'] }, { ...key }))).toMatchObject({
    body: { types: ['card.frozen'] },
  });
  const rotated = await through(key => asker.rest.post(`${one}/rotate-secret`, undefined, { ...key }));
  expect(rotated).toMatchObject({ status: 200, body: { secret: expect.not.stringMatching(endpoint.secret) } });
  expect((await through(key => asker.rest.delete(one, { ...key }))).status).toBe(200);
  expect((await stored(gateway, program)).endpoints).toBe(0);
});

test('what waits is sealed, and is gone once it is decided', async () => {
  const { asker, approver } = await givenTwo(gateway);
  const send = (headers: object) =>
    asker.rest.post(
      PATH,
      { url: 'https://bank.example/hooks?token=canary-1234', description: 'canary' },
      { ...headers },
    );
  const { body } = await send(keyed(unique('key')));
  const kept = async () => {
    const { rows } = await gateway.sql.query('SELECT a.*, a::text AS whole FROM approval a WHERE approval_id = $1', [
      body.approvalId,
    ]);
    const { rows: events } = await gateway.sql.query(`SELECT e::text AS whole FROM event e WHERE object = $1`, [
      `approval/${body.approvalId}`,
    ]);
    expect(JSON.stringify([rows, events])).not.toContain('canary');
    expect((rows[0].sealed as Buffer).includes('canary')).toBe(false);
    return gateway.opened(`approval/${body.approvalId}`, rows[0].sealed as Buffer);
  };
  expect(await kept()).toMatchObject({ input: { description: 'canary' } });
  await approver.rest.post(`/approvals/${body.approvalId}/reject`, { reason: 'No.' });
  expect(await kept()).toBeNull();
  expect(gateway.log.join('\n')).not.toContain('canary');
});
