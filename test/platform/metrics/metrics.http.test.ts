import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';
import { graphqlSettings } from '../graphql/settings.js';
import { seriesOf, valueOf } from './reading.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function metrics(of = gateway): Promise<string> {
  const { status, headers, text } = await of.as(null).rest.get('/metrics');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return text;
}

/** How much each of these series grew while something was done. */
async function growth(names: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await metrics();
  await work();
  // A request is counted when its connection says that the answer is out, which may be after the client has it.
  for (;;) {
    const after = await metrics();
    const grown = names.map(name => valueOf(after, name) - valueOf(before, name));
    if (grown.every(each => each > 0)) return grown;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

test('REST requests are counted by route pattern and status class, and never by their path', async () => {
  const { account, caller } = await gateway.given.account();
  const me = gateway.as(caller).rest;
  const route = 'api="rest",operation="GET /accounts/:accountId/beneficiaries"';
  const grown = await growth(
    [
      `tillgate_requests_total{${route},status="2xx"}`,
      `tillgate_requests_total{${route},status="4xx"}`,
      `tillgate_request_duration_seconds_count{${route}}`,
      `tillgate_request_duration_seconds_bucket{le="+Inf",${route}}`,
      `tillgate_requests_total{api="rest",operation="other",status="4xx"}`,
    ],
    async () => {
      await me.get(`/accounts/${account}/beneficiaries`);
      await me.get(`/accounts/${account}/beneficiaries`);
      await me.get(`/accounts/${unique('none')}/beneficiaries`);
      await me.get(`/${unique('nothing')}`);
    },
  );
  expect(grown).toEqual([2, 1, 3, 3, 1]);
  const text = await metrics();
  for (const sent of [account, 'none-', 'nothing-']) expect(text).not.toContain(sent);
});

test('the names that clients give to GraphQL operations are in no label, however often they come', async () => {
  const { account, caller } = await gateway.given.account();
  const query = 'query Balance($id: ID!) { account(accountId: $id) { availableBalance } }';
  const grown = await growth(['tillgate_requests_total{api="graphql",operation="other",status="2xx"}'], async () => {
    for (let use = 0; use < 3; use++) await gateway.as(caller).graphql(query, { id: account });
    await gateway.compiled();
    await gateway.as(caller).graphql(query, { id: account });
  });
  expect(grown).toEqual([4]);
  expect(await metrics()).not.toContain('Balance');
});

test('what is refused is counted by API and code', async () => {
  const { account, caller, program } = await gateway.given.account();
  const weak = await gateway.caller({ program, scopes: '' });
  const refusal = (api: string, code: string) => `tillgate_refusals_total{api="${api}",code="${code}"}`;
  const grown = await growth(
    [
      refusal('rest', 'unauthenticated'),
      refusal('graphql', 'unauthenticated'),
      refusal('rest', 'insufficient_scope'),
      refusal('graphql', 'insufficient_scope'),
      refusal('graphql', 'GRAPHQL_VALIDATION_FAILED'),
      refusal('graphql', 'malformed_request'),
    ],
    async () => {
      await gateway.as(null).rest.get(`/accounts/${account}/beneficiaries`);
      await gateway.as('x').graphql('{ __typename }');
      await gateway.as(weak).rest.get(`/accounts/${account}/beneficiaries`);
      // Two fields that are refused for the same reason are one request that is.
      await gateway
        .as(weak)
        .graphql(`{ a: account(accountId: "1") { accountId } b: account(accountId: "2") { accountId } }`);
      await gateway.as(caller).graphql('{ nothing }');
      await gateway.as(caller).graphql('{a'.repeat(70));
    },
  );
  expect(grown).toEqual([1, 1, 1, 1, 1, 1]);
});

test('commands are counted by name and by how they ended', async () => {
  const { account, caller } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  const ended = (outcome: string) => `tillgate_commands_total{command="beneficiary.add",outcome="${outcome}"}`;
  const key = keyed(unique('key'));
  const grown = await growth([ended('done'), ended('replayed'), ended('refused')], async () => {
    const body = leastBeneficiary();
    await gateway.as(caller).rest.post(path, body, key);
    for (let retry = 0; retry < 3; retry++) await gateway.as(caller).rest.post(path, body, key);
    await gateway.as(caller).rest.post(path, leastBeneficiary({ sharePercentage: 7 }), key);
    await gateway.as(caller).rest.post(`/accounts/${unique('none')}/beneficiaries`, body);
  });
  expect(grown).toEqual([1, 3, 2]);
});

test('connections and batches are shown as they are, and what the process is made of', async () => {
  // Of the gateways of a process the newest one counts the batches.
  const newest = await startTestGateway({});
  const { account, caller } = await newest.given.account();
  const before = valueOf(await metrics(newest), 'tillgate_batch_keys_count');
  await Promise.all(Array.from({ length: 50 }, () => newest.as(caller).rest.get(`/accounts/${account}/beneficiaries`)));
  const text = await metrics(newest);
  await newest.stop();
  expect(valueOf(text, 'tillgate_batch_keys_count')).toBeGreaterThan(before);
  expect(valueOf(text, 'tillgate_batch_keys_waiting')).toBe(0);
  expect(valueOf(text, 'tillgate_pool_limit')).toBe(10);
  const [connections, idle] = ['tillgate_pool_connections', 'tillgate_pool_idle_connections'].map(name =>
    valueOf(text, name),
  );
  expect(connections).toBeGreaterThanOrEqual(1);
  expect(idle).toBeLessThanOrEqual(connections as number);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    expect(valueOf(text, name)).toBeGreaterThanOrEqual(0);
  }
});

test('every line is one that Prometheus can read, and no series is told twice', async () => {
  await gateway.as(null).rest.get('/livez');
  const lines = (await metrics()).split('\n').filter(line => line !== '');
  const series = lines.filter(line => !line.startsWith('#'));
  for (const line of series) expect(line).toMatch(/^[a-z_][a-z0-9_]*(\{(\w+="[^"\\\n]*",?)+\})? -?(\d[\d.e+-]*|NaN)$/i);
  expect(new Set(series.map(line => line.slice(0, line.lastIndexOf(' ')))).size).toBe(series.length);
  for (const line of lines) if (line.startsWith('#')) expect(line).toMatch(/^# (HELP|TYPE) \w+ /);
});

describe('with METRICS_TOKEN', () => {
  const metricsToken = 'a-token-of-the-operators-own';
  let closed: TestGateway;
  beforeAll(async () => {
    closed = await startTestGateway({ metricsToken });
  });
  afterAll(() => closed.stop());

  test('who has it sees the metrics', async () => {
    const { status, text } = await closed.as(metricsToken).rest.get('/metrics');
    expect(status).toBe(200);
    expect(text).toContain('process_cpu_seconds_total');
  });

  test.each<[string, () => Promise<string | null>]>([
    ['no token', async () => null],
    ['an access token', () => closed.caller()],
    ['a part of it', async () => metricsToken.slice(0, -1)],
    ['more than it', async () => `${metricsToken}x`],
  ])('to whoever has %s there is nothing', async (_what, token) => {
    const { status, body } = await closed.as(await token()).rest.get('/metrics');
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });

  test('it opens nothing else', async () => {
    expect((await closed.as(metricsToken).rest.get('/accounts/a/beneficiaries')).status).toBe(401);
  });
});

test('in production without METRICS_TOKEN there is nothing, for nobody', async () => {
  const production = await startTestGateway({ production: true });
  for (const token of [null, await production.caller()]) {
    const { status } = await production.as(token).rest.get('/metrics');
    // Nothing is served there, which is told to callers who are known; as of any other path.
    expect(status).toBe(token === null ? 401 : 404);
  }
  await production.stop();
});

test('operations of a manifest are counted by name, 200 of them at most, and never by a number', async () => {
  const letters = (n: number) => n.toString(26).replace(/./g, digit => String.fromCharCode(97 + parseInt(digit, 26)));
  const names = [...Array.from({ length: 220 }, (_, n) => `Q_${letters(n)}`), 'Of123456789'];
  const bodies = names.map(name => `query ${name} { accounts { totalCount } }`);
  const operations = bodies.map((body, n) => ({
    id: createHash('sha256').update(body).digest('hex'),
    body,
    name: names[n],
    type: 'query',
  }));
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-manifest-'));
  const file = join(folder, 'manifest.json');
  await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
  const named = await startTestGateway(graphqlSettings({ PERSISTED_OPERATIONS: file }));
  try {
    const { caller } = await named.given.account();
    for (const query of bodies) expect((await named.as(caller).graphql(query)).errors).toBeUndefined();
    const text = await metrics(named);
    const series = seriesOf(text, 'tillgate_request_duration_seconds_count').filter(name => name.includes('graphql'));
    expect(series.length).toBeGreaterThan(190);
    expect(series.length).toBeLessThanOrEqual(201);
    expect(text).toContain('operation="Q_a"');
    expect(text).not.toContain('123456789');
  } finally {
    await named.stop();
    await rm(folder, { recursive: true });
  }
});
