import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { tillgate, type CommandLine } from '../cli/command-line.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { testUnless, unlessInstalled } from '../support/unless.js';
import { until } from '../support/until.js';
import { Proxy, freePort, programOf, type ProxyName } from './proxy.js';
import { ProxyClient } from './through.js';

const NAMES: readonly ProxyName[] = ['nginx', 'haproxy'];
const CLIENTS = 6;
const MORE = 200;
/** Longer than both proxies need to see that a process is not ready. */
const GRACE_MS = 3000;
/** Longer than the `fail_timeout` of the page. */
const PROXY_FORGETS_MS = 3000;
const TEST_MS = 600_000;
/**
 * It takes a minute, and a busy machine makes it longer than the time-outs of the proxies: `npm run long -- restarts`
 * runs it.
 */
const UNLESS_ASKED =
  process.env['ROLLING_RESTARTS'] === 'true' ? null : 'it takes minutes, and `npm run long -- restarts` runs it';

let database: FreshDatabase;
let dataDir: string;
let onlooker: TestGateway;
beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'tillgate-rolling-'));
  onlooker = await startTestGateway({ databaseUrl: database.url, dataDir });
});
afterAll(async () => {
  await onlooker.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function serve(port: number): Promise<CommandLine> {
  const process = tillgate(['serve'], {
    PORT: String(port),
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: String(GRACE_MS),
    TRUSTED_PROXIES: '127.0.0.1',
    OVERLOAD_MAX_DELAY_MS: '60000',
  });
  toEnd.push(() => stopped(process));
  await process.printed(/^http\S+$/m);
  return process;
}

async function stopped({ child, ended }: CommandLine): Promise<number | null> {
  child.kill('SIGTERM');
  return (await ended).status;
}

/** Reads and writes over REST and GraphQL until it is told to stop. Keeps the statuses, each with how often it came. */
class Load {
  readonly statuses: Record<string, number> = {};
  private running = true;
  private readonly clients: Promise<void>[];

  constructor(port: number, accounts: readonly { account: string; beneficiary: string; caller: string }[]) {
    this.clients = accounts.map(async ({ account, beneficiary, caller }) => {
      const client = new ProxyClient(port, caller);
      const list = `/accounts/${account}/beneficiaries`;
      const query = 'query A($id: ID!) { account(accountId: $id) { accountId } }';
      for (let n = 0; this.running; n++) {
        const body = { sharePercentage: n % 100 };
        const write = { method: 'PATCH', path: `${list}/${beneficiary}`, body, headers: keyed(unique('key')) };
        for (const ask of [
          () => client.ask({ path: list }),
          // A proxy repeats no PATCH by itself: it cannot know of the key. Its client can, and sends it again.
          () => client.ask(write).then(answer => (answer.status === 503 ? client.ask(write) : answer)),
          () => client.graphql(query, { id: account }),
        ]) {
          const status = await ask().then(
            answer => String(answer.status),
            (error: Error) => error.message,
          );
          this.statuses[status] = (this.statuses[status] ?? 0) + 1;
        }
      }
      client.close();
    });
  }

  /** Resolves when some more were answered well, or one was not. */
  async more(): Promise<void> {
    const answered = () => this.statuses['200'] ?? 0;
    const before = answered();
    await until(() => answered() > before + MORE || Object.keys(this.statuses).some(status => status !== '200'));
  }

  async stop(): Promise<Record<string, number>> {
    this.running = false;
    await Promise.all(this.clients);
    return this.statuses;
  }
}

/** Whatever a test began ends with it, the last first. */
const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).toReversed()) await end();
}, TEST_MS);

for (const name of NAMES) {
  testUnless(UNLESS_ASKED ?? unlessInstalled(name, programOf(name)))(
    `behind ${name} two processes are restarted one after the other, and no read fails, nor a write that is sent again under its key`,
    async () => {
      const accounts = [];
      for (let n = 0; n < CLIENTS; n++) accounts.push(await onlooker.given.beneficiary());
      const ports = [await freePort(), await freePort()] as const;
      const processes = [await serve(ports[0]), await serve(ports[1])];
      const proxy = await Proxy.start(name, { upstreams: ports });
      toEnd.push(() => proxy.stop());
      const load = new Load(proxy.port, accounts);
      toEnd.push(() => load.stop());
      for (const [index, port] of ports.entries()) {
        await load.more();
        expect(await stopped(processes[index] as CommandLine)).toBe(0);
        await serve(port);
        // nginx does not ask a process again for so long after it was refused. Whoever stops the other one meanwhile
        // leaves it with none.
        await sleep(PROXY_FORGETS_MS);
      }
      await load.more();
      expect(Object.keys(await load.stop())).toEqual(['200']);
    },
    TEST_MS,
  );
}
