import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PostgresServer } from '../../installed/postgres.js';
import type { GatewayInThisProcess } from '../../support/gateway-inside.js';
import type { GivenBeneficiary } from '../../support/given.js';
import { startReplicated, type ReplicatedServers } from '../../support/replicated.js';
import { until } from '../../support/until.js';
import { CHANGED, listen, socketClient, Stream, subscriptions } from '../graphql/subscriptions/listening.js';
import { valueOf } from '../metrics/reading.js';
import { Collector } from '../tracing/collector.js';

let servers: ReplicatedServers;
let gateway: GatewayInThisProcess;
let [first, second]: PostgresServer[] = [];

beforeAll(async () => {
  servers = await startReplicated(2);
  [first, second] = servers.replicas as [PostgresServer, PostgresServer];
  gateway = await servers.gateway({ corsOrigins: ['https://app.example'] });
});
afterAll(async () => {
  await gateway?.stop();
  await servers?.stop();
});

const HEADER = 'tillgate-position';

async function metric(series: string, of = gateway): Promise<number> {
  return valueOf((await of.http.send({ path: '/metrics' })).text, series);
}

async function replicaReads(): Promise<number> {
  const counts = servers.replicas.map(({ port }) => metric(`tillgate_reads_total{server="127.0.0.1:${port}"}`));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** Resolves when both replicas have all that was written so far, and the gateway knows it. */
async function caughtUp(): Promise<void> {
  const [end] = await servers.primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text lsn');
  for (const replica of servers.replicas) {
    await until(async () => {
      const [row] = await replica.query<{ has: boolean }>('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn has', [
        end?.lsn,
      ]);
      return row?.has === true;
    });
    await until(async () => (await metric(`tillgate_replica_usable{replica="127.0.0.1:${replica.port}"}`)) === 1);
    await until(async () => (await metric(`tillgate_replica_lag_seconds{replica="127.0.0.1:${replica.port}"}`)) === 0);
  }
}

/** The replicas, first the one that received most: the other cannot follow a primary that is behind it. */
async function byReceived(): Promise<[PostgresServer, PostgresServer]> {
  const [one, other] = [first as PostgresServer, second as PostgresServer];
  const [{ lsn } = { lsn: '' }] = await one.query<{ lsn: string }>('SELECT pg_last_wal_receive_lsn()::text lsn');
  const [row] = await other.query<{ more: boolean }>('SELECT pg_last_wal_receive_lsn() > $1::pg_lsn more', [lsn]);
  return row?.more ? [other, one] : [one, other];
}

const pathOf = ({ account, beneficiary }: GivenBeneficiary) => `/accounts/${account}/beneficiaries/${beneficiary}`;

async function writeShare(given: GivenBeneficiary, share: number, of = gateway): Promise<string> {
  const { status, headers, text } = await of.as(given.caller).rest.patch(pathOf(given), { sharePercentage: share });
  expect([status, text]).toEqual([200, expect.anything()]);
  return headers[HEADER] as string;
}

async function readShare(given: GivenBeneficiary, position: string | null, of = gateway): Promise<number> {
  const headers = position === null ? {} : { [HEADER]: position };
  const { status, body, text } = await of
    .as(given.caller)
    .rest.get<{ sharePercentage: number }>(pathOf(given), headers);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body.sharePercentage;
}

test('a client that sends its position reads what it wrote, and replicas answer', async () => {
  const given = await gateway.given.beneficiary();
  await caughtUp();
  const before = await replicaReads();
  for (let share = 1; share <= 100; share += 1) {
    expect(await readShare(given, await writeShare(given, share))).toBe(share);
  }
  expect(await replicaReads()).toBeGreaterThan(before);
});

test("replicas answer an operator's list, which has what its client wrote", async () => {
  const { program } = await gateway.given.account();
  const me = gateway.as(await gateway.caller({ program, scopes: 'operations' }));
  await caughtUp();
  const before = await replicaReads();
  const { headers, body } = await me.rest.post('/webhook-endpoints', { url: 'https://bank.example/hooks' });
  const list = '{ webhookEndpoints(first: 10) { totalCount nodes { endpointId } } }';
  const { data } = await me.graphql(list, {}, { headers: { [HEADER]: headers[HEADER] as string } });
  expect(data.webhookEndpoints).toEqual({ totalCount: 1, nodes: [{ endpointId: body.endpointId }] });
  expect(await replicaReads()).toBeGreaterThan(before);
});

test('what a replica answers is traced, with its address', async () => {
  const collector = await Collector.start();
  const traced = await servers.gateway({ tracing: { endpoint: collector.endpoint, resource: {}, ratio: 1 } });
  const ports = servers.replicas.map(({ port }) => port);
  try {
    const given = await traced.given.beneficiary();
    await caughtUp();
    await until(async () => {
      await readShare(given, null, traced).catch(() => undefined);
      const counts = ports.map(port => metric(`tillgate_reads_total{server="127.0.0.1:${port}"}`, traced));
      return (await Promise.all(counts)).every(count => count > 0);
    });
  } finally {
    await traced.stop();
    await collector.stop();
  }
  const asked = collector.spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  const servedBy = new Set(asked.map(({ attributes }) => Number(attributes['server.port'])));
  expect([...servedBy]).toEqual(expect.arrayContaining(ports));
});

test('while no replica replays, the primary answers for a position, and a read without one is as old as it may be', async () => {
  const given = await gateway.given.beneficiary({ sharePercentage: 1 });
  await caughtUp();
  for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_pause()');
  try {
    const position = await writeShare(given, 2);
    expect(await readShare(given, null)).toBe(1);
    expect(await readShare(given, position)).toBe(2);
    expect(await readShare(given, 'latest')).toBe(2);
    // The limit on lag: the primary again.
    await until(async () => (await readShare(given, null)) === 2);
  } finally {
    for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_resume()');
  }
  await caughtUp();
  const before = await replicaReads();
  expect(await readShare(given, null)).toBe(2);
  expect(await replicaReads()).toBeGreaterThan(before);
});

test('a replica that is behind is passed over for one that is not', async () => {
  const given = await gateway.given.beneficiary();
  await caughtUp();
  await first?.query('SELECT pg_wal_replay_pause()');
  try {
    const position = await writeShare(given, 77);
    const name = `tillgate_reads_total{server="127.0.0.1:${second?.port}"}`;
    const before = await metric(name);
    for (let times = 0; times < 10; times += 1) expect(await readShare(given, position)).toBe(77);
    expect(await metric(name)).toBeGreaterThan(before);
  } finally {
    await first?.query('SELECT pg_wal_replay_resume()');
  }
});

const SHARE =
  'query($a: ID!, $b: ID!) { account(accountId: $a) { beneficiary(beneficiaryId: $b) { sharePercentage } } }';
const DELETE =
  'mutation($a: ID!, $b: ID!) { deleteBeneficiary(input: { accountId: $a, beneficiaryId: $b }) { beneficiary { beneficiaryId } } }';

test('GraphQL tells the position in extensions and takes it there, compiled or not', async () => {
  const given = await gateway.given.beneficiary();
  const variables = { a: given.account, b: given.beneficiary };
  const ask = async (query: string, extensions?: object) => {
    const body = { query, variables, extensions };
    const headers = { 'content-type': 'application/json' };
    const answer = await gateway.as(given.caller).raw({ method: 'POST', path: '/graphql', headers, body });
    return answer.body;
  };
  await caughtUp();
  for (let times = 0; times < 5; times += 1) await ask(SHARE);
  await gateway.compiled();
  for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_pause()');
  try {
    const deleted = await ask(DELETE);
    const { position } = deleted.extensions;
    expect(position).toMatch(/^[0-9a-f]{24}\./);
    expect((await ask(SHARE)).data.account.beneficiary).not.toBeNull();
    const seen = await ask(SHARE, { position });
    expect(seen.data.account.beneficiary).toBeNull();
    // Later positions are greater.
    expect(seen.extensions.position >= position).toBe(true);
  } finally {
    for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_resume()');
  }
});

test('what a mutation shows is read from the primary', async () => {
  const given = await gateway.given.account();
  await caughtUp();
  for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_pause()');
  try {
    const { data, errors } = await gateway
      .as(given.caller)
      .graphql(
        `mutation($a: ID!) { closeAccount(input: { accountId: $a, reason: "asked for" }) { account { accountId status beneficiaries { totalCount } } } }`,
        { a: given.account },
      );
    expect(errors).toBeUndefined();
    expect(data.closeAccount.account.status).toBe('CLOSED');
  } finally {
    for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_resume()');
  }
});

test.each([
  ['no position', 'xyz'],
  ['a changed one', 'forged'],
  ['too many', Array.from({ length: 17 }, () => 'latest').join(',')],
])('%s is refused alike over REST and GraphQL', async (_what, sent) => {
  const given = await gateway.given.beneficiary();
  const good = await writeShare(given, 3);
  const position = sent === 'forged' ? `f${good.slice(1)}` : sent;
  const rest = await gateway.as(given.caller).rest.get(pathOf(given), { [HEADER]: position });
  expect([rest.status, rest.body.code]).toEqual([400, 'malformed_request']);
  expect(rest.text).not.toContain(position);
  const { status, errors } = await gateway
    .as(given.caller)
    .graphql(SHARE, { a: given.account, b: given.beneficiary }, { headers: { [HEADER]: position } });
  expect([status, errors?.[0]?.extensions['code']]).toEqual([400, 'MALFORMED_REQUEST']);
});

test('several positions are taken together, and one of another key ring is answered by the primary', async () => {
  const given = await gateway.given.beneficiary();
  const positions = [await writeShare(given, 8), await writeShare(given, 9)];
  expect(await readShare(given, [...positions].reverse().join(', '))).toBe(9);
  const [place = '', system = '', signature = ''] = (positions[0] as string).split('.');
  const label = Buffer.from('\x04gone', 'latin1');
  const mac = Buffer.from(signature, 'base64url').subarray(-32);
  const retired = `${place}.${system}.${Buffer.concat([label, mac]).toString('base64url')}`;
  const reason = 'tillgate_replica_fallbacks_total{reason="unknown_position"}';
  const before = await metric(reason);
  expect(await readShare(given, retired)).toBe(9);
  expect(await metric(reason)).toBe(before + 1);
});

test('who hears of an event has its position, over REST and in a query', async () => {
  const given = await gateway.given.beneficiary();
  await caughtUp();
  for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_pause()');
  try {
    await writeShare(given, 41);
    await gateway.feedReady();
    const events = await gateway.as(given.caller).rest.get('/events?limit=100');
    expect(events.body.events).not.toHaveLength(0);
    expect(await readShare(given, events.headers[HEADER] as string)).toBe(41);
  } finally {
    for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_resume()');
  }
});

test('what a subscription sends has the position of its event, over HTTP and a WebSocket', async () => {
  const given = await gateway.given.beneficiary();
  await caughtUp();
  const order = { query: CHANGED, variables: { account: given.account } };
  const stream = await Stream.open(gateway, given.caller, order);
  const client = socketClient(gateway, given.caller);
  const socket = listen(client, order);
  await subscriptions(gateway, 2);
  for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_pause()');
  try {
    await writeShare(given, 63);
    for (const { results } of [stream, socket]) {
      await until(() => results.length > 0);
      expect(await readShare(given, results[0].extensions.position)).toBe(63);
    }
  } finally {
    for (const replica of servers.replicas) await replica.query('SELECT pg_wal_replay_resume()');
    stream.close();
    await client.dispose();
  }
});

test('a read that a replica answers asks nothing of the primary', async () => {
  const given = await gateway.given.beneficiary();
  await caughtUp();
  const { pool } = gateway.gateway.container.database;
  let asked = 0;
  const count = () => void (asked += 1);
  pool.on('acquire', count);
  const page = `query($a: ID!) { account(accountId: $a) { availableBalance beneficiaries(first: 10) { totalCount nodes { name { last } } }
    transactions(first: 10) { totalCount nodes { amount } } } }`;
  const startedMs = performance.now();
  for (let times = 0; times < 100; times += 1) {
    const { errors } = await gateway.as(given.caller).graphql(page, { a: given.account });
    expect(errors).toBeUndefined();
    const { status } = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/beneficiaries`);
    expect(status).toBe(200);
  }
  pool.off('acquire', count);
  // Only the look at how far the primary is, once a second, and what else a gateway does by itself.
  expect(asked).toBeLessThan(10 + (3 * (performance.now() - startedMs)) / 1000);
});

test('a page of another origin may read and send positions', async () => {
  const origin = 'https://app.example';
  const preflight = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': HEADER };
  const asked = await gateway.http.send({ method: 'OPTIONS', path: '/graphql', headers: preflight });
  expect(asked.headers['access-control-allow-headers']?.toLowerCase()).toContain(HEADER);
  const answer = await gateway.http.send({ path: '/livez', headers: { origin } });
  expect(answer.headers['access-control-expose-headers']?.toLowerCase()).toContain(HEADER);
});

test('replicas that are killed, or stop answering, fail no request, and answer again later', async () => {
  const many = await Promise.all(Array.from({ length: 8 }, () => gateway.given.beneficiary()));
  await caughtUp();
  let isOver = false;
  let requests = 0;
  const clients = many.map(async given => {
    for (let turn = 0; !isOver; turn += 1) {
      const share = turn % 100;
      const position = await writeShare(given, share);
      for (let reads = 0; reads < 3; reads += 1) expect(await readShare(given, position)).toBe(share);
      await readShare(given, null);
      requests += 5;
    }
  });
  const disturb = async () => {
    await first?.kill();
    await until(() => requests > 400);
    await first?.start();
    await second?.signalAll('SIGSTOP');
    const from = requests;
    await until(() => requests > from + 400);
    await second?.signalAll('SIGCONT');
  };
  await disturb().finally(() => (isOver = true));
  await Promise.all(clients);
  await caughtUp();
});

test('a replica of another cluster is refused at the start, one that is down or no replica is not asked', async () => {
  const foreign = await servers.foreign();
  const refused = servers.gateway({}, { primary: servers.primary, replicas: [first as PostgresServer, foreign] });
  await expect(refused).rejects.toThrow(/^DATABASE_REPLICA_URLS: address 2 is a replica of another cluster/);
  await foreign.stop('immediate');
  const started = await servers.gateway({}, { primary: servers.primary, replicas: [foreign] });
  try {
    expect(started.log.join('')).toContain(`The replica 127.0.0.1:${foreign.port} cannot be reached`);
    const given = await started.given.beneficiary();
    expect(await readShare(given, await writeShare(given, 12, started), started)).toBe(12);
  } finally {
    await started.stop();
  }
});

test('after a failover positions of before neither fail nor wait, and what follows is not stale', async () => {
  const given = await gateway.given.beneficiary();
  const before = await writeShare(given, 50);
  await caughtUp();
  await servers.primary.stop('immediate');
  const [promoted, follower] = await byReceived();
  await promoted.promote();
  const slot = `replica_${follower.port}`;
  await promoted.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
  await follower.follow(promoted);
  await follower.reload();
  const moved = await servers.gateway({}, { primary: promoted, replicas: [follower] });
  try {
    expect(await readShare(given, null, moved)).toBe(50);
    const after = await writeShare(given, 51, moved);
    expect(after > before).toBe(true);
    for (let share = 0; share < 50; share += 1) {
      const position = await writeShare(given, share, moved);
      expect(await readShare(given, position, moved)).toBe(share);
    }
    expect(await readShare(given, before, moved)).toBe(49);
    await until(async () => {
      await readShare(given, null, moved);
      return (await metric(`tillgate_reads_total{server="127.0.0.1:${follower.port}"}`, moved)) > 0;
    });
  } finally {
    await moved.stop();
  }
});
