import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { ADD, APPROVE, READ, REJECT, givenTwo, holders, overRest, stored } from './waiting.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Asks for an owner and gives the approval, with the request that asked. */
async function asked() {
  const given = await givenTwo(gateway);
  const path = `/accounts/${given.account}/owners/add`;
  const key = keyed(unique('key'));
  const ask = () => given.asker.rest.post(path, holders(given.stranger), key);
  const { body } = await ask();
  return { ...given, ask, key, path, id: body.approvalId as string };
}

test('a request that waits is answered with its approval, and nothing else is done', async () => {
  const { asker, program, account, owners, stranger } = await givenTwo(gateway);
  const key = keyed(unique('key'));
  const before = Date.now();
  const first = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger), key);
  expect([first.status, first.headers['location']]).toEqual([202, `/approvals/${first.body.approvalId}`]);
  expect(first.body).toMatchObject({
    status: 'WAITING',
    command: 'owner.add',
    accountId: account,
    object: `account/${account}`,
    decidedBy: '',
    facts: {
      customers: [
        {
          customerId: stranger,
          ownerStatus: 'ADDED',
        },
      ],
    },
    code: '',
    reason: '',
  });
  const days = (Date.parse(first.body.expiresAt) - Date.parse(first.body.requestedAt)) / 86_400_000;
  expect(days).toBe(7);
  expect(Math.abs(Date.parse(first.body.requestedAt) - before)).toBeLessThan(60_000);
  const again = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger), key);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect([again.status, again.body]).toEqual([202, first.body]);
  expect(await stored(gateway, program)).toEqual({
    owners: owners.length,
    endpoints: 0,
    actions: ['approval.request'],
  });
});

test('over GraphQL it is an error with the id of the approval, also for a key that came over REST', async () => {
  const { asker, account, stranger } = await givenTwo(gateway);
  const key = keyed(unique('key'));
  const rest = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger), key);
  const graphql = await asker.graphql(ADD, { account, customers: [stranger] }, { headers: key });
  expect(graphql.data).toEqual({ addAccountOwners: null });
  expect(graphql.errors).toMatchObject([
    { path: ['addAccountOwners'], extensions: { code: 'APPROVAL_REQUIRED', approvalId: rest.body.approvalId } },
  ]);
  expect(graphql.headers['idempotent-replayed']).toBe('true');
});

test('approving does the request once, as its caller, and the retry under its key gets the result', async () => {
  const { approver, program, id, ask, owners, stranger, account } = await asked();
  const { data } = await approver.graphql(APPROVE, { id });
  const { subject, decidedBy } = data.approveApproval.approval;
  expect(data.approveApproval.approval).toMatchObject({
    status: 'APPROVED',
    code: null,
    decidedAt: expect.any(String),
  });
  expect(subject).toMatch(/^asker/);
  expect(decidedBy).toMatch(/^approver/);
  const retried = await ask();
  expect([retried.status, retried.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(retried.body.holders).toMatchObject([{ customerId: stranger, ownerStatus: 'Added' }]);
  expect(await ask()).toMatchObject({ status: 200, body: retried.body });
  const actions = ['approval.request', 'owner.add', 'approval.approve'];
  expect(await stored(gateway, program)).toEqual({ owners: owners.length + 1, endpoints: 0, actions });
  const { rows } = await gateway.sql.query(
    `SELECT action, subject, account_id, object, data FROM event WHERE program = $1 AND account_id = $2 ORDER BY id`,
    [program, account],
  );
  const of = { account_id: account };
  expect(rows).toMatchObject([
    { ...of, action: 'approval.request', subject, object: `approval/${id}`, data: { command: 'owner.add' } },
    { ...of, action: 'owner.add', subject, object: `account/${account}` },
    { ...of, action: 'approval.approve', subject: decidedBy, object: `approval/${id}`, data: { status: 'APPROVED' } },
  ]);
});

test('an approval is read, listed and decided alike over GraphQL and REST', async () => {
  const { approver, id, ask } = await asked();
  const { data } = await approver.graphql(READ, { id: id.toUpperCase() });
  const read = await approver.rest.get(`/approvals/${id.toUpperCase()}`);
  expect([read.status, read.body]).toEqual([200, overRest(data.approval)]);
  expect((await ask()).body).toEqual({ ...read.body, changes: [] });
  const listed = await approver.rest.get('/approvals?status=WAITING');
  expect(listed.body).toEqual({ approvals: [read.body], links: {} });
  const rejected = await approver.rest.post(`/approvals/${id}/reject`, { reason: 'Not agreed.' });
  expect(rejected.body).toMatchObject({ status: 'REJECTED', reason: 'Not agreed.' });
  expect((await approver.graphql(READ, { id })).data.approval).toMatchObject({ status: 'REJECTED' });
  const list = '{ approvals(filter: { statuses: [WAITING] }) { totalCount nodes { approvalId } } }';
  expect((await approver.graphql(list)).data.approvals).toEqual({ totalCount: 0, nodes: [] });
});

test('lists have pages, the newest first', async () => {
  const { asker, approver, account, program } = await givenTwo(gateway);
  const ids: string[] = [];
  for (const _ of [1, 2, 3]) {
    const { customer } = await gateway.given.customer({ program });
    const { body } = await asker.rest.post(`/accounts/${account}/owners/add`, holders(customer), keyed(unique('key')));
    ids.unshift(body.approvalId);
  }
  const first = await approver.rest.get('/approvals?limit=2');
  const second = await approver.rest.get(first.body.links.next.href);
  const seen = [...first.body.approvals, ...second.body.approvals].map(({ approvalId }) => approvalId);
  expect([seen, second.body.links]).toEqual([ids, {}]);
  const query =
    'query ($after: String) { approvals(first: 2, after: $after) { totalCount nodes { approvalId } pageInfo { endCursor } } }';
  const one = (await approver.graphql(query)).data.approvals;
  const two = (await approver.graphql(query, { after: one.pageInfo.endCursor })).data.approvals;
  expect([...one.nodes, ...two.nodes].map(({ approvalId }) => approvalId)).toEqual(ids);
  expect(one.totalCount).toBe(3);
});

test('nobody approves his own, not with another client either, and the attempt is on record', async () => {
  const { approver, program, id, owners } = await asked();
  const { subject } = (await approver.rest.get(`/approvals/${id}`)).body;
  const same = gateway.as(await gateway.caller({ program, subject, clientId: 'another-client' }));
  expect(await same.rest.post(`/approvals/${id}/approve`)).toMatchObject({
    status: 403,
    body: { code: 'own_approval' },
  });
  const { data, errors } = await same.graphql(APPROVE, { id });
  expect([data, errors?.[0]?.extensions.code]).toEqual([{ approveApproval: null }, 'OWN_APPROVAL']);
  expect(await stored(gateway, program)).toMatchObject({ owners: owners.length, actions: ['approval.request'] });
  await gateway.recorded();
  const { rows } = await gateway.sql.query(
    `SELECT action, subject, data FROM event WHERE program = $1 AND outcome = 'DENIED'`,
    [program],
  );
  const denied = { action: 'approval.approve', subject, data: { code: 'own_approval' } };
  expect(rows).toEqual([denied, denied]);
});

test('whoever asked may take the request back', async () => {
  const { asker, id, ask } = await asked();
  const { data } = await asker.graphql(REJECT, { id, reason: 'A mistake.' });
  expect(data.rejectApproval.approval).toMatchObject({ status: 'REJECTED', reason: 'A mistake.' });
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'approval_rejected' } });
});

test('a decided approval is not decided again; the key of the decision gets its answer', async () => {
  const { approver, id, program, owners } = await asked();
  const key = keyed(unique('key'));
  const first = await approver.rest.post(`/approvals/${id}/approve`, undefined, key);
  const again = await approver.rest.post(`/approvals/${id}/approve`, undefined, key);
  expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
  const other = await approver.rest.post(`/approvals/${id}/approve`);
  expect(other).toMatchObject({ status: 409, body: { code: 'approval_decided' } });
  const rejected = await approver.rest.post(`/approvals/${id}/reject`, { reason: 'Late.' });
  expect(rejected).toMatchObject({ status: 409, body: { code: 'approval_decided' } });
  expect((await stored(gateway, program)).owners).toBe(owners.length + 1);
});

test('approvals at the same moment on many connections do the request once', async () => {
  const { program, id, owners } = await asked();
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const one = gateway.as(await gateway.caller({ program, subject: unique('approver') }));
      return one.rest.post(`/approvals/${id}/approve`, undefined, keyed(unique('key')));
    }),
  );
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses).toEqual([200, ...Array<number>(11).fill(409)]);
  const { owners: now, actions } = await stored(gateway, program);
  expect(now).toBe(owners.length + 1);
  expect(actions).toEqual(['approval.request', 'owner.add', 'approval.approve']);
});

test('retries during the approval get one of the two answers, and do nothing', async () => {
  const { approver, program, id, ask, owners } = await asked();
  const [approved, ...retries] = await Promise.all([
    approver.rest.post(`/approvals/${id}/approve`),
    ...Array.from({ length: 8 }, ask),
  ]);
  expect(approved.status).toBe(200);
  expect(retries.every(({ status }) => status === 200 || status === 202)).toBe(true);
  expect((await ask()).status).toBe(200);
  expect((await stored(gateway, program)).owners).toBe(owners.length + 1);
});

test('a rejected request is not done, and its key says so', async () => {
  const { approver, asker, program, id, ask, path, stranger, owners } = await asked();
  await approver.rest.post(`/approvals/${id}/reject`, { reason: 'Not agreed.' });
  const retried = await ask();
  expect(retried).toMatchObject({ status: 409, body: { code: 'approval_rejected' } });
  expect(retried.headers['idempotent-replayed']).toBe('true');
  const actions = ['approval.request', 'approval.reject'];
  expect(await stored(gateway, program)).toEqual({ owners: owners.length, endpoints: 0, actions });
  const next = await asker.rest.post(path, holders(stranger), keyed(unique('key')));
  expect(next.status).toBe(202);
  expect(next.body.approvalId).not.toBe(id);
});

test('the key of a request that waits is for that request alone', async () => {
  const { asker, approver, id, key, path, owners, stranger } = await asked();
  const other = () => asker.rest.post(path, holders(owners[0] as string, stranger), key);
  expect(await other()).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  await approver.rest.post(`/approvals/${id}/approve`);
  expect(await other()).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});

describe('who may decide', () => {
  test('for another program there is no such approval', async () => {
    const { id, program, owners } = await asked();
    const other = gateway.as(await gateway.caller({ program: gateway.given.program() }));
    const notFound = { status: 404, body: { code: 'approval_not_found' } };
    expect(await other.rest.get(`/approvals/${id}`)).toMatchObject(notFound);
    expect(await other.rest.post(`/approvals/${id}/approve`, undefined, keyed(unique('key')))).toMatchObject(notFound);
    expect(await other.rest.post(`/approvals/${id}/reject`, { reason: 'No.' })).toMatchObject(notFound);
    expect((await other.graphql(READ, { id })).data).toEqual({ approval: null });
    expect((await other.rest.get('/approvals')).body.approvals).toEqual([]);
    expect((await stored(gateway, program)).owners).toBe(owners.length);
  });

  test('not the token of a customer, and not one without approvals', async () => {
    const { id, program, owners } = await asked();
    const customer = gateway.as(await gateway.caller({ program, customerId: owners[0] as string }));
    const reader = gateway.as(
      await gateway.caller({ program, subject: 'reader', scopes: 'owners.write accounts.read' }),
    );
    for (const [who, code] of [
      [customer, 'program_wide_only'],
      [reader, 'insufficient_scope'],
    ] as const) {
      expect(await who.rest.post(`/approvals/${id}/approve`)).toMatchObject({ status: 403, body: { code } });
      expect(await who.rest.post(`/approvals/${id}/reject`, {})).toMatchObject({ status: 403, body: { code } });
      expect(await who.rest.get(`/approvals/${id}`)).toMatchObject({ status: 403, body: { code } });
      expect(await who.rest.get('/approvals')).toMatchObject({ status: 403, body: { code } });
    }
    expect((await stored(gateway, program)).actions).toEqual(['approval.request']);
  });

  test('approvals decides and does not read, and operations.read reads and does not decide', async () => {
    const { id, program, owners } = await asked();
    const as = async (scopes: string) => gateway.as(await gateway.caller({ program, subject: unique('s'), scopes }));
    const [reader, decider] = [await as('operations.read'), await as('approvals')];
    expect((await reader.graphql(READ, { id })).data.approval).toMatchObject({ status: 'WAITING' });
    expect((await reader.rest.get('/approvals')).body.approvals).toMatchObject([{ approvalId: id }]);
    for (const [answer, scope] of [
      [await reader.rest.post(`/approvals/${id}/approve`), 'approvals'],
      [await reader.rest.post(`/approvals/${id}/reject`, { reason: 'No.' }), 'approvals'],
      [await decider.rest.get(`/approvals/${id}`), 'operations.read'],
    ] as const) {
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        403,
        expect.stringContaining(`scope="${scope}"`),
      ]);
    }
    expect((await decider.graphql(APPROVE, { id })).data.approveApproval.approval).toMatchObject({
      status: 'APPROVED',
    });
    expect((await stored(gateway, program)).owners).toBe(owners.length + 1);
  });

  test('nobody decides an approval that does not exist', async () => {
    const { approver } = await givenTwo(gateway);
    for (const id of [randomUUID(), 'none']) {
      const missing = await approver.rest.post(`/approvals/${id}/approve`, undefined, keyed(unique('key')));
      expect(missing).toMatchObject({ status: 404, body: { code: 'approval_not_found' } });
    }
    const { errors } = await approver.graphql(REJECT, { id: randomUUID(), reason: 'No.' });
    expect(errors?.[0]?.extensions.code).toBe('APPROVAL_NOT_FOUND');
  });
});

describe('what waits', () => {
  test('nothing, unless the program says so', async () => {
    for (const approvals of [null, { closingAccounts: true, changingWebhookEndpoints: true }]) {
      const { asker, account, stranger } = await givenTwo(gateway, approvals);
      expect((await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger))).status).toBe(200);
    }
    const { caller, account, owners } = await gateway.given.account();
    const removed = await gateway
      .as(caller)
      .rest.post(`/accounts/${account}/owners/remove`, holders(owners[0] as string));
    expect(removed.status).toBe(200);
  });

  test('what waits is approved also after the program no longer wants it', async () => {
    const { approver, program, id, owners } = await asked();
    await gateway.given.programRecord(program, { approvals: null });
    expect((await approver.rest.post(`/approvals/${id}/approve`)).body.status).toBe('APPROVED');
    expect((await stored(gateway, program)).owners).toBe(owners.length + 1);
  });

  test('what is not possible is refused at once', async () => {
    const { asker, stranger, program } = await givenTwo(gateway);
    const answer = await asker.rest.post('/accounts/none/owners/add', holders(stranger), keyed(unique('key')));
    expect(answer).toMatchObject({ status: 404, body: { code: 'account_not_found' } });
    const endpoint = { url: 'http://bank.example/hooks' };
    expect((await asker.rest.post('/webhook-endpoints', endpoint, keyed(unique('key')))).status).toBe(422);
    expect((await stored(gateway, program)).actions).toEqual([]);
  });

  test('what changes no owner does not wait', async () => {
    const { asker, account, owners, stranger } = await givenTwo(gateway);
    const added = await asker.rest.post(`/accounts/${account}/owners/add`, holders(owners[0] as string));
    expect(added).toMatchObject({ status: 200, body: { holders: [{ ownerStatus: 'Failed to Add' }] } });
    const removed = await asker.rest.post(`/accounts/${account}/owners/remove`, holders(stranger));
    expect(removed).toMatchObject({ status: 200, body: { holders: [{ ownerStatus: 'Not found' }] } });
  });

  test('a request without a key is refused, since nobody could get its result', async () => {
    const { asker, account, stranger, program } = await givenTwo(gateway);
    const answer = await asker.rest.post(`/accounts/${account}/owners/add`, holders(stranger));
    expect(answer).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } });
    expect((await stored(gateway, program)).actions).toEqual([]);
  });

  test('each of several writes in an operation waits for itself', async () => {
    const { asker, approver, account, stranger, owners } = await givenTwo(gateway);
    const both = `mutation ($account: ID!, $in: [ID!]!, $out: [ID!]!) {
      addAccountOwners(input: { accountId: $account, customerIds: $in }) { results { ownerStatus } }
      removeAccountOwners(input: { accountId: $account, customerIds: $out }) { results { ownerStatus } } }`;
    const headers = keyed(unique('key'));
    const send = () => asker.graphql(both, { account, in: [stranger], out: owners }, { headers });
    const ids = (await send()).errors?.map(({ extensions }) => extensions.approvalId as string) ?? [];
    expect(new Set(ids).size).toBe(2);
    for (const id of ids.toReversed()) await approver.rest.post(`/approvals/${id}/approve`);
    expect((await send()).data).toEqual({
      addAccountOwners: { results: [{ ownerStatus: 'ADDED' }] },
      removeAccountOwners: { results: [{ ownerStatus: 'REMOVED' }] },
    });
  });
});

test('a request that is no longer possible when it is approved fails, and its key gets the refusal', async () => {
  const { asker, approver, program } = await givenTwo(gateway, null);
  const { body: endpoint } = await asker.rest.post('/webhook-endpoints', { url: 'https://bank.example/hooks' });
  await gateway.given.programRecord(program, { approvals: { changingWebhookEndpoints: true } });
  const key = keyed(unique('key'));
  const path = `/webhook-endpoints/${endpoint.endpointId}`;
  const remove = () => asker.rest.delete(path, key);
  const { approvalId } = (await remove()).body;
  await gateway.given.programRecord(program, { approvals: null });
  await asker.rest.delete(path);
  const approved = await approver.rest.post(`/approvals/${approvalId}/approve`);
  expect(approved).toMatchObject({ status: 200, body: { status: 'FAILED', code: 'webhook_endpoint_not_found' } });
  expect(await remove()).toMatchObject({ status: 404, body: { code: 'webhook_endpoint_not_found' } });
  const actions = ['webhook_endpoint.create', 'approval.request', 'webhook_endpoint.delete', 'approval.approve'];
  expect((await stored(gateway, program)).actions).toEqual(actions);
});
