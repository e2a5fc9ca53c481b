import 'reflect-metadata';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { openContainer } from '../../../src/app/container.js';
import { readConfig } from '../../../src/app/config.js';
import { addTestWriters } from '../../../test/support/test-writers.js';
import { createDatabaseIfMissing } from '../../../src/platform/database/open-configured.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { Caller } from '../../../src/shared/caller.js';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    'per-second': { type: 'string', default: '50' },
    endpoints: { type: 'string', default: '20' },
    accounts: { type: 'string', default: '200' },
    kills: { type: 'string', default: '50' },
    gateways: { type: 'string', default: '2' },
  },
});
const [EVENTS, PER_SECOND, ENDPOINTS] = [Number(values.events), Number(values['per-second']), Number(values.endpoints)];
const [ACCOUNTS, KILLS, GATEWAYS] = [Number(values.accounts), Number(values.kills), Number(values.gateways)];

const PROGRAM = 'long-run';
const BATCH_MS = 50;
const TELL_EVERY_MS = 10_000;
/** How long the rest may take once everything is committed and every endpoint answers. */
const REST_MS = 600_000;
/** Long enough a list that no delivery fails for good. */
const RETRY_SECONDS = [0.1, 0.5, ...Array.from({ length: 60 }, () => 1)];
const FAILS = 0.3;

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2));

type Kind = 'healthy' | 'fails' | 'hangs';

/** When each event was committed, by its number less the first one's. */
const committedMs = new Map<number, number>();
const accountOf = new Map<number, number>();
let isOver = false;

/** Counts what comes to one endpoint. */
class Ear {
  readonly seen = new Map<number, number>();
  readonly lastOf = new Map<number, number>();
  readonly lateMs: number[] = [];
  requests = 0;
  outOfOrder = 0;
  private readonly server: http.Server;

  constructor(readonly kind: Kind) {
    this.server = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => this.hear(String(request.headers['webhook-id']), response));
    });
    this.server.keepAliveTimeout = 30_000;
  }

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  private hear(id: string, response: ServerResponse): void {
    this.requests += 1;
    if (this.kind === 'hangs' && !isOver) return;
    if (this.kind === 'fails' && Math.random() < FAILS) return void response.writeHead(500).end('no');
    response.writeHead(204).end();
    const event = Number(id.replace('evt_', ''));
    const count = (this.seen.get(event) ?? 0) + 1;
    this.seen.set(event, count);
    if (count > 1) return;
    const nowMs = Date.now();
    const account = accountOf.get(event);
    if (account === undefined) {
      // It came before the commit was known here.
      setTimeout(() => this.place(event, nowMs), BATCH_MS * 4);
    } else {
      this.place(event, nowMs);
    }
  }

  private place(event: number, nowMs: number): void {
    const account = accountOf.get(event);
    if (account === undefined) return;
    if (event < (this.lastOf.get(account) ?? 0)) this.outOfOrder += 1;
    this.lastOf.set(account, Math.max(event, this.lastOf.get(account) ?? 0));
    this.lateMs.push(Math.max(0, nowMs - (committedMs.get(event) ?? nowMs)));
  }
}

class GatewayProcess {
  private child: ChildProcess | null = null;

  constructor(private readonly env: Record<string, string>) {
    process.once('exit', () => this.child?.kill('SIGKILL'));
  }

  async start(): Promise<void> {
    const file = fileURLToPath(new URL('gateway-process.ts', import.meta.url));
    const sources = fileURLToPath(new URL('../../../test/cli/sources.mjs', import.meta.url));
    const child = spawn(process.execPath, ['--import', sources, file, ...RETRY_SECONDS.map(String)], {
      env: { ...process.env, ...this.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (part: Buffer) => {
        if (text === '' || !/^http/m.test(text)) text += part.toString();
        const errors = part
          .toString()
          .split('\n')
          .filter(line => /"level":"(error|fatal)"/.test(line));
        errors.forEach(line => tell(line.slice(0, 400)));
        if (/^http\S+\n/m.test(text)) resolve();
      });
      child.once('exit', () => reject(new Error(`a gateway ended: ${text.slice(0, 2000)}`)));
    });
  }

  get processorMs(): ReturnType<typeof processorMsOf> {
    return processorMsOf(this.child?.pid ?? 0);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (!child) return;
    const gone = new Promise(resolve => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

const folder = await mkdtemp(join(tmpdir(), `tillgate-test-${process.pid}-webhooks-`));
const server = await startEmbeddedPostgres(folder, { program: 'Tillgate' });
await createDatabaseIfMissing(server.url('postgres'), 'tillgate');
const env = {
  DATABASE_URL: server.url('tillgate'),
  DATA_DIR: join(folder, 'gateway'),
  LOG_LEVEL: 'warn',
  PORT: '0',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
const kinds = Array.from({ length: ENDPOINTS }, (_, n): Kind => (n % 10 < 7 ? 'healthy' : n % 2 ? 'fails' : 'hangs'));
const ears = kinds.map(kind => new Ear(kind));

const container = await openContainer(readConfig(env), createLogger({ level: 'silent' }));
await addTestWriters(container.database.pool);
const scopes = new Set(['operations'] as const);
const operator = { program: PROGRAM, clientId: 'long-run', subject: 'long-run', customerId: null, scopes };
for (const ear of ears) {
  const url = await ear.listen();
  await container.webhooks.create(new Caller(operator, 'long-run'), { url, types: ['card.frozen'] });
}
await container.close();
const gateways = Array.from({ length: GATEWAYS }, () => new GatewayProcess(env));
for (const gateway of gateways) await gateway.start();
const sql = new pg.Pool({ connectionString: server.url('tillgate'), max: 4 });
tell(`${EVENTS} events, ${PER_SECOND} a second, to ${ENDPOINTS} endpoints, ${KILLS} kills`);

const telling = setInterval(() => tell(progress()), TELL_EVERY_MS);
const startedMs = Date.now();
let kills = 0;
const killing = (async () => {
  const everyMs = (EVENTS / PER_SECOND / (KILLS + 1)) * 1000;
  while (kills < KILLS && !isOver) {
    await sleep(everyMs);
    const gateway = gateways[kills % gateways.length] as GatewayProcess;
    await gateway.kill();
    kills += 1;
    await gateway.start();
  }
})();
const order: number[] = [];
while (order.length < EVENTS) {
  const due = Math.min(EVENTS, Math.ceil(((Date.now() - startedMs) / 1000) * PER_SECOND)) - order.length;
  if (due > 0) await commit(due);
  await sleep(BATCH_MS);
}
const committedSeconds = (Date.now() - startedMs) / 1000;
await killing;
isOver = true;
tell(`all committed in ${committedSeconds.toFixed(0)} s; the rest follows`);
const giveUpAt = Date.now() + REST_MS;
while (ears.some(({ seen }) => seen.size < EVENTS) && Date.now() < giveUpAt) await sleep(200);
// What is sent twice comes late.
await sleep(1000);
clearInterval(telling);
tell(progress());

const healthy = ears.filter(({ kind }) => kind === 'healthy');
const late = healthy.flatMap(({ lateMs }) => lateMs).sort((a, b) => a - b);
const part = (fraction: number) => late[Math.min(late.length - 1, Math.floor(late.length * fraction))];
const sum = (of: (ear: Ear) => number) => ears.reduce((total, ear) => total + of(ear), 0);
const { rows: sizes } = await sql.query(
  `SELECT pg_size_pretty(pg_total_relation_size('webhook_delivery')) AS deliveries, pg_size_pretty(pg_total_relation_size('webhook_attempt')) AS attempts,
     (SELECT count(*)::int FROM webhook_delivery) AS rows, (SELECT count(*)::int FROM webhook_delivery WHERE state <> 'DELIVERED') AS undelivered`,
);
const figures = {
  events: EVENTS,
  endpoints: ENDPOINTS,
  kills,
  seconds: Math.round((Date.now() - startedMs) / 1e3),
  lost: sum(({ seen }) => order.filter(event => !seen.has(event)).length),
  doubled: sum(({ seen }) => [...seen.values()].reduce((total, count) => total + count - 1, 0)),
  outOfOrder: sum(({ outOfOrder }) => outOfOrder),
  p50: part(0.5),
  p95: part(0.95),
  p99: part(0.99),
  most: late.at(-1),
  requests: sum(({ requests }) => requests),
  gatewaysMs: gateways.map(({ processorMs }) => processorMs),
  stored: sizes[0] as unknown,
};
tell(JSON.stringify(figures));
await Promise.all(gateways.map(gateway => gateway.kill('SIGTERM')));
await sql.end();
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(figures.lost > 0 || figures.outOfOrder > 0 ? 1 : 0);

/**
 * How long a process ran, and how long it waited for a processor, on Linux in milliseconds: where it waited for long,
 * the delays are those of the machine.
 */
function processorMsOf(pid: number): { readonly ran: number; readonly waited: number } {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran: Math.round(ran / 1e6), waited: Math.round(waited / 1e6) };
}

async function commit(count: number): Promise<void> {
  const accounts = Array.from({ length: count }, () => Math.floor(Math.random() * ACCOUNTS));
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
     SELECT $1, 'test', 'test', 'test', 'card.freeze', 'acc-' || account, 'card/card-1', '{"last4": "4242"}'
     FROM unnest($2::int[]) WITH ORDINALITY k(account, n) ORDER BY n RETURNING id::text`,
    [PROGRAM, accounts],
  );
  const nowMs = Date.now();
  for (const [index, { id }] of rows.entries()) {
    committedMs.set(Number(id), nowMs);
    accountOf.set(Number(id), accounts[index] as number);
    order.push(Number(id));
  }
}

function progress(): string {
  const count = (kind: Kind) =>
    ears
      .filter(ear => ear.kind === kind)
      .map(({ seen }) => seen.size)
      .join(' ');
  const recent = ears.filter(({ kind }) => kind === 'healthy').flatMap(({ lateMs }) => lateMs.slice(-500));
  recent.sort((a, b) => a - b);
  const p95 = recent[Math.floor(recent.length * 0.95)];
  return `${order.length} committed, ${kills} kills, healthy ${count('healthy')}, fails ${count('fails')}, hangs ${count('hangs')}, recent p95 ${p95} ms`;
}
