import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { givenTwo, holders } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const URL = 'https://hooks.bank.example/deep/path?token=s3cr3t';
const CREATE = `mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { endpoint { endpointId } } }`;
const READ = `query ($id: UUID!) { approval(approvalId: $id) { status facts changes { field before after } } }`;

test('the approver reads what changes, before and after, with the whole URL, and nobody else does', async () => {
  const { program, account, asker, approver, stranger, owners } = await givenTwo(gateway);
  const { body } = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger), keyed(unique('key')));
  const [before] = owners;
  const changes = [{ field: 'owners', before, after: `${before}, ${stranger}` }];
  expect(body.changes).toEqual([]);
  expect((await approver.graphql(READ, { id: body.approvalId })).data.approval.changes).toEqual(changes);
  expect((await approver.rest.get(`/approvals/${body.approvalId}`)).body.changes).toEqual(changes);
  const { errors } = await asker.graphql(CREATE, { url: URL }, { headers: keyed(unique('key')) });
  const id = errors?.[0]?.extensions['approvalId'] as string;
  const url = { field: 'url', before: null, after: URL };
  expect((await approver.graphql(READ, { id })).data.approval.changes).toContainEqual(url);
  expect((await approver.rest.get('/approvals')).body.approvals[0].changes).toContainEqual({ ...url, before: '' });
  const reader = gateway.as(await gateway.caller({ program, scopes: 'operations.read' }));
  const read = await reader.graphql(READ, { id });
  expect([read.data.approval.changes, read.errors?.[0]?.extensions.code]).toEqual([null, 'insufficient_scope']);
  const shown = (await reader.rest.get(`/approvals/${id}`)).body;
  expect(shown.changes).toEqual([]);
  expect(JSON.stringify(shown)).not.toContain('s3cr3t');
  await approver.rest.post(`/approvals/${id}/approve`);
  expect((await approver.rest.get(`/approvals/${id}`)).body.changes).toEqual([]);
});
