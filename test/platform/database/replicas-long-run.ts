import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installedPostgres, type PostgresServer } from '../../installed/postgres.js';
import type { GatewayInThisProcess } from '../../support/gateway-inside.js';
import type { GivenBeneficiary } from '../../support/given.js';
import { startReplicated } from '../../support/replicated.js';

/**
 * Clients write through one of two gateways and read at once through either, with the position that they were given,
 * while replicas pause, lag, are killed, stop answering and come back. Each read with a position must be exactly what
 * its client wrote last; each one without, what was written within the limit on lag; and none may fail.
 *
 *     npm run long -- replicas --reads 1000000 --state FILE
 *
 * With a state file the counts go on from where a run before was ended. PG_CONFIG or pg_config in PATH says which
 * PostgreSQL; without one it is the embedded one.
 */
const { values } = parseArgs({
  options: {
    reads: { type: 'string', default: '1000000' },
    clients: { type: 'string', default: '24' },
    state: { type: 'string' },
  },
});
const READS = Number(values.reads);
const READS_A_WRITE = 8;
const MAX_LAG_MS = 2000;
/** For what the run itself does not notice at once. */
const SLACK_MS = 1500;
const HEADER = 'tillgate-position';
const TOKEN_SECONDS = 86_400;
const TELL_EVERY_MS = 15_000;

interface Counts {
  ownReads: number;
  stale: number;
  failed: number;
  otherReads: number;
  tooOld: number;
  writes: number;
  kills: number;
  silences: number;
  pauses: number;
  delays: number;
}

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
const counts: Counts = await readCounts();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));

const programs = await installedPostgres();
if (!programs) {
  tell('PostgreSQL was not found: set PG_CONFIG, or install the optional packages (npm ci --include=optional).');
  process.exit(2);
}
tell(`PostgreSQL from ${programs}; ${counts.ownReads} of ${READS} own reads were done before`);
const servers = await startReplicated(2, programs);
const limits = { urls: servers.replicas.map(replica => replica.url('tillgate')), maxLagMs: MAX_LAG_MS, waitMs: 100 };
const gateways = [await servers.gateway({ replicas: limits }), await servers.gateway({ replicas: limits })];
const over = () => isStopped || counts.ownReads >= READS;
const shown = new Set<string>();

try {
  const many = Number(values.clients);
  const [writing] = gateways as [GatewayInThisProcess];
  const given: GivenBeneficiary[] = [];
  for (let one = 0; one < many; one += 1) given.push(await writing.given.beneficiary());
  const telling = setInterval(() => void told(), TELL_EVERY_MS);
  await Promise.all([disturb(), ...given.map(one => client(one))]);
  clearInterval(telling);
} finally {
  await told();
  for (const gateway of gateways) {
    const { text } = await gateway.http.send({ path: '/metrics' });
    for (const line of text.split('\n')) if (/^tillgate_(reads|replica)_/.test(line)) tell(line);
  }
  for (const gateway of gateways) await gateway.stop();
  await servers.stop();
}
process.exit(counts.stale + counts.failed + counts.tooOld > 0 ? 1 : 0);

async function client({ account, beneficiary, program }: GivenBeneficiary): Promise<void> {
  const caller = await (gateways[0] as GatewayInThisProcess).caller({ program, ttlSeconds: TOKEN_SECONDS });
  const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
  const any = () => (gateways[Math.floor(Math.random() * gateways.length)] as GatewayInThisProcess).as(caller);
  /** What was the value from when on. */
  const written: { readonly share: number; readonly atMs: number }[] = [];
  let last = '';
  let firstMs: number | null = null;
  const read = async (share: number, position: string | null): Promise<void> => {
    const askedMs = performance.now();
    const headers = position === null ? {} : { [HEADER]: position };
    const answer = await any()
      .rest.get<{ sharePercentage: number }>(path, headers)
      .catch((error: unknown) => ({
        status: 0,
        text: String(error),
        body: null,
        headers: {} as Record<string, string>,
      }));
    if (answer.status !== 200 || !answer.body) return fail(`GET ${answer.status} ${answer.text}`);
    const seen = answer.body.sharePercentage;
    if (position !== null) {
      counts.ownReads += 1;
      if (seen !== share) counts.stale += 1;
      return;
    }
    counts.otherReads += 1;
    // The value that was seen was still there within the limit.
    const index = written.findLastIndex(one => one.share === seen);
    const next = written[index + 1];
    if (index < 0 || (next && askedMs - next.atMs > MAX_LAG_MS + SLACK_MS)) counts.tooOld += 1;
  };
  for (let turn = 1; !over(); turn += 1) {
    const share = turn % 101;
    const answer = await any()
      .rest.patch(path, { sharePercentage: share })
      .catch((error: unknown) => ({ status: 0, text: String(error), headers: {} as Record<string, string> }));
    if (answer.status !== 200) {
      fail(`PATCH ${answer.status} ${answer.text}`);
      continue;
    }
    counts.writes += 1;
    written.push({ share, atMs: performance.now() });
    firstMs ??= performance.now();
    // Fewer than there are values, so that each is there once.
    if (written.length > 90) written.shift();
    const position = String(answer.headers[HEADER] ?? '');
    if (position <= last) fail('a later write has no later position');
    last = position;
    const own = Array.from({ length: READS_A_WRITE }, () => read(share, position));
    await Promise.all(own);
    // At first a read may still see what was there before this client wrote anything.
    if (turn % 4 === 0 && performance.now() - firstMs > MAX_LAG_MS + SLACK_MS) await read(share, null);
  }
}

/** Something happens to one of the replicas, again and again. */
async function disturb(): Promise<void> {
  for (let turn = 0; !over(); turn += 1) {
    const replica = servers.replicas[Math.floor(turn / 4) % servers.replicas.length] as PostgresServer;
    await rest(1500);
    if (turn % 4 === 0) {
      counts.pauses += 1;
      await replica.query('SELECT pg_wal_replay_pause()');
      await rest(500 + Math.random() * 3000);
      await replica.query('SELECT pg_wal_replay_resume()');
    } else if (turn % 4 === 1) {
      counts.delays += 1;
      await delay(replica, `${10 + Math.floor(Math.random() * 500)}ms`);
      await rest(3000);
      await delay(replica, '0');
    } else if (turn % 4 === 2) {
      counts.kills += 1;
      await replica.kill();
      await rest(1000);
      await replica.start();
    } else {
      counts.silences += 1;
      await replica.signalAll('SIGSTOP');
      await rest(2500);
      await replica.signalAll('SIGCONT');
    }
  }
}

async function delay(replica: PostgresServer, time: string): Promise<void> {
  await replica.query(`ALTER SYSTEM SET recovery_min_apply_delay = '${time}'`);
  await replica.query('SELECT pg_reload_conf()');
}

async function rest(ms: number): Promise<void> {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs && !isStopped;) await sleep(100);
}

function fail(what: string): void {
  counts.failed += 1;
  const line = what.slice(0, 300);
  if (shown.size < 20 && !shown.has(line)) tell(line);
  shown.add(line);
}

async function told(): Promise<void> {
  tell(JSON.stringify(counts));
  if (values.state) await writeFile(values.state, JSON.stringify(counts));
}

async function readCounts(): Promise<Counts> {
  const none = { ownReads: 0, stale: 0, failed: 0, otherReads: 0, tooOld: 0, writes: 0 };
  const fresh = { ...none, kills: 0, silences: 0, pauses: 0, delays: 0 };
  if (!values.state) return fresh;
  const text = await readFile(values.state, 'utf8').catch(() => null);
  return text === null ? fresh : { ...fresh, ...(JSON.parse(text) as Counts) };
}
