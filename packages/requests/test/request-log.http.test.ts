import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { POSTED, Stream, listen, socketClient } from '../../../test/platform/graphql/subscriptions/listening.js';
import { newCard } from '../../../test/support/card.js';
import { until } from '../../../test/support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const LIST = `query ($filter: ApiRequestFilter, $first: Int, $after: String, $last: Int) {
  apiRequests(filter: $filter, first: $first, after: $after, last: $last) {
    nodes { requestId } totalCount pageInfo { hasNextPage endCursor } } }`;
const READ = `query ($id: String!) { apiRequest(requestId: $id) {
  entryId requestId answeredAt durationMs clientId subject actor api method operation rootFields httpStatus
  problems { code meaning remedy fields { pointer code meaning } }
  requestBytes answerBytes isReplay isAborted keyDigest userAgent clientAddress
  events { type audit { requestId } } sameKeyRequests { requestId isReplay } } }`;

const because = { reason: 'Because' };
const ids = (id: string) => ({ 'x-request-id': id });

/** Resolves when the log has a request: it is written behind the answer. */
async function written(...requestIds: readonly string[]): Promise<void> {
  await until(async () => {
    const { rows } = await gateway.sql.query('SELECT FROM api_request WHERE request_id = ANY($1)', [requestIds]);
    return rows.length >= requestIds.length;
  });
}

/** An account, its caller, and an operator who reads the log of its program. */
async function given() {
  const { account, program, caller } = await gateway.given.account();
  const operator = gateway.as(await gateway.caller({ program, scopes: 'operations.read', clientId: 'support' }));
  const sender = gateway.as(
    await gateway.caller({
      program,
      clientId: 'core',
      subject: 'core-7',
      scopes: 'operations accounts.read cards.write',
    }),
  );
  return { account, program, caller, operator, sender };
}

const listed = async (me: Awaited<ReturnType<typeof given>>['operator'], filter: object): Promise<string[]> =>
  (await me.graphql(LIST, { filter })).data.apiRequests.nodes.map(({ requestId }: { requestId: string }) => requestId);

test('a write over REST is kept with who sent it and the event that it made', async () => {
  const { account, operator, sender } = await given();
  const id = unique('request');
  await sender.rest.post(`/accounts/${account}/restrict`, because, {
    ...ids(id),
    ...keyed(unique('key')),
    'user-agent': 'acme-core/2.4 (call 020 7946 0999)',
  });
  await written(id);
  const { data } = await operator.graphql(READ, { id });
  expect(data.apiRequest).toEqual({
    entryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestId: id,
    answeredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    durationMs: expect.any(Number),
    clientId: 'core',
    subject: 'core-7',
    actor: null,
    api: 'REST',
    method: 'POST',
    operation: 'POST /accounts/:accountId/restrict',
    rootFields: [],
    httpStatus: 200,
    problems: [],
    requestBytes: 20,
    answerBytes: expect.any(Number),
    isReplay: false,
    isAborted: false,
    keyDigest: expect.stringMatching(/^[\w-]{40,}$/),
    userAgent: 'acme-core/2.4 (call [number])',
    clientAddress: expect.stringMatching(/127\.0\.0\.1$/),
    events: [{ type: 'account.restricted', audit: { requestId: id } }],
    sameKeyRequests: [],
  });
});

test('an agent is told of a request who sent it, and not from which address', async () => {
  const { account, program, sender } = await given();
  const id = unique('request');
  await sender.rest.post(`/accounts/${account}/restrict`, because, ids(id));
  await written(id);
  const agent = gateway.as(await gateway.caller({ program, scopes: 'operations.read agent' }));
  const { data } = await agent.graphql(READ, { id });
  expect(data.apiRequest).toMatchObject({ requestId: id, subject: 'core-7', clientAddress: null });
  expect((await agent.rest.get(`/requests/${id}`)).text).not.toContain('127.0.0.1');
});

test('a write over GraphQL is kept with the fields that it called, also without a name', async () => {
  const { account, operator, sender } = await given();
  const id = unique('request');
  const CLOSE = `mutation { restrictAccount(input: { accountId: "${account}", reason: "Because" }) { replayed } }`;
  await sender.graphql(CLOSE, {}, { headers: ids(id) });
  await written(id);
  const { apiRequest } = (await operator.graphql(READ, { id })).data;
  expect(apiRequest).toMatchObject({
    api: 'GRAPHQL',
    operation: null,
    rootFields: ['restrictAccount'],
    httpStatus: 200,
  });
  expect(apiRequest.events).toHaveLength(1);
});

test('a refused request is kept with its problems, explained as at /problems, and its fields without values', async () => {
  const { account, operator, sender } = await given();
  const [overRest, overGraphql] = [unique('request'), unique('request')];
  const card = { ...newCard(account, account), number: '4111111111111112' };
  await sender.rest.post('/cards/v1/cards', card, ids(overRest));
  await sender.graphql(
    'mutation Close($input: CloseAccountInput!) { closeAccount(input: $input) { replayed } }',
    { input: { accountId: 'nobody-1', reason: 'Because' } },
    { headers: ids(overGraphql) },
  );
  await written(overRest, overGraphql);
  const ofCard = (await operator.graphql(READ, { id: overRest })).data.apiRequest;
  expect(ofCard.problems[0]).toMatchObject({
    code: 'rule_broken',
    meaning: expect.any(String),
    remedy: expect.any(String),
  });
  expect(ofCard.problems[0].fields).toContainEqual({
    pointer: '/number',
    code: 'card_number',
    meaning: 'The card number has the wrong length or the wrong check digit.',
  });
  const ofAccount = (await operator.graphql(READ, { id: overGraphql })).data.apiRequest;
  expect(ofAccount).toMatchObject({ operation: 'Close', rootFields: ['closeAccount'], httpStatus: 200, events: [] });
  expect(ofAccount.problems).toEqual([
    {
      code: 'account_not_found',
      meaning: expect.stringContaining('account'),
      remedy: expect.any(String),
      fields: [],
    },
  ]);
});

test('a replay names the request that did it, and recorded no event itself', async () => {
  const { account, operator, sender } = await given();
  const [first, again] = [unique('request'), unique('request')];
  const key = keyed(unique('key'));
  for (const id of [first, again]) {
    await sender.rest.post(`/accounts/${account}/restrict`, because, { ...ids(id), ...key });
  }
  await written(first, again);
  const read = async (id: string) => (await operator.graphql(READ, { id })).data.apiRequest;
  expect(await read(first)).toMatchObject({
    isReplay: false,
    sameKeyRequests: [{ requestId: again, isReplay: true }],
  });
  expect(await read(again)).toMatchObject({
    isReplay: true,
    events: [],
    sameKeyRequests: [{ requestId: first, isReplay: false }],
  });
  expect(await listed(operator, { isReplay: true })).toEqual([again]);
});

test('reads are kept where they are refused alone', async () => {
  const { account, program, operator, sender } = await given();
  const [good, refused, denied] = [unique('request'), unique('request'), unique('request')];
  await sender.rest.get(`/accounts/${account}`, ids(good));
  await sender.rest.get('/accounts/nobody-1', ids(refused));
  await gateway.as(await gateway.caller({ program, scopes: '' })).rest.get(`/accounts/${account}`, ids(denied));
  await written(refused, denied);
  expect((await listed(operator, {})).toSorted()).toEqual([refused, denied].toSorted());
});

test('a subscription that is refused is kept, over HTTP and over a WebSocket', async () => {
  const { program, account, operator } = await given();
  const caller = await gateway.caller({ program, clientId: 'app', scopes: 'cards.read' });
  const stream = await Stream.open(gateway, caller, { query: POSTED, variables: { account } });
  await stream.whole();
  const client = socketClient(gateway, caller);
  const socket = listen(client, { query: POSTED, variables: { account } });
  await until(() => socket.isOver);
  await client.dispose();
  const LOOK = '{ apiRequests { nodes { httpStatus isAborted rootFields problems { code } } } }';
  const look = async () => (await operator.graphql(LOOK)).data.apiRequests.nodes;
  await until(async () => (await look()).length === 2);
  for (const request of await look()) {
    expect(request).toMatchObject({ isAborted: false, rootFields: ['transactionPosted'] });
    expect(request.problems).toEqual([{ code: 'insufficient_scope' }]);
  }
});

test('a request without a valid token has no client, and is not kept', async () => {
  const { account, operator, sender } = await given();
  const [unknown, known] = [unique('request'), unique('request')];
  await gateway.as(null).rest.post(`/accounts/${account}/close`, because, ids(unknown));
  await sender.rest.post(`/accounts/${account}/close`, because, ids(known));
  await written(known);
  expect(await listed(operator, {})).toEqual([known]);
});

describe('the list', () => {
  test('is filtered by client, code, outcome, API, operation and time, and goes page by page over both APIs', async () => {
    const { account, program, operator, sender } = await given();
    const other = gateway.as(await gateway.caller({ program, clientId: 'app', scopes: 'operations' }));
    const [closed, missing, ofOther] = [unique('request'), unique('request'), unique('request')];
    await sender.rest.post(`/accounts/${account}/restrict`, because, ids(closed));
    await sender.rest.post('/accounts/nobody-1/restrict', because, ids(missing));
    const TWO = `mutation Two { a: closeAccount(input: { accountId: "nobody-1", reason: "Because" }) { replayed }
      b: addNote(input: { note: { accountId: "${account}", transactionId: "none", text: "x" } }) { replayed } }`;
    await other.graphql(TWO, {}, { headers: ids(ofOther) });
    await written(closed, missing, ofOther);
    expect(await listed(operator, {})).toEqual([ofOther, missing, closed]);
    expect(await listed(operator, { clientId: 'core' })).toEqual([missing, closed]);
    expect(await listed(operator, { clientId: 'core', code: 'ACCOUNT_NOT_FOUND' })).toEqual([missing]);
    expect(await listed(operator, { code: 'account_not_found' })).toEqual([ofOther, missing]);
    expect(await listed(operator, { code: 'transaction_not_found' })).toEqual([ofOther]);
    expect(await listed(operator, { code: 'rule_broken' })).toEqual([]);
    expect(await listed(operator, { isRefused: false })).toEqual([closed]);
    expect(await listed(operator, { isRefused: true, api: 'GRAPHQL' })).toEqual([ofOther]);
    expect(await listed(operator, { operation: 'Two' })).toEqual([ofOther]);
    expect(await listed(operator, { subject: 'core-7', requestId: closed })).toEqual([closed]);
    expect(await listed(operator, { answeredBefore: '2020-01-01T00:00:00.000Z' })).toEqual([]);
    const from = { answeredFrom: '2020-01-01T00:00:00.000Z', answeredBefore: '2100-01-01T00:00:00.000Z' };
    expect(await listed(operator, from)).toHaveLength(3);

    const first = (await operator.graphql(LIST, { first: 2 })).data.apiRequests;
    expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const rest = (await operator.graphql(LIST, { first: 2, after: first.pageInfo.endCursor })).data.apiRequests;
    expect(rest).toMatchObject({ nodes: [{ requestId: closed }], pageInfo: { hasNextPage: false } });
    expect((await operator.graphql(LIST, { last: 1 })).data.apiRequests.nodes).toEqual([{ requestId: closed }]);

    const page = await operator.rest.get('/requests?clientId=core&limit=1');
    expect(page.body.requests).toEqual([expect.objectContaining({ requestId: missing, api: 'REST', httpStatus: 404 })]);
    const next = await operator.rest.get(page.body.links.next.href);
    expect(next.body).toMatchObject({ requests: [{ requestId: closed, keyDigest: '', problems: [] }] });
    expect(next.body.links.next).toBeUndefined();

    for (const [filters, found] of [
      ['isRefused=true', [ofOther, missing]],
      ['isRefused=false', [closed]],
      ['isRefused=true&isReplay=false&api=REST', [missing]],
      ['isReplay=true', []],
    ] as const) {
      const { body } = await operator.rest.get<{ requests: { requestId: string }[] }>(`/requests?${filters}`);
      expect([filters, body.requests.map(({ requestId }) => requestId)]).toEqual([filters, found]);
    }
    const wrong = await operator.rest.get('/requests?isRefused=yes');
    expect([wrong.status, wrong.body.errors]).toMatchObject([
      400,
      [{ pointer: '/isRefused', detail: 'Must be true or false.' }],
    ]);
  });

  test('of a client has its own requests alone, and that of a customer those of the own tokens', async () => {
    const { account, program, operator, sender } = await given();
    const scopes = 'requests.read accounts.read';
    const { customer } = await gateway.given.customer({ program });
    const app = { program, clientId: 'app', scopes };
    const client = gateway.as(await gateway.caller(app));
    const person = gateway.as(await gateway.caller({ ...app, customerId: customer, subject: 'sub-1' }));
    const another = gateway.as(await gateway.caller({ ...app, customerId: customer, subject: 'sub-2' }));
    const [ofCore, ofClient, ofPerson] = [unique('request'), unique('request'), unique('request')];
    await sender.rest.post(`/accounts/${account}/restrict`, because, ids(ofCore));
    await client.rest.get('/accounts/nobody-1', ids(ofClient));
    await person.rest.get('/accounts/nobody-2', ids(ofPerson));
    await written(ofCore, ofClient, ofPerson);
    expect(await listed(client, {})).toEqual([ofPerson, ofClient]);
    expect(await listed(person, {})).toEqual([ofPerson]);
    expect(await listed(another, {})).toEqual([]);
    expect((await client.rest.get(`/requests/${ofCore}`)).status).toBe(404);
    expect((await client.rest.get(`/requests/${ofClient}`)).body).toMatchObject({ requestId: ofClient });
    const { data, errors } = await client.graphql(READ, { id: ofClient });
    expect(data.apiRequest).toMatchObject({ requestId: ofClient, events: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['INSUFFICIENT_SCOPE']);
    expect((await operator.rest.get(`/requests/${ofPerson}`)).status).toBe(200);
    const stranger = gateway.as(await gateway.caller({ program: gateway.given.program(), scopes: 'operations.read' }));
    expect((await stranger.rest.get(`/requests/${ofCore}`)).body).toMatchObject({ code: 'request_not_found' });
    expect((await stranger.graphql(READ, { id: ofCore })).data.apiRequest).toBeNull();
    const none = gateway.as(await gateway.caller({ program, scopes: 'accounts.read' }));
    expect((await none.rest.get('/requests')).status).toBe(403);
  });
});

test('the log has none of the values that were sent, and no name that a client chose', async () => {
  const { account, program, sender } = await given();
  const canary = 'Zephyrine';
  const { customer } = await gateway.given.customer({ program });
  const all = Array.from({ length: 6 }, () => unique('request'));
  const [unknown, metadata, query, path, name, variable] = all as [string, string, string, string, string, string];
  await sender.rest.post(`/accounts/${account}/close`, { [canary]: canary, reason: canary }, ids(unknown));
  await sender.rest.patch(`/accounts/${account}`, { metadata: { [`${canary} `]: canary } }, ids(metadata));
  await sender.rest.get(`/accounts/${account}?${canary}=${canary}`, ids(query));
  await sender.rest.get(`/accounts/${account}/${canary}`, ids(path));
  await sender.rest.post(
    '/cards/v1/cards',
    { ...newCard(account, customer), embossedName: canary },
    {
      ...ids(name),
      ...keyed(canary),
      'user-agent': `Zéphyrine ${canary}é`,
    },
  );
  await sender.graphql(
    `mutation ($input: CloseAccountInput!) { ${canary}: closeAccount(input: $input) { replayed } }`,
    { input: { accountId: canary, reason: canary, [canary]: [canary] } },
    { headers: ids(variable) },
  );
  await written(...all);
  const { rows } = await gateway.sql.query(
    'SELECT r::text AS text, stored_problems FROM api_request r WHERE program = $1',
    [program],
  );
  expect(rows).toHaveLength(all.length);
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/zephyrine|Because/i);
  expect(JSON.stringify(rows)).toContain('"/*"');
});
