import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sealIdentity } from '../../../src/platform/repository/declarations.js';
import { newDeliveryId } from '../src/delivery/delivery-id.js';
import type { Problem } from '../../../test/support/answers.js';
import type { AnyBody } from '../../../test/support/http.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const PATH = '/webhook-endpoints';
const DELIVERY = `deliveryId endpointId webhookId type accountId status createdAt attemptCount nextAttemptAt`;
const ATTEMPTS = 'attempts { startedAt durationMs httpStatus error answer }';
const LIST = `query ($id: ID!, $first: Int, $after: String, $filter: WebhookDeliveryFilter) {
  webhookEndpoint(endpointId: $id) { deliveries(first: $first, after: $after, filter: $filter) {
    nodes { ${DELIVERY} ${ATTEMPTS} } totalCount pageInfo { hasNextPage endCursor } } } }`;
const READ = `query ($id: ID!) { webhookDelivery(deliveryId: $id) { ${DELIVERY} ${ATTEMPTS} } }`;
const TEST = `mutation ($id: ID!, $type: String!) { sendTestEvent(input: { endpointId: $id, type: $type }) { delivery { ${DELIVERY} } } }`;
const RESEND = `mutation ($id: ID!) { resendWebhookDelivery(input: { deliveryId: $id }) { delivery { ${DELIVERY} } } }`;
const RECOVER = `mutation ($id: ID!, $since: DateTimeISO!) { recoverWebhookEndpoint(input: { endpointId: $id, since: $since }) { endpoint { endpointId } } }`;

/** A problem of a body of REST, where a mutation takes it. */
const inInput = (problem: Problem): Problem => ({ ...problem, pointer: `/input${problem.pointer}` });

const overRest = (record: object) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? '']));

/** An endpoint to which nothing is sent, since it is disabled: what is stored of its deliveries is the test's. */
async function given() {
  const program = unique('program');
  const me = gateway.as(await gateway.caller({ program, scopes: 'operations' }));
  const { endpointId } = (await me.rest.post(PATH, { url: 'https://bank.example/' })).body;
  await me.rest.patch(`${PATH}/${endpointId}`, { status: 'DISABLED' });
  return { program, endpointId: endpointId as string, rest: me.rest, graphql: me.graphql.bind(me) };
}

async function enable(endpointId: string): Promise<void> {
  await gateway.sql.query(
    `UPDATE webhook_endpoint SET status = 'ENABLED', disabled_reason = NULL WHERE endpoint_id = $1`,
    [endpointId],
  );
}

interface StoredDelivery {
  readonly position?: number;
  readonly type?: string;
  readonly account?: string;
  readonly state?: 'WAITING' | 'HELD' | 'DELIVERED' | 'FAILED';
  readonly dueAt?: string;
}

async function delivery(endpointId: string, stored: StoredDelivery = {}): Promise<string> {
  const { position = 1, type = 'card.frozen', account = '', state = 'DELIVERED', dueAt = null } = stored;
  const deliveryId = newDeliveryId();
  await gateway.sql.query(
    `INSERT INTO webhook_delivery (delivery_id, endpoint_id, position, event_id, type, lane, state, due_at, attempts)
     VALUES ($1, $2, $3, $3, $4, $5, $6, $7, 1)`,
    [deliveryId, endpointId, position, type, account, state, dueAt],
  );
  return deliveryId;
}

async function failedAttempt(deliveryId: string, startedAt: string, answer: string | null): Promise<void> {
  const attemptId = randomUUID();
  const sealed =
    answer === null ? null : await gateway.sealed(sealIdentity('webhook_attempt', [deliveryId, attemptId]), answer);
  const outcome = answer === null ? [null, 'TIMED_OUT'] : [500, null];
  await gateway.sql.query(
    `INSERT INTO webhook_attempt (delivery_id, attempt_id, started_at, duration_ms, status, error, answer)
     VALUES ($1, $2, $3, 87, $4, $5, $6)`,
    [deliveryId, attemptId, startedAt, ...outcome, sealed],
  );
}

test('a delivery leads to its event, and one whose event is of another program or of none to nothing', async () => {
  const { program, endpointId, graphql } = await given();
  const [of, other] = await Promise.all([gateway.given.account({ program }), gateway.given.account()]);
  const numberOf = async ({ caller, account }: typeof of): Promise<number> => {
    await gateway.as(caller).rest.post(`/accounts/${account}/restrict`, { reason: 'Because' });
    const { data } = await gateway.as(caller).graphql('{ events(first: 1) { nodes { eventId } } }');
    return Number(data.events.nodes[0].eventId.slice('evt_'.length));
  };
  const position = await numberOf(of);
  await delivery(endpointId, { position });
  await delivery(endpointId, { position: await numberOf(other) });
  const { data, errors } = await graphql(
    `
      query ($id: ID!) {
        webhookEndpoint(endpointId: $id) {
          deliveries {
            nodes {
              webhookId
              event {
                eventId
                type
                accountId
                payload
                audit {
                  action
                  outcome
                }
              }
            }
          }
        }
      }
    `,
    { id: endpointId },
  );
  expect(errors).toBeUndefined();
  const { nodes } = data.webhookEndpoint.deliveries;
  expect(nodes).toHaveLength(2);
  expect(nodes).toContainEqual({ webhookId: expect.any(String), event: null });
  expect(nodes).toContainEqual({
    webhookId: `evt_${position}`,
    event: {
      eventId: `evt_${position}`,
      type: 'account.restricted',
      accountId: of.account,
      payload: { accountId: of.account, sequence: 1, status: 'RESTRICTED' },
      audit: { action: 'account.restrict', outcome: 'DONE' },
    },
  });
});

test('a delivery is shown alike over GraphQL and REST, with its attempts', async () => {
  const { endpointId, rest, graphql } = await given();
  const id = await delivery(endpointId, {
    position: 1042,
    type: 'transaction.posted',
    account: 'acc-1',
    state: 'HELD',
    dueAt: '2026-03-31T18:05:00Z',
  });
  await failedAttempt(id, '2026-03-31T18:00:00Z', 'out of order');
  await failedAttempt(id, '2026-03-31T18:00:05Z', null);
  const { data } = await graphql(READ, { id });
  expect(data.webhookDelivery).toEqual({
    deliveryId: id,
    endpointId,
    webhookId: 'evt_1042',
    type: 'transaction.posted',
    accountId: 'acc-1',
    status: 'PENDING',
    createdAt: expect.any(String),
    attemptCount: 1,
    nextAttemptAt: '2026-03-31T18:05:00.000Z',
    attempts: [
      {
        startedAt: '2026-03-31T18:00:00.000Z',
        durationMs: 87,
        httpStatus: 500,
        error: null,
        answer: 'out of order',
      },
      {
        startedAt: '2026-03-31T18:00:05.000Z',
        durationMs: 87,
        httpStatus: null,
        error: 'TIMED_OUT',
        answer: null,
      },
    ],
  });
  const { attempts, ...record } = data.webhookDelivery;
  const read = await rest.get(`/webhook-deliveries/${id.toUpperCase()}`);
  expect([read.status, read.body]).toEqual([200, { ...overRest(record), attempts: attempts.map(overRest) }]);
  const list = await rest.get(`${PATH}/${endpointId}/deliveries`);
  expect([list.status, list.body]).toEqual([200, { webhookDeliveries: [overRest(record)], links: {} }]);
  const listed = await graphql(LIST, { id: endpointId });
  expect(listed.data.webhookEndpoint.deliveries.nodes).toEqual([data.webhookDelivery]);
});

test('deliveries are listed the newest first, page by page, and by status, account and type', async () => {
  const { endpointId, rest, graphql } = await given();
  const ids: string[] = [];
  const kinds: StoredDelivery[] = [
    { account: 'acc-1' },
    { account: 'acc-2' },
    {
      account: 'acc-1',
      state: 'FAILED' as const,
    },
    {
      type: 'card.closed',
      state: 'WAITING' as const,
    },
    {
      type: 'card.closed',
      account: 'acc-2',
    },
  ];
  for (const [index, kind] of kinds.entries()) ids.push(await delivery(endpointId, { position: index + 1, ...kind }));
  const newest = ids.toReversed();
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { data }: { readonly data: AnyBody } = await graphql(LIST, { id: endpointId, first: 2, after });
    const { nodes, totalCount, pageInfo }: AnyBody = data.webhookEndpoint.deliveries;
    expect(totalCount).toBe(5);
    seen.push(...nodes.map(({ deliveryId }: { deliveryId: string }) => deliveryId));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  expect(seen).toEqual(newest);

  const byLinks: string[] = [];
  let next: string | undefined = `${PATH}/${endpointId}/deliveries?limit=2`;
  while (next !== undefined) {
    const { body }: { body: AnyBody } = await rest.get(next);
    byLinks.push(...body.webhookDeliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId));
    next = body.links.next?.href;
  }
  expect(byLinks).toEqual(newest);

  const filters: [object, string, number[]][] = [
    [{ statuses: ['FAILED'] }, 'status=FAILED', [2]],
    [{ statuses: ['PENDING'] }, 'status=PENDING', [3]],
    [{ accountId: 'acc-1' }, 'accountId=acc-1', [2, 0]],
    [{ types: ['card.closed'] }, 'types=card.closed', [4, 3]],
    [{ types: ['card.closed', 'card.frozen'] }, 'types=card.closed,card.frozen', [4, 3, 2, 1, 0]],
    [{ types: ['card.frozen'], accountId: 'acc-2' }, 'types=card.frozen&accountId=acc-2', [1]],
  ];
  for (const [filter, query, places] of filters) {
    const { data } = await graphql(LIST, { id: endpointId, filter });
    const expected = places.map(place => ids[place]);
    const { nodes, totalCount } = data.webhookEndpoint.deliveries;
    expect([nodes.map(({ deliveryId }: { deliveryId: string }) => deliveryId), totalCount]).toEqual([
      expected,
      expected.length,
    ]);
    const { body } = await rest.get(`${PATH}/${endpointId}/deliveries?${query}`);
    expect(body.webhookDeliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId)).toEqual(expected);
  }
});

test('a bad list is refused', async () => {
  const { endpointId, rest } = await given();
  const list = `${PATH}/${endpointId}/deliveries`;
  for (const query of ['status=LOST', 'types=none', 'accountId=a%20b', 'limit=0', 'limit=x', 'after=x', 'colour=red']) {
    expect([query, (await rest.get(`${list}?${query}`)).status]).toEqual([query, expect.any(Number)]);
    expect([400, 422]).toContain((await rest.get(`${list}?${query}`)).status);
  }
  expect((await rest.get(`${PATH}/${randomUUID()}/deliveries`)).body.code).toBe('webhook_endpoint_not_found');
});

test('a test is written for the endpoint once for its key, with data of its type', async () => {
  const { endpointId, rest, graphql } = await given();
  await enable(endpointId);
  const key = keyed(unique('key'));
  const first = await graphql(TEST, { id: endpointId, type: 'card.frozen' }, { headers: key });
  expect(first.errors).toBeUndefined();
  const sent = first.data.sendTestEvent.delivery;
  expect(sent).toMatchObject({
    endpointId,
    type: 'card.frozen',
    accountId: null,
    webhookId: `test_${sent.deliveryId}`,
  });
  const again = await rest.post(`${PATH}/${endpointId}/test`, { type: 'card.frozen' }, key);
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([201, 'true', overRest(sent)]);
  expect(again.headers.location).toBe(`/webhook-deliveries/${sent.deliveryId}`);
  const { rows } = await gateway.sql.query('SELECT type, test_data FROM webhook_delivery WHERE endpoint_id = $1', [
    endpointId,
  ]);
  expect(rows).toEqual([{ type: 'card.frozen', test_data: expect.objectContaining({ last4: '1111' }) }]);
});

test('a test of an unknown type is refused', async () => {
  const { endpointId, rest, graphql } = await given();
  await enable(endpointId);
  const byRest = await rest.post(`${PATH}/${endpointId}/test`, { type: 'card.none' });
  expect([byRest.status, byRest.body.errors]).toMatchObject([422, [{ pointer: '/type', code: 'unknown_event_type' }]]);
  const byGraphql = await graphql(TEST, { id: endpointId, type: 'card.none' });
  expect(byGraphql.errors?.[0].extensions.errors).toEqual(byRest.body.errors.map(inInput));
});

test.each(['DELIVERED', 'FAILED', 'HELD'] as const)('a delivery that is %s is sent again', async state => {
  const { endpointId, rest, graphql, program } = await given();
  const dueAt = state === 'HELD' ? '2099-01-01T00:00:00Z' : undefined;
  const [one, two] = [
    await delivery(endpointId, { position: 1, state, ...(dueAt && { dueAt }) }),
    await delivery(endpointId, { position: 2, state, ...(dueAt && { dueAt }) }),
  ];
  await enable(endpointId);
  const byRest = await rest.post(`/webhook-deliveries/${one}/resend`);
  expect([byRest.status, byRest.body]).toMatchObject([200, { deliveryId: one, status: 'PENDING', nextAttemptAt: '' }]);
  expect((await graphql(RESEND, { id: two })).data.resendWebhookDelivery.delivery).toMatchObject({ status: 'PENDING' });
  const { rows } = await gateway.sql.query(
    `SELECT count(*)::int FROM webhook_delivery WHERE endpoint_id = $1 AND (due_at > now() OR state IN ('DELIVERED', 'FAILED'))
     AND attempts = 1`,
    [endpointId],
  );
  expect(rows).toEqual([{ count: 0 }]);
  const events = await gateway.sql.query(
    `SELECT object FROM event WHERE program = $1 AND action = 'webhook_delivery.resend' ORDER BY id`,
    [program],
  );
  expect(events.rows.map(({ object }) => object)).toEqual([`webhook_delivery/${one}`, `webhook_delivery/${two}`]);
});

test('an endpoint is recovered from an instant of the last 30 days', async () => {
  const { endpointId, rest, graphql, program } = await given();
  await enable(endpointId);
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const since = hoursAgo(1);
  const recovered = await rest.post(`${PATH}/${endpointId}/recover`, { since });
  expect([recovered.status, recovered.body.endpointId]).toEqual([200, endpointId]);
  expect((await graphql(RECOVER, { id: endpointId, since: hoursAgo(24 * 29) })).errors).toBeUndefined();
  for (const bad of [hoursAgo(24 * 31), hoursAgo(-1)]) {
    const byRest = await rest.post(`${PATH}/${endpointId}/recover`, { since: bad });
    expect([byRest.status, byRest.body.errors]).toMatchObject([422, [{ pointer: '/since', code: 'range' }]]);
    const byGraphql = await graphql(RECOVER, { id: endpointId, since: bad });
    expect(byGraphql.errors?.[0].extensions.errors).toEqual(byRest.body.errors.map(inInput));
  }
  expect((await rest.post(`${PATH}/${endpointId}/recover`, { since: 'yesterday' })).status).toBe(400);
  const events = await gateway.sql.query(
    `SELECT object FROM event WHERE program = $1 AND action = 'webhook_endpoint.recover'`,
    [program],
  );
  expect(events.rows.map(({ object }) => object)).toEqual([
    `webhook_endpoint/${endpointId}`,
    `webhook_endpoint/${endpointId}`,
  ]);
});

test('to a disabled endpoint nothing is sent', async () => {
  const { endpointId, rest, graphql } = await given();
  const id = await delivery(endpointId);
  const since = new Date().toISOString();
  const asked = [
    await rest.post(`${PATH}/${endpointId}/test`, { type: 'card.frozen' }),
    await rest.post(`/webhook-deliveries/${id}/resend`),
    await rest.post(`${PATH}/${endpointId}/recover`, { since }),
  ];
  for (const { status, body } of asked) expect([status, body.code]).toEqual([409, 'webhook_endpoint_disabled']);
  const byGraphql = [
    await graphql(TEST, { id: endpointId, type: 'card.frozen' }),
    await graphql(RESEND, { id }),
    await graphql(RECOVER, { id: endpointId, since }),
  ];
  for (const { errors } of byGraphql) expect(errors?.[0].extensions.code).toBe('WEBHOOK_ENDPOINT_DISABLED');
});

test('a deleted endpoint has no deliveries', async () => {
  const { endpointId, rest, graphql } = await given();
  const id = await delivery(endpointId);
  await rest.delete(`${PATH}/${endpointId}`);
  expect((await rest.get(`/webhook-deliveries/${id}`)).body.code).toBe('webhook_delivery_not_found');
  expect((await graphql(READ, { id })).data.webhookDelivery).toBeNull();
  expect((await rest.post(`/webhook-deliveries/${id}/resend`)).body.code).toBe('webhook_delivery_not_found');
});

describe('deliveries are for operators of the whole program:', () => {
  const asked = (endpointId: string, deliveryId: string) =>
    [
      ['GET', `${PATH}/${endpointId}/deliveries`, undefined, LIST, { id: endpointId }],
      ['GET', `/webhook-deliveries/${deliveryId}`, undefined, READ, { id: deliveryId }],
      ['POST', `/webhook-deliveries/${deliveryId}/resend`, undefined, RESEND, { id: deliveryId }],
      ['POST', `${PATH}/${endpointId}/test`, { type: 'card.frozen' }, TEST, { id: endpointId, type: 'card.frozen' }],
      [
        'POST',
        `${PATH}/${endpointId}/recover`,
        { since: '2026-01-01T00:00:00Z' },
        RECOVER,
        { id: endpointId, since: '2026-01-01T00:00:00Z' },
      ],
    ] as const;

  test('those of another program are not there', async () => {
    const { endpointId } = await given();
    const id = await delivery(endpointId);
    const stranger = gateway.as(await gateway.caller({ program: unique('program'), scopes: 'operations' }));
    for (const [method, path, body, query, variables] of asked(endpointId, id)) {
      const headers = body && { 'content-type': 'application/json' };
      const answer = await stranger.raw({ method, path, body, ...(headers && { headers }) });
      expect([path, answer.status]).toEqual([path, 404]);
      const { data } = await stranger.graphql(query, variables);
      expect(Object.values(data)).toEqual([null]);
    }
    const { rows } = await gateway.sql.query('SELECT state FROM webhook_delivery WHERE endpoint_id = $1', [endpointId]);
    expect(rows).toEqual([{ state: 'DELIVERED' }]);
  });
});
