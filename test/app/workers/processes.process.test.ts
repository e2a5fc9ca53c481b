import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess, tillgate } from '../../cli/command-line.js';
import { freePort } from '../../deploy/proxy.js';
import type { GivenAccount } from '../../support/given.js';
import { until } from '../../support/until.js';
import { valueOf } from '../../platform/metrics/reading.js';
import { Load } from './load.js';
import { Place, WorkerGateway } from './served.js';

const CLIENTS = 6;
const TEST_MS = 600_000;

let place: Place;
let accounts: GivenAccount[];
beforeAll(async () => {
  place = await Place.open();
  accounts = [];
  for (let n = 0; n < 2 * CLIENTS; n++) accounts.push(await place.onlooker.given.account());
});
afterAll(() => place.close());

/** Whatever a test began ends with it, the last first. */
const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).toReversed()) await end();
}, TEST_MS);

async function serve(changes?: Record<string, string>): Promise<WorkerGateway> {
  const served = await place.serve(changes);
  toEnd.push(() => served.stop());
  return served;
}

function load(served: WorkerGateway, of: readonly GivenAccount[]): Load {
  const loading = new Load(served, of);
  toEnd.push(() => loading.stop());
  return loading;
}

async function beneficiariesOf(account: string): Promise<number> {
  const { rows } = await place.onlooker.sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM beneficiary WHERE account_id = $1',
    [account],
  );
  return rows[0]?.count ?? 0;
}

test(
  'a process that is killed under load is replaced; its clients alone notice, and nothing is lost or done twice',
  async () => {
    const served = await serve();
    const before = await place.pids();
    expect(before).toHaveLength(2);
    const loading = load(served, accounts.slice(0, CLIENTS));
    await loading.more(40);
    process.kill(before[0] as number, 'SIGKILL');
    await until(async () => {
      const now = await place.pids();
      return now.length === 2 && now.includes(before[1] as number) && !now.includes(before[0] as number);
    });
    await loading.more(40);
    await loading.stop();

    // Every request that was at the dead process fails, and no other: each client has one at a time.
    const { '200': _read, '201': _written, ...failed } = loading.outcomes;
    expect(Object.keys(failed).filter(why => why !== 'ECONNRESET')).toEqual([]);
    expect(failed['ECONNRESET'] ?? 0).toBeLessThanOrEqual(CLIENTS);
    for (const [account, written] of loading.written) expect(await beneficiariesOf(account)).toBe(written);
    await until(async () => valueOf((await served.ask('/metrics')).text, 'tillgate_workers') === 2);
    expect(valueOf((await served.ask('/metrics')).text, 'tillgate_worker_deaths_total')).toBe(1);
  },
  TEST_MS,
);

test(
  'the gateway is ready once all processes serve, so that the end of any of them refuses no connection',
  async () => {
    const port = await freePort();
    const line = tillgate(['serve'], { ...place.settings, PORT: String(port), WORKERS: '3' });
    const served = new WorkerGateway(`http://127.0.0.1:${port}`, line, place);
    toEnd.push(() => served.stop());
    const statuses: number[] = [];
    await until(async () => {
      statuses.push(
        await served.ask('/readyz').then(
          ({ status }) => status,
          () => 0,
        ),
      );
      return statuses.at(-1) === 200;
    });
    expect(statuses.filter(status => ![0, 200, 503].includes(status))).toEqual([]);
    for (const pid of (await place.pids()).slice(0, 2)) process.kill(pid, 'SIGKILL');
    // A connection on its way to a process that is killed is lost with it.
    for (let time = 0; time < 20; time++) {
      const seen = await served.ask('/livez').then(
        ({ status }) => status,
        (error: NodeJS.ErrnoException) => error.code,
      );
      expect([200, 'ECONNRESET']).toContain(seen);
    }
  },
  TEST_MS,
);

test(
  'with a free port the address stays, also when a process is killed while the successor of the other one starts',
  async () => {
    const served = await serve();
    const [first, second] = await place.pids();
    process.kill(first as number, 'SIGKILL');
    // Its successor is forked by then, and does not listen yet.
    await sleep(150);
    process.kill(second as number, 'SIGKILL');
    await until(async () => {
      const status = await served.ask('/livez').then(
        answer => answer.status,
        () => null,
      );
      return status === 200;
    });
    await until(async () => (await place.pids()).length === 2);
    expect(await place.pids()).not.toContain(second);
  },
  TEST_MS,
);

test(
  'a request that is on its way to a process that dies fails, and does not wait forever',
  async () => {
    const served = await serve();
    const [stuck] = await place.pids();
    // It takes nothing any more, so the primary waits for it to take a connection.
    process.kill(stuck as number, 'SIGSTOP');
    const outcomes = [1, 2].map(() =>
      served.ask('/livez').then(
        ({ status }) => status,
        () => 'failed',
      ),
    );
    expect(await Promise.race(outcomes)).toBe(200);
    process.kill(stuck as number, 'SIGKILL');
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set([200, 'failed']));
  },
  TEST_MS,
);

describe('a gateway whose processes are replaced', () => {
  let served: WorkerGateway;
  beforeAll(async () => {
    served = await place.serve();
  }, TEST_MS);
  afterAll(() => served.stop());

  test(
    'shows the counts of all of them together by each, and keeps them when processes end',
    async () => {
      const series = 'tillgate_requests_total{api="rest",operation="GET /openapi.json",status="2xx"}';
      const count = async () => valueOf((await served.ask('/metrics')).text, series);
      await served.statuses(7, '/openapi.json');
      expect([await count(), await count()]).toEqual([7, 7]);
      const before = await place.pids();
      served.signal('SIGHUP');
      await served.replaced(before);
      await served.statuses(2, '/openapi.json');
      expect([await count(), await count()]).toEqual([9, 9]);
    },
    TEST_MS,
  );

  test(
    'at SIGHUP has others one after the other under load, without a failed request',
    async () => {
      const before = await place.pids();
      const loading = load(served, accounts.slice(CLIENTS));
      await loading.more(40);
      served.signal('SIGHUP');
      await served.replaced(before);
      await loading.more(40);
      await loading.stop();
      expect(Object.keys(loading.outcomes).toSorted()).toEqual(['200', '201']);
      for (const [account, written] of loading.written) expect(await beneficiariesOf(account)).toBe(written);
      const { status, stdout } = await served.stop();
      expect(status).toBe(0);
      // The address is told once, and nothing went wrong.
      expect(stdout).toBe(`${served.url}\n`);
    },
    TEST_MS,
  );
});

test(
  'when all processes are killed, others serve at the same port',
  async () => {
    const served = await serve();
    const before = await place.pids();
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await served.replaced(before);
    // While none listens, connections are refused.
    await until(async () => (await served.statuses(2, '/livez').catch(() => [])).join() === '200,200');
    expect(await served.statuses(2, '/livez')).toEqual([200, 200]);
  },
  TEST_MS,
);

test('a gateway whose processes cannot start ends with what the first one says, once', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  toEnd.push(async () => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const taken = await runProcess(['serve'], { ...place.settings, PORT: String(port) });
  expect(taken).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Another process listens on PORT (EADDRINUSE). Stop it, set another PORT, or set PORT=0 for a free one.\n',
  });
  const files = { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' };
  expect(await runProcess(['serve'], { ...place.settings, ...files })).toEqual({
    status: 2,
    stdout: '',
    stderr: 'The file in TLS_CERT cannot be read. Check the path and the permissions.\n',
  });
  const bad = await runProcess(['serve'], { ...place.settings, WORKERS: 'many' });
  expect([bad.status, bad.stdout, bad.stderr]).toEqual([2, '', expect.stringMatching(/^WORKERS must be auto or /)]);
});
