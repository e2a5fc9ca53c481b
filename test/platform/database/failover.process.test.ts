import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isConnectionLost } from '../../../lib/pg-wire/pg-errors.js';
import { openDatabase } from '../../../src/platform/database/orm.js';
import { runProcess } from '../../cli/command-line.js';
import type { PostgresServer } from '../../installed/postgres.js';
import { CommitCutter } from '../../support/commit-cutter.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';
import { startReplicated, type ReplicatedServers } from '../../support/replicated.js';
import { until } from '../../support/until.js';
import { entry, posting } from '../../transaction/support/ledger.js';
import { restCode } from '../../support/answers.js';

const DATABASE = 'tillgate';
const WRITERS = 8;
const PROMOTED_AFTER_MS = 3000;
const UNAVAILABLE = [503, 'unavailable', expect.stringMatching(/^\d+$/)];

let servers: ReplicatedServers;
let standby: PostgresServer;
/** Leads to the primary until it is moved, as an address that a cluster manager moves. */
let address: CommitCutter;
let leadsTo: PostgresServer;
let moved: TestGateway;
let throughHosts: TestGateway;

beforeAll(async () => {
  servers = await startReplicated(1);
  standby = servers.replicas[0] as PostgresServer;
  leadsTo = servers.primary;
  address = await CommitCutter.start(() => leadsTo.port);
  const url = servers.primary.url(DATABASE);
  moved = await startTestGateway({ databaseUrl: url }, () =>
    url.replace(`:${servers.primary.port}`, `:${address.port}`),
  );
  // The standby first, which has to be passed over.
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${servers.primary.port}`;
  throughHosts = await startTestGateway(
    { databaseUrl: url },
    () => `${severalHosts(url, hosts)}?target_session_attrs=read-write`,
  );
  await servers.primary.configure(["synchronous_standby_names = '*'"]);
  await servers.primary.reload();
});
afterAll(async () => {
  await throughHosts?.stop();
  await moved?.stop();
  await address?.stop();
  await servers?.stop();
});

const severalHosts = (url: string, hosts: string): string => url.replace(/@[^/]+/, `@${hosts}`);

async function answerTo(gateway: TestGateway, path: string, caller: string | null, body?: object) {
  const {
    status,
    headers,
    body: answer,
  } = body ? await gateway.as(caller).rest.post(path, body) : await gateway.as(caller).rest.get(path);
  return [status, answer.code, headers['retry-after']];
}

test('nothing starts on a standby, and a sentence says why', async () => {
  for (const command of ['serve', 'migrate']) {
    expect(await runProcess([command], { DATABASE_URL: standby.url(DATABASE), PORT: '0' })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The PostgreSQL server in DATABASE_URL takes no writes: it is a standby, .*\.\n$/),
    });
  }
});

test('a server that takes no writes is a database that is busy, and the gateway is not ready', async () => {
  const { account, caller } = await moved.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  await servers.primary.query(`ALTER DATABASE ${DATABASE} SET default_transaction_read_only = on`);
  await servers.primary.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}' AND application_name = 'tillgate'`,
  );
  await until(async () => (await answerTo(moved, path, caller, leastBeneficiary()))[0] === 503);
  expect(await answerTo(moved, path, caller, leastBeneficiary())).toEqual(UNAVAILABLE);
  expect(await answerTo(moved, '/readyz', null)).toEqual(UNAVAILABLE);
  await until(async () => (await moved.as(caller).rest.get(path)).status === 200);
  await servers.primary.query(`ALTER DATABASE ${DATABASE} RESET default_transaction_read_only`);
  await until(async () => (await answerTo(moved, path, caller, leastBeneficiary()))[0] === 201);
  await until(async () => (await answerTo(moved, '/readyz', null))[0] === 200);
});

test('a connection that is lost while the server is asked whether it takes writes fails its request alone', async () => {
  const cutting = createServer(client => {
    const server = connect(servers.primary.port, '127.0.0.1', () => server.pipe(client));
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('data', bytes => {
      if (bytes.includes('pg_is_in_recovery')) client.destroy();
      else server.write(bytes);
    });
    client.on('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(cutting, 'listening');
  const { port } = cutting.address() as AddressInfo;
  const url = servers.primary.url(DATABASE).replace(`:${servers.primary.port}`, `:${port}`);
  const database = await openDatabase({ url, poolSize: 1, entities: [], applicationName: 'test' });
  const error = await database.query({ name: 'one', text: 'select 1' }).catch((reason: unknown) => reason);
  expect(isConnectionLost(error)).toBe(true);
  await database.close();
  await new Promise(resolve => cutting.close(resolve));
});

test('writers lose nothing when the primary is killed and the standby is promoted, and go on without a restart', async () => {
  const accounts = await Promise.all(Array.from({ length: WRITERS }, () => throughHosts.given.account()));
  const acknowledged: { transactionId: string; atMs: number }[] = [];
  const codes = new Set<unknown>();
  let isEnding = false;
  const writing = accounts.map(async where => {
    while (!isEnding) {
      const transaction = entry();
      const headers = keyed(unique('key'));
      await until(async () => {
        const { data, errors } = await posting(throughHosts, where, [transaction], headers);
        if (errors) codes.add(restCode(errors[0]?.extensions?.code));
        else if (data) acknowledged.push({ ...transaction, atMs: performance.now() });
        return !errors;
      });
    }
  });
  await until(() => acknowledged.length > 50);

  const { account, caller } = await moved.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  leadsTo = standby;
  await servers.primary.kill();
  await until(async () => (await answerTo(moved, '/readyz', null))[0] === 503);
  // The address leads to a standby, on which nothing may be written and which may lack what was acknowledged.
  expect(await answerTo(moved, path, caller, leastBeneficiary())).toEqual(UNAVAILABLE);
  expect(await answerTo(moved, path, caller)).toEqual(UNAVAILABLE);
  await sleep(PROMOTED_AFTER_MS);
  await standby.promote();
  const promotedMs = performance.now();
  const later = () => acknowledged.filter(({ atMs }) => atMs > promotedMs);
  await until(() => later().length > 50);
  isEnding = true;
  await Promise.all(writing);
  const seconds = (((later()[0]?.atMs ?? 0) - promotedMs) / 1000).toFixed(2);
  process.stdout.write(`${acknowledged.length} writes, the first ${seconds} s after the promotion\n`);

  const rows = await standby.query<{ id: string }>('SELECT transaction_id AS id FROM transaction', [], DATABASE);
  const written = rows.map(({ id }) => id);
  expect(new Set(written).size).toBe(written.length);
  expect(acknowledged.filter(({ transactionId }) => !written.includes(transactionId))).toEqual([]);
  expect(written.length).toBe(acknowledged.length);
  expect([...codes].filter(code => code !== 'unavailable' && code !== 'idempotency_in_progress')).toEqual([]);
  for (const gateway of [moved, throughHosts]) {
    await until(async () => (await answerTo(gateway, '/readyz', null))[0] === 200);
  }
  expect((await answerTo(moved, path, caller, leastBeneficiary()))[0]).toBe(201);
});
