import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { newBeneficiary } from '../../support/given.js';
import { until } from '../../support/until.js';
import { valueOf } from '../metrics/reading.js';
import { Collector, type CollectedSpan } from './collector.js';

let collector: Collector;
beforeAll(async () => {
  collector = await Collector.start();
});
afterAll(() => collector.stop());

const SERVER = 2;
const CLIENT = 3;

function tracedGateway(ratio = 1): Promise<TestGateway> {
  return startTestGateway({ tracing: { endpoint: collector.endpoint, resource: {}, ratio } });
}

/** A gateway whose spans have all arrived once the work is done. */
async function traced(work: (gateway: TestGateway) => Promise<void>, ratio = 1): Promise<void> {
  const gateway = await tracedGateway(ratio);
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** The trace context of a client: it traces this request, or not. */
function parent(sampled = true) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}` } };
}

const childrenOf = (spans: readonly CollectedSpan[], { spanId }: { spanId: string }) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId);

/** The names of statements that a span is about, without what those for one account have behind them. */
const statementsOf = ({ name, attributes }: CollectedSpan): string[] =>
  ((attributes['tillgate.statements'] as string[] | undefined) ?? [name]).map(one => one.replace(/\/.*$/, ''));

test('a REST request is HTTP, below it the operation, and below that its batches and their statements', async () => {
  const client = parent();
  await traced(async gateway => {
    const { account, caller } = await gateway.given.account();
    await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries?limit=7`, client.headers);
  });
  const spans = collector.ofTrace(client.traceId);
  const [http, ...more] = childrenOf(spans, client);
  expect(more).toEqual([]);
  expect(http).toMatchObject({
    name: 'GET /accounts/:accountId/beneficiaries',
    kind: SERVER,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/accounts/:accountId/beneficiaries',
      'http.response.status_code': 200,
      'tillgate.request_id': expect.any(String),
    },
  });
  const [operation] = childrenOf(spans, http as CollectedSpan);
  expect(operation?.name).toBe('GET /accounts/:accountId/beneficiaries');
  const batches = childrenOf(spans, operation as CollectedSpan);
  expect(batches.map(({ name }) => name)).toEqual(expect.arrayContaining(['batch']));
  const statements = batches.flatMap(batch => childrenOf(spans, batch));
  const seen = statements.find(span => statementsOf(span).includes('accounts_seen_by_program'));
  expect(seen).toMatchObject({
    kind: CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'server.address': expect.any(String),
      'server.port': expect.anything(),
    },
  });
});

/** What traces say of a process that has these settings, and the collector's address. */
async function resourceOf(env: Record<string, string>): Promise<Record<string, unknown> | undefined> {
  const own = await Collector.start();
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: own.endpoint, ...env });
  const gateway = await startTestGateway({ tracing });
  await gateway.as(null).rest.get('/livez');
  await gateway.stop();
  await own.stop();
  expect(own.resources).toHaveLength(1);
  return own.resources[0];
}

test('traces name the service, its version and the SDK', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(await resourceOf({})).toEqual({
    'service.name': 'tillgate',
    'service.version': version,
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': expect.any(String),
  });
});

test('what OTEL_RESOURCE_ATTRIBUTES says goes before what the gateway says, and OTEL_SERVICE_NAME before both', async () => {
  const attributes =
    'service.name=teller, service.version = 7 ,team%2Cname=caf%C3%A9%3D1,deployment.environment.name=production,';
  expect(await resourceOf({ OTEL_RESOURCE_ATTRIBUTES: attributes })).toMatchObject({
    'service.name': 'teller',
    'service.version': '7',
    'team,name': 'café=1',
    'deployment.environment.name': 'production',
    'telemetry.sdk.name': 'opentelemetry',
  });
  expect(await resourceOf({ OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'vault' })).toMatchObject({
    'service.name': 'vault',
    'service.version': '7',
  });
});

test.each(['teller', 'a=b=c', '=b', 'a=%zz', 'a=%E9', `a=${'x'.repeat(256)}`, 'a=b,'.repeat(101)])(
  'OTEL_RESOURCE_ATTRIBUTES of %s are refused at the start',
  OTEL_RESOURCE_ATTRIBUTES => {
    expect(() => readConfig({ OTEL_RESOURCE_ATTRIBUTES })).toThrow(/^OTEL_RESOURCE_ATTRIBUTES must be a list .+/);
  },
);

test('a GraphQL write is traced to its COMMIT, and no span has a value of it', async () => {
  const client = parent();
  const input = newBeneficiary();
  let account = '';
  await traced(async gateway => {
    const given = await gateway.given.account();
    account = given.account;
    const { errors } = await gateway
      .as(given.caller)
      .graphql(
        'mutation Add($a: ID!, $i: BeneficiaryInput!) { addBeneficiary(input: { accountId: $a, beneficiary: $i }) { beneficiary { beneficiaryId } } }',
        { a: account, i: input },
        { headers: { ...client.headers, 'x-idempotency-key': 'key-of-a-client' } },
      );
    expect(errors).toBeUndefined();
  });
  const spans = collector.ofTrace(client.traceId);
  const [http] = childrenOf(spans, client);
  expect(http?.name).toBe('POST /graphql');
  const [operation] = childrenOf(spans, http as CollectedSpan);
  expect(operation?.name).toBe('Add');
  const flights = childrenOf(spans, operation as CollectedSpan).filter(({ name }) => name === 'BATCH');
  const [opening, ...others] = flights.map(statementsOf);
  expect(opening).toEqual(expect.arrayContaining(['begin', 'accounts_lock_free']));
  expect(flights.map(({ attributes }) => attributes['db.operation.batch.size'])).toEqual([5, 4]);
  const closing = others.find(names => names.includes('commit'));
  expect(closing?.map(name => name.replace('_one', ''))).toEqual([
    'beneficiary_insert',
    'account_events_add',
    'idempotency_keys_add',
    'commit',
  ]);
  const said = collector.bodies.join('');
  const values = [
    account,
    input['taxId'],
    input['name'].last,
    'grace@example.test',
    'key-of-a-client',
    '1 Main Street',
  ];
  for (const value of values) expect(said).not.toContain(value);
});

test("an operator's list is traced with its statements, and no span has the values that are in their texts", async () => {
  const client = parent();
  let program = '';
  await traced(async gateway => {
    ({ program } = await gateway.given.account());
    const caller = gateway.as(await gateway.caller({ program, scopes: 'operations' }));
    const list = '{ webhookEndpoints(first: 10) { totalCount nodes { endpointId } } }';
    const { errors } = await caller.graphql(list, {}, { headers: client.headers });
    expect(errors).toBeUndefined();
  });
  const spans = collector.ofTrace(client.traceId);
  const [operation] = childrenOf(spans, childrenOf(spans, client)[0] as CollectedSpan);
  const statements = childrenOf(spans, operation as CollectedSpan);
  expect(statements.map(({ name, kind }) => [name, kind])).toEqual([
    ['SELECT', CLIENT],
    ['SELECT', CLIENT],
  ]);
  for (const { attributes } of statements) expect(Object.keys(attributes)).not.toContain('tillgate.statement');
  expect(collector.bodies.join('')).not.toContain(program);
});

test('a statement that fails has its SQLSTATE, and not its message', async () => {
  const client = parent();
  await traced(async gateway => {
    const { account, caller } = await gateway.given.account();
    const release = await gateway.lockAccount(account);
    const { status } = await gateway
      .as(caller)
      .rest.post(`/accounts/${account}/beneficiaries`, newBeneficiary(), client.headers);
    expect(status).toBe(503);
    await release();
  });
  const spans = collector.ofTrace(client.traceId);
  expect(spans.find(({ attributes }) => attributes['error.type'] === '55P03')?.status).toEqual({ code: 2 });
  const [http] = childrenOf(spans, client);
  expect(http?.status.code).toBe(2);
  expect(childrenOf(spans, http as CollectedSpan)[0]?.attributes['error.type']).toBe('unavailable');
});

test('a batch that answers several requests has links to all of them but the first, whose trace it is in', async () => {
  const clients = Array.from({ length: 9 }, () => parent());
  await traced(async gateway => {
    const { account, caller } = await gateway.given.account();
    const ask = ({ headers }: { headers: object }) =>
      gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries`, { ...headers });
    const unlock = await gateway.lockTable('account');
    const metric = async (name: string) => valueOf((await gateway.as(null).rest.get('/metrics')).text, name);
    // Four batches may run, so these are alone in theirs, and the others share the next one.
    const answers: Promise<{ status: number }>[] = [];
    for (let n = 0; n < 4; n++) {
      answers.push(ask(clients[n] as (typeof clients)[0]));
      await until(async () => (await metric('tillgate_batches_in_flight')) === n + 1);
    }
    answers.push(...clients.slice(4).map(ask));
    await until(async () => (await metric('tillgate_batch_keys_waiting')) === 5);
    await unlock();
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  });
  const traceIds = clients.map(({ traceId }) => traceId);
  const shared = collector.spans.find(
    ({ name, traceId, attributes }) =>
      name === 'batch' && traceIds.includes(traceId) && Number(attributes['tillgate.batch.keys']) === 5,
  );
  const reached = [shared, ...(shared?.links ?? [])].map(span => span?.traceId);
  expect(reached.toSorted((a = '', b = '') => a.localeCompare(b))).toEqual(traceIds.slice(4).toSorted());
});

test('of traces that begin here the ratio decides, and of others whoever began them', async () => {
  const [wanted, unwanted] = [parent(), parent(false)];
  const before = collector.spans.length;
  await traced(async gateway => {
    for (const headers of [{}, wanted.headers, unwanted.headers]) await gateway.as(null).rest.get('/livez', headers);
  }, 0);
  expect(collector.spans.slice(before).map(({ traceId, name }) => [traceId, name])).toEqual([
    [wanted.traceId, 'GET /livez'],
  ]);
});

test.each([
  '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
  'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more',
  '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7',
  'x'.repeat(5000),
])('a traceparent of %s is passed over, and the trace begins here', async traceparent => {
  const before = collector.spans.length;
  await traced(async gateway => {
    expect((await gateway.as(null).rest.get('/livez', { traceparent })).status).toBe(200);
  });
  const [span, ...more] = collector.spans.slice(before);
  expect([span?.parentSpanId, span?.name, more]).toEqual(['', 'GET /livez', []]);
});

test('while the collector is away the gateway serves, stops in time and says so once', async () => {
  const gateway = await startTestGateway({
    tracing: { endpoint: 'http://127.0.0.1:9', resource: {}, ratio: 1 },
  });
  for (let n = 0; n < 20; n++) expect((await gateway.as(null).rest.get('/livez')).status).toBe(200);
  await gateway.stop();
  expect(gateway.log.filter(line => line.includes('traces cannot be sent'))).toHaveLength(1);
});
