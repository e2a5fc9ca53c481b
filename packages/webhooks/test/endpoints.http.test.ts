import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';
import type { WebhookSecrets } from '../src/webhook.entity.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { restCode } from '../../../test/support/answers.js';

const RING = KeyRing.generate();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ fieldKeys: RING });
});
afterAll(() => gateway.stop());

const PATH = '/webhook-endpoints';
const FIELDS = `endpointId url description types accountIds status disabledReason signing publicKey previousValidUntil: previousSecretExpiresAt
  failingSince: failingSinceAt createdAt updatedAt`;
const CREATE = `mutation ($input: WebhookEndpointInput!) { createWebhookEndpoint(input: { endpoint: $input }) { endpoint { ${FIELDS} } secret } }`;
const READ = `query ($id: ID!) { webhookEndpoint(endpointId: $id) { ${FIELDS} } }`;
const UPDATE = `mutation ($id: ID!, $input: WebhookEndpointPatch!) { updateWebhookEndpoint(input: { endpointId: $id, patch: $input }) { endpoint { ${FIELDS} } } }`;
const ROTATE = `mutation ($id: ID!) { rotateWebhookSecret(input: { endpointId: $id }) { endpoint { endpointId previousValidUntil: previousSecretExpiresAt publicKey } secret } }`;
const DELETE = `mutation ($id: ID!) { deleteWebhookEndpoint(input: { endpointId: $id }) { endpoint { endpointId url } } }`;
const LIST = `query ($first: Int, $after: String) { webhookEndpoints(first: $first, after: $after) { nodes { endpointId url }
  pageInfo { hasNextPage hasPreviousPage endCursor } totalCount } }`;
const URL = 'https://bank.example/hooks/tillgate';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** REST and GraphQL of a program of its own. */
async function given(scopes = 'operations') {
  const account = await gateway.given.account();
  const me = gateway.as(await gateway.caller({ program: account.program, scopes }));
  const create = async (input: object = {}) => (await me.rest.post(PATH, { url: URL, ...input })).body;
  return { ...account, rest: me.rest, graphql: me.graphql.bind(me), create };
}

/** GraphQL's null is an empty text over REST. */
const overRest = (record: object) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? '']));

async function sealedOf(endpointId: string): Promise<WebhookSecrets> {
  const { rows } = await gateway.sql.query('SELECT sealed FROM webhook_endpoint WHERE endpoint_id = $1', [endpointId]);
  return KeyRing.parse(RING).open(`webhook_endpoint/${endpointId}`, rows[0].sealed);
}

async function eventsOf(program: string) {
  const { rows } = await gateway.sql.query(
    'SELECT action, account_id, object, data FROM event WHERE program = $1 ORDER BY id',
    [program],
  );
  return rows;
}

test('an endpoint is created, listed and read alike over GraphQL and REST, and its secret is shown once', async () => {
  const { rest, graphql, account } = await given();
  const input = { url: URL, description: 'Core ledger', types: ['card.frozen'], accountIds: [account], signing: 'V1' };
  const created = await rest.post(PATH, input);
  expect(created.status).toBe(201);
  const { secret, ...endpoint } = created.body;
  expect(secret).toMatch(SECRET);
  expect(endpoint).toMatchObject({ ...input, status: 'ENABLED', disabledReason: '', publicKey: '', failingSince: '' });
  expect(created.headers.location).toBe(`${PATH}/${endpoint.endpointId}`);
  expect(created.headers['cache-control']).toBe('no-store');

  const read = await rest.get(created.headers.location as string);
  expect([read.status, read.body]).toEqual([200, endpoint]);
  expect((await rest.get(PATH)).body).toEqual({
    webhookEndpoints: [endpoint],
    page: { totalElements: 1 },
    links: {},
  });
  const { data } = await graphql(READ, { id: endpoint.endpointId });
  expect(overRest(data.webhookEndpoint)).toEqual(endpoint);

  const other = await graphql(CREATE, { input: { url: 'https://bank.example/other' } });
  expect(other.data.createWebhookEndpoint).toMatchObject({
    endpoint: { types: [], accountIds: [], description: null, signing: 'V1', status: 'ENABLED' },
    secret: expect.stringMatching(SECRET),
  });
  const list = await graphql(LIST);
  expect(list.data.webhookEndpoints).toMatchObject({
    nodes: [{ endpointId: endpoint.endpointId }, { url: 'https://bank.example/other' }],
    totalCount: 2,
  });
});

test('lists go page by page, the oldest first', async () => {
  const { rest, graphql, create } = await given();
  const made = [];
  for (let number = 1; number <= 3; number++) made.push((await create()).endpointId);
  const first = await graphql(LIST, { first: 2 });
  const { nodes, pageInfo } = first.data.webhookEndpoints;
  expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const second = await graphql(LIST, { first: 2, after: pageInfo.endCursor });
  expect(second.data.webhookEndpoints.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const ids = [...nodes, ...second.data.webhookEndpoints.nodes].map(({ endpointId }) => endpointId);
  expect(ids).toEqual(made);
  const page = await rest.get(`${PATH}?limit=2`);
  expect(page.body).toMatchObject({ page: { nextOffset: 2, totalElements: 3 } });
  const rest2 = await rest.get(page.body.links.next.href);
  const restIds = [...page.body.webhookEndpoints, ...rest2.body.webhookEndpoints].map(({ endpointId }) => endpointId);
  expect(restIds).toEqual(made);
});

test('the secret is sealed where it is stored, and in no event, log line or other answer', async () => {
  const { rest, graphql, create, program } = await given();
  const { secret, endpointId } = await create({ url: 'https://bank.example/hook?token=sesame' });
  expect(await sealedOf(endpointId)).toEqual({ current: secret, previous: null });
  const seen = [
    (await rest.get(PATH)).text,
    (await rest.get(`${PATH}/${endpointId}`)).text,
    (await graphql(READ, { id: endpointId })).text,
    (await rest.patch(`${PATH}/${endpointId}`, { description: 'New' })).text,
    (await rest.delete(`${PATH}/${endpointId}`)).text,
  ];
  const { rows } = await gateway.sql.query('SELECT * FROM idempotency_key WHERE program = $1', [program]);
  const kept = [await eventsOf(program), rows, gateway.log];
  for (const text of [...seen, ...kept.map(part => JSON.stringify(part))]) expect(text).not.toContain(secret);
  expect(JSON.stringify(kept)).not.toContain('sesame');
});

test('a retry of a creation under its key shows the same endpoint and secret, also over the other API', async () => {
  const { rest, graphql } = await given();
  const key = keyed(unique('key'));
  const answers = await Promise.all([1, 2, 3].map(() => rest.post(PATH, { url: URL }, key)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const retry = await graphql(CREATE, { input: { url: URL, types: [], signing: 'V1' } }, { headers: key });
  expect(retry.headers['idempotent-replayed']).toBe('true');
  const { endpoint, secret } = retry.data.createWebhookEndpoint;
  expect({ ...overRest(endpoint), secret }).toEqual(answers[0]?.body);
  expect((await rest.get(PATH)).body.page.totalElements).toBe(1);
  expect((await rest.post(PATH, { url: `${URL}/2` }, key)).body.code).toBe('idempotency_key_reused');
});

test('nobody else gets the secret by the key', async () => {
  const { rest, program } = await given();
  const key = keyed(unique('key'));
  const { body } = await rest.post(PATH, { url: URL }, key);
  for (const order of [{ clientId: 'other-client' }, { subject: 'somebody-else' }]) {
    const other = gateway.as(await gateway.caller({ program, scopes: 'operations', ...order }));
    const answer = await other.rest.post(PATH, { url: URL }, key);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(answer.body.secret).not.toBe(body.secret);
  }
  const denied = gateway.as(await gateway.caller({ program, scopes: 'accounts.read' }));
  expect((await denied.rest.post(PATH, { url: URL }, key)).body.code).toBe('insufficient_scope');
});

test('a rotation shows a new secret, keeps the one before it for 24 hours, and is replayed as it was', async () => {
  const { rest, graphql, create } = await given();
  const { endpointId, secret: first } = await create();
  const key = keyed(unique('key'));
  const rotated = await rest.post(`${PATH}/${endpointId}/rotate-secret`, undefined, key);
  expect(rotated.status).toBe(200);
  const { secret: second, previousValidUntil } = rotated.body;
  expect(second).toMatch(SECRET);
  expect(await sealedOf(endpointId)).toEqual({ current: second, previous: first });
  const hours = (Date.parse(previousValidUntil) - Date.now()) / 3_600_000;
  expect([hours > 23.9, hours <= 24]).toEqual([true, true]);
  const replayed = await graphql(ROTATE, { id: endpointId }, { headers: key });
  expect(replayed.data.rotateWebhookSecret).toMatchObject({ secret: second, endpoint: { previousValidUntil } });
  expect(await sealedOf(endpointId)).toEqual({ current: second, previous: first });
  const again = await graphql(ROTATE, { id: endpointId });
  const { secret: third } = again.data.rotateWebhookSecret;
  expect(await sealedOf(endpointId)).toEqual({ current: third, previous: second });
});

test('an endpoint that signs with V1A shows its public key always, and its private key never', async () => {
  const { rest, create } = await given();
  const created = await create({ signing: 'V1A' });
  expect(created).toMatchObject({ secret: '', publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/) });
  const { current } = await sealedOf(created.endpointId);
  const key = Buffer.from(current.replace('whsk_', ''), 'base64');
  expect(key.subarray(32).toString('base64')).toBe(created.publicKey.replace('whpk_', ''));
  const read = (await rest.get(`${PATH}/${created.endpointId}`)).body;
  expect(read.publicKey).toBe(created.publicKey);
  const rotated = (await rest.post(`${PATH}/${created.endpointId}/rotate-secret`)).body;
  expect([rotated.secret, rotated.publicKey === created.publicKey]).toEqual(['', false]);
  expect((await sealedOf(created.endpointId)).previous).toBe(current);
});

test('a patch changes what it names, and null or an empty list clears', async () => {
  const { rest, graphql, account, create } = await given();
  const { secret: _, ...made } = await create({ description: 'Core', types: ['card.frozen'], accountIds: [account] });
  const path = `${PATH}/${made.endpointId}`;
  const renamed = await rest.patch(path, { description: 'Ledger' }, { 'content-type': 'application/merge-patch+json' });
  expect(renamed.body).toEqual({ ...made, description: 'Ledger', updatedAt: renamed.body.updatedAt });
  const input = { url: 'https://other.example/', types: null, accountIds: [], description: null };
  const cleared = await graphql(UPDATE, { id: made.endpointId, input });
  expect(cleared.data.updateWebhookEndpoint.endpoint).toMatchObject({
    ...input,
    types: [],
    accountIds: [],
    status: 'ENABLED',
  });
  expect(overRest(cleared.data.updateWebhookEndpoint.endpoint)).toEqual((await rest.get(path)).body);
  expect((await graphql(UPDATE, { id: made.endpointId, input: { url: null } })).errors?.[0].extensions).toMatchObject({
    errors: [{ pointer: '/input/patch/url', code: 'required' }],
  });
});

test('an operator disables an endpoint and enables it again, and the events say so', async () => {
  const { rest, create, program } = await given();
  const { endpointId } = await create({ types: ['card.frozen'] });
  const path = `${PATH}/${endpointId}`;
  expect((await rest.patch(path, { status: 'DISABLED' })).body).toMatchObject({
    status: 'DISABLED',
    disabledReason: 'OPERATOR',
  });
  await gateway.sql.query('UPDATE webhook_endpoint SET failing_since = now() WHERE endpoint_id = $1', [endpointId]);
  expect((await rest.patch(path, { status: 'ENABLED' })).body).toMatchObject({
    status: 'ENABLED',
    disabledReason: '',
    failingSince: '',
  });
  await rest.post(`${path}/rotate-secret`);
  await rest.patch(path, { description: 'Once more' });
  await rest.delete(path);
  const events = await eventsOf(program);
  expect(events.map(({ action }) => action)).toEqual([
    'webhook_endpoint.create',
    'webhook_endpoint.disable',
    'webhook_endpoint.enable',
    'webhook_endpoint.rotate_secret',
    'webhook_endpoint.update',
    'webhook_endpoint.delete',
  ]);
  expect(events[1]).toMatchObject({
    account_id: null,
    object: `webhook_endpoint/${endpointId}`,
    data: { host: 'bank.example', status: 'DISABLED', disabledReason: 'OPERATOR', signing: 'V1' },
  });
});

test('a change leaves what the deliveries have written of the endpoint', async () => {
  const { rest, create } = await given();
  const { endpointId } = await create();
  await gateway.sql.query(
    `UPDATE webhook_endpoint SET status = 'DISABLED', disabled_reason = 'FAILING', failing_since = '2026-01-02T03:04:05Z' WHERE endpoint_id = $1`,
    [endpointId],
  );
  expect((await rest.patch(`${PATH}/${endpointId}`, { description: 'x' })).body).toMatchObject({
    status: 'DISABLED',
    disabledReason: 'FAILING',
    failingSince: '2026-01-02T03:04:05.000Z',
  });
});

test('a deleted endpoint is gone, alike over GraphQL and REST', async () => {
  const { rest, graphql, create } = await given();
  const [one, two] = [await create(), await create()];
  expect((await graphql(DELETE, { id: one.endpointId })).data.deleteWebhookEndpoint.endpoint).toMatchObject({
    url: URL,
  });
  const gone = await rest.delete(`${PATH}/${two.endpointId.toUpperCase()}`);
  expect([gone.status, gone.body.endpointId]).toEqual([200, two.endpointId]);
  expect((await rest.get(PATH)).body.webhookEndpoints).toEqual([]);
  for (const { endpointId } of [one, two]) {
    expect((await rest.get(`${PATH}/${endpointId}`)).body).toMatchObject({
      status: 404,
      code: 'webhook_endpoint_not_found',
    });
    expect((await graphql(READ, { id: endpointId })).data.webhookEndpoint).toBeNull();
    expect((await graphql(ROTATE, { id: endpointId })).errors?.[0].extensions.code).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  }
});

describe('an endpoint of another program is not there:', () => {
  test.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
  ])('%s %s', async (method, rest) => {
    const { create } = await given();
    const { endpointId } = await create();
    const stranger = gateway.as(await gateway.caller({ program: unique('program'), scopes: 'operations' }));
    for (const id of [endpointId, randomUUID(), 'none', '%00']) {
      const body = method === 'PATCH' ? { description: 'x' } : undefined;
      const headers = body && { 'content-type': 'application/json' };
      const answer = await stranger.raw({ method, path: `${PATH}/${id}${rest}`, body, ...(headers && { headers }) });
      expect([answer.status, answer.body.code]).toEqual([404, 'webhook_endpoint_not_found']);
    }
    const { rows } = await gateway.sql.query('SELECT version FROM webhook_endpoint WHERE endpoint_id = $1', [
      endpointId,
    ]);
    expect(rows).toEqual([{ version: 1 }]);
  });

  test('and its list is empty', async () => {
    await (await given()).create();
    const stranger = gateway.as(await gateway.caller({ program: unique('program'), scopes: 'operations' }));
    expect((await stranger.rest.get(PATH)).body.page.totalElements).toBe(0);
    expect((await stranger.graphql(LIST)).data.webhookEndpoints).toMatchObject({ nodes: [], totalCount: 0 });
  });
});

describe('endpoints are for operators of the whole program:', () => {
  const operations = (endpointId: string) => [
    { method: 'GET', path: PATH },
    { method: 'POST', path: PATH, body: { url: URL }, headers: { 'content-type': 'application/json' } },
    { method: 'GET', path: `${PATH}/${endpointId}` },
    { method: 'PATCH', path: `${PATH}/${endpointId}`, body: {}, headers: { 'content-type': 'application/json' } },
    { method: 'DELETE', path: `${PATH}/${endpointId}` },
    { method: 'POST', path: `${PATH}/${endpointId}/rotate-secret` },
  ];
  const queries = (id: string) =>
    [
      [LIST, {}],
      [READ, { id }],
      [CREATE, { input: { url: URL } }],
      [UPDATE, { id, input: {} }],
      [ROTATE, { id }],
      [DELETE, { id }],
    ] as const;

  test.each(['program_wide_only', 'insufficient_scope'])('%s', async code => {
    const { create, program, owners } = await given();
    const { endpointId } = await create();
    const customerId = code === 'program_wide_only' ? (owners[0] as string) : null;
    const caller = await gateway.caller({
      program,
      customerId,
      scopes: customerId ? 'operations' : 'accounts.read beneficiaries.write',
    });
    for (const asking of operations(endpointId)) {
      const { status, body } = await gateway.as(caller).raw(asking);
      expect([asking.method, status, body.code]).toEqual([asking.method, 403, code]);
    }
    for (const [query, variables] of queries(endpointId)) {
      const { errors } = await gateway.as(caller).graphql(query, variables);
      expect(restCode(errors?.[0].extensions.code)).toBe(code);
    }
    await gateway.recorded();
    const denied = (await eventsOf(program)).filter(({ data }) => data.code === code).map(({ action }) => action);
    expect(new Set(denied)).toEqual(
      new Set(['create', 'update', 'delete', 'rotate_secret'].map(name => `webhook_endpoint.${name}`)),
    );
  });
});

describe('a bad endpoint is refused alike over GraphQL and REST, with nothing of it repeated:', () => {
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index));
  const named = (index: number) =>
    `card.${String.fromCodePoint(97 + (index % 26))}${'_'.repeat(Math.floor(index / 26))}`;
  test.each<[string, Record<string, unknown>, string, [pointer: string, code: string]]>([
    ['no URL', { url: null }, 'invalid_input', ['/url', 'required']],
    ['an empty URL', { url: '' }, 'rule_broken', ['/url', 'text']],
    ['a URL that is none', { url: 'sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a path', { url: '/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['another scheme', { url: 'ftp://sesame.example/' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a URL of JavaScript', { url: 'javascript:alert("sesame")' }, 'rule_broken', ['/url', 'webhook_url']],
    ['no TLS', { url: 'http://sesame.example/' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a user', { url: 'https://sesame@bank.example/' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a user and a password', { url: 'https://a:sesame@bank.example/' }, 'rule_broken', ['/url', 'webhook_url']],
    ['port 0', { url: 'https://bank.example:0/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a fragment', { url: 'https://bank.example/#sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['spaces', { url: ' https://bank.example/sesame ' }, 'rule_broken', ['/url', 'text']],
    ['a line break', { url: 'https://bank.example/se\nsame' }, 'rule_broken', ['/url', 'text']],
    ['letters beyond ASCII', { url: 'https://bänk.example/sesame' }, 'rule_broken', ['/url', 'text']],
    ['2,049 characters', { url: `https://bank.example/${'s'.repeat(2028)}` }, 'rule_broken', ['/url', 'text']],
    ['a host without a domain', { url: 'https://sesame/' }, 'rule_broken', ['/url', 'webhook_url']],
    ['this machine', { url: 'https://localhost/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['this machine without TLS', { url: 'http://localhost:3000/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a name of this machine', { url: 'https://sesame.localhost/' }, 'rule_broken', ['/url', 'webhook_url']],
    ['an address of this machine', { url: 'https://127.0.0.1/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['the same in hexadecimal', { url: 'https://0x7f.1/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['the same in one number', { url: 'https://2130706433/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['the same in IPv6', { url: 'https://[::1]/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['the same in IPv6 by IPv4', { url: 'https://[::ffff:127.0.0.1]/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a private address', { url: 'https://10.1.2.3/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['the address of metadata', { url: 'https://169.254.169.254/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['a local address in IPv6', { url: 'https://[fd00::1]/sesame' }, 'rule_broken', ['/url', 'webhook_url']],
    ['an unknown type', { types: ['card.frozen', 'card.sesame'] }, 'rule_broken', ['/types/1', 'unknown_event_type']],
    ['a type that is none', { types: ['sesame'] }, 'rule_broken', ['/types/0', 'format']],
    ['a type twice', { types: ['card.frozen', 'card.frozen'] }, 'rule_broken', ['/types/1', 'distinct']],
    ['101 types', { types: many(101, named) }, 'rule_broken', ['/types', 'size']],
    ['an account twice', { accountIds: ['sesame', 'sesame'] }, 'rule_broken', ['/accountIds/1', 'distinct']],
    ['an id that is none', { accountIds: ['ses ame'] }, 'rule_broken', ['/accountIds/0', 'format']],
    ['1,001 accounts', { accountIds: many(1001, index => `a${index}`) }, 'rule_broken', ['/accountIds', 'size']],
    ['201 characters', { description: 's'.repeat(201) }, 'rule_broken', ['/description', 'text']],
    ['an unknown way to sign', { signing: 'SESAME' }, 'invalid_input', ['/signing', 'wrong_type']],
    ['an unknown field', { sesame: 'x' }, 'invalid_input', ['/sesame', 'unknown_field']],
  ])('%s', async (_what, changes, code, [pointer, problem]) => {
    const { rest, graphql } = await given();
    const input = { url: URL, ...changes };
    const byRest = await rest.post(PATH, input);
    expect([byRest.status, byRest.body.code]).toEqual([code === 'rule_broken' ? 422 : 400, code]);
    expect(byRest.body.errors).toContainEqual(expect.objectContaining({ pointer, code: problem }));
    const byGraphql = await graphql(CREATE, { input });
    expect(restCode(byGraphql.errors?.[0].extensions.code)).toBe(code);
    const inArgument = expect.objectContaining({ pointer: `/input/endpoint${pointer}`, code: problem });
    expect(byGraphql.errors?.[0].extensions.errors).toContainEqual(inArgument);
    if (!('sesame' in changes)) expect(byRest.text).not.toMatch(/sesame/i);
    expect((await rest.get(PATH)).body.page.totalElements).toBe(0);
  });

  test('and so is a bad change', async () => {
    const { rest, create } = await given();
    const { endpointId, secret: _, ...made } = await create();
    for (const patch of [
      { url: 'https://10.0.0.1/' },
      { types: ['card.sesame'] },
      { status: 'GONE' },
      { secret: 'x' },
    ]) {
      const { status } = await rest.patch(`${PATH}/${endpointId}`, patch);
      expect([400, 422]).toContain(status);
    }
    expect((await rest.get(`${PATH}/${endpointId}`)).body).toEqual({ endpointId, ...made });
  });

  test('the message of an unknown type says where the types are', async () => {
    const { rest } = await given();
    const { body } = await rest.post(PATH, { url: URL, types: ['card.sesame'] });
    expect(body.errors[0].detail).toContain('/events.schema.json');
  });

  test('an account of another program', async () => {
    const { rest, graphql, account, create } = await given();
    const { account: others } = await gateway.given.account();
    const { endpointId } = await create();
    const asked = [
      await rest.post(PATH, { url: URL, accountIds: [account, others] }),
      await rest.post(PATH, { url: URL, accountIds: [account, 'none'] }),
      await rest.patch(`${PATH}/${endpointId}`, { accountIds: [others] }),
    ];
    for (const { status, body } of asked) expect([status, body.code]).toEqual([404, 'account_not_found']);
    const { errors } = await graphql(CREATE, { input: { url: URL, accountIds: [others] } });
    expect(errors?.[0].extensions.code).toBe('ACCOUNT_NOT_FOUND');
  });
});

test.each([
  ['https://bank.example'],
  ['https://bank.example:8443/hooks?token=1'],
  ['https://93.184.216.34/hook'],
  ['https://[2606:2800:220:1:248:1893:25c8:1946]/hook'],
  ['HTTPS://Bank.Example/Hook'],
  [`https://bank.example/${'s'.repeat(2027)}`],
])('a good URL is kept as it was sent: %s', async url => {
  const { create } = await given();
  expect((await create({ url })).url).toBe(url);
});

test('a program has at most 50 endpoints, however many are created at once', async () => {
  const { rest, program, create } = await given();
  await create();
  await gateway.sql.query(
    `INSERT INTO webhook_endpoint SELECT (jsonb_populate_record(e, jsonb_build_object('endpoint_id', gen_random_uuid()))).*
     FROM webhook_endpoint e, generate_series(1, 46) WHERE program = $1`,
    [program],
  );
  const answers = await Promise.all(Array.from({ length: 6 }, () => rest.post(PATH, { url: URL })));
  const codes = answers.map(({ status, body }) => (status === 201 ? '' : body.code));
  const refused = codes.filter(code => code !== '');
  expect(refused).toEqual(Array.from({ length: 3 }, () => 'too_many_webhook_endpoints'));
  expect((await rest.get(`${PATH}?limit=100`)).body.page.totalElements).toBe(50);
});

test('an endpoint may have 1,000 accounts and every type', async () => {
  const { rest, graphql, program } = await given();
  const { rows } = await gateway.sql.query<{ account_id: string }>(
    `INSERT INTO account SELECT (jsonb_populate_record(a, jsonb_build_object('account_id', $1 || '-' || i))).*
     FROM account a, generate_series(1, 999) i WHERE program = $1 RETURNING account_id`,
    [program],
  );
  const accountIds = rows.map(({ account_id }) => account_id);
  const { status, body } = await rest.post(PATH, { url: URL, accountIds });
  expect([status, body.accountIds.length]).toEqual([201, 999]);
  const { data } = await graphql(READ, { id: body.endpointId });
  expect(data.webhookEndpoint.accountIds).toEqual(accountIds);
});

describe('with WEBHOOK_ALLOW_LOOPBACK', () => {
  let own: TestGateway;
  beforeAll(async () => {
    own = await startTestGateway({
      webhooks: { ...readConfig({}).webhooks, takesPart: false, allowLoopback: true },
    });
  });
  afterAll(() => own.stop());

  test('this machine may be reached, also without TLS, and nothing else', async () => {
    const { rest } = own.as(await own.caller({ scopes: 'operations' }));
    const urls = ['http://localhost:3000/', 'http://127.0.0.1:3000/hook', 'https://[::1]:3000/', 'http://a.localhost/'];
    for (const url of urls) expect((await rest.post(PATH, { url })).status).toBe(201);
    for (const url of ['http://bank.example/', 'https://10.0.0.1/', 'https://bank/', 'http://a:b@localhost/']) {
      expect((await rest.post(PATH, { url })).status).toBe(422);
    }
  });
});
