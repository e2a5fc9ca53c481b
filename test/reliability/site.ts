import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bundledMain, tillgate, type CommandLine } from '../cli/command-line.js';
import { usualContract } from '../support/contracts.js';
import { HttpClient } from '../support/http.js';
import { CommitCutter } from '../support/commit-cutter.js';
import { poolModeOfRun, startPooler } from '../support/pooler.js';
import type { PgBouncer } from '../installed/pgbouncer.js';
import { startServer, type StormNode, type StormServer } from './server.js';
import { anyOf } from './any-of.js';
import { untilItWorks } from './until-it-works.js';

export type Kill = 'gateway' | 'worker' | 'pooler' | 'postmaster' | 'session' | 'node';

const DATABASE = 'tillgate';
const CUT_WITHIN_MS = 30_000;
const POLL_MS = 50;

/**
 * A PostgreSQL that keeps what it has committed, or a Citus cluster, and two gateways on it; in a run through a pooler,
 * PgBouncer between them. Any of them can be killed, and comes back at its port.
 */
export class Site {
  private constructor(
    private readonly folder: string,
    private readonly server: StormServer,
    private readonly pooling: { readonly pooler: PgBouncer; readonly relay: CommitCutter } | null,
    readonly cutter: CommitCutter,
    readonly gateways: readonly GatewayProcess[],
  ) {}

  /**
   * `settings` go before those that the gateways have usually. `workers`: how many processes the second gateway has.
   * `isCitus`: whether accounts are on the nodes of a cluster.
   */
  static async start(settings: Record<string, string> = {}, workers = 1, isCitus = false): Promise<Site> {
    // The name is one that the set-up of the tests clears away if this run is killed.
    const folder = await mkdtemp(join(tmpdir(), `tillgate-test-${process.pid}-faults-`));
    const server = await startServer(folder, DATABASE, isCitus);
    const port = () => Number(new URL(server.url(DATABASE)).port);
    const pooling = await startPooling(server, port);
    const cutter = await CommitCutter.start(pooling ? () => pooling.pooler.port : port);
    const throughCutter = new URL(pooling?.pooler.url(DATABASE) ?? server.url(DATABASE));
    throughCutter.port = `${cutter.port}`;
    const direct: Record<string, string> = pooling
      ? { DATABASE_DIRECT_URL: at(server.url(DATABASE), pooling.relay.port) }
      : {};
    // What the storm sends in a second is no client's doing.
    const env = {
      ...direct,
      DATABASE_URL: throughCutter.href,
      DATA_DIR: join(folder, 'gateway'),
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_SECOND: '1000000',
      OVERLOAD_MAX_DELAY_MS: '10000',
      ...settings,
    };
    return new Site(folder, server, pooling, cutter, [
      new GatewayProcess(env),
      new GatewayProcess({ ...env, WORKERS: String(workers) }),
    ]);
  }

  /** The database's own address, past the cutter. */
  get databaseUrl(): string {
    return this.server.url(DATABASE);
  }

  get dataDir(): string {
    return join(this.folder, 'gateway');
  }

  /** Ends a process without any warning, and brings it back. */
  async kill(kind: Kill): Promise<void> {
    if (kind === 'gateway') return this.anyGateway().restart();
    if (kind === 'worker') return this.killWorker();
    if (kind === 'session') return this.killSession();
    if (kind === 'pooler') return this.killPooler();
    if (kind === 'node') return anyOf<StormNode>(this.server.nodes).kill();
    await this.server.kill();
  }

  async pauseGateway(ms: number): Promise<void> {
    const gateway = this.anyGateway();
    gateway.signal('SIGSTOP');
    await sleep(ms);
    gateway.signal('SIGCONT');
  }

  /** Cuts one connection in the middle of its COMMIT. */
  async cutCommit(cut: 'before' | 'after'): Promise<void> {
    const cutter = anyOf([this.cutter, ...this.server.nodes.map(({ relay }) => relay)]);
    if (!(await cutter.cutNext(cut, CUT_WITHIN_MS))) throw new Error('There was no COMMIT to be cut.');
  }

  async stop(): Promise<void> {
    await Promise.all(this.gateways.map(gateway => gateway.kill()));
    await this.cutter.stop();
    await this.pooling?.pooler.stop();
    await this.pooling?.relay.stop();
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** One session that dies makes the server throw everybody out and recover. */
  private async killSession(): Promise<void> {
    const { rows } = await this.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'tillgate' ORDER BY state = 'idle', random() LIMIT 1`,
    );
    try {
      if (rows[0]) process.kill(rows[0].pid, 'SIGKILL');
    } catch (error) {
      // It ended by itself since it was looked for, which is a fault as well.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(POLL_MS);
    await untilItWorks(() => this.query('SELECT 1'));
  }

  private async killPooler(): Promise<void> {
    await this.pooling?.pooler.kill('SIGKILL');
    await this.pooling?.pooler.restart();
  }

  /** One of the processes behind the port of a gateway, which its primary replaces. */
  private async killWorker(): Promise<void> {
    const { rows } = await this.query<{ pid: number }>('SELECT pid FROM key_holder ORDER BY random()');
    const primaries = this.gateways.map(({ pid }) => pid);
    for (const { pid } of rows.filter(row => !primaries.includes(row.pid))) {
      try {
        process.kill(pid, 'SIGKILL');
        return;
      } catch (error) {
        // It has ended, and the list keeps it for a while.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }

  private query<Row extends pg.QueryResultRow>(text: string): Promise<pg.QueryResult<Row>> {
    return untilItWorks(async () => {
      const client = new pg.Client({ connectionString: this.databaseUrl, connectionTimeoutMillis: 5000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await client.query<Row>(text);
      } finally {
        await client.end().catch(() => undefined);
      }
    });
  }

  private anyGateway(): GatewayProcess {
    return anyOf(this.gateways);
  }
}

/** The pooler of a run through one. It stays at its port, and looks for the server where the server is now. */
async function startPooling(server: StormServer, port: () => number) {
  const mode = poolModeOfRun();
  if (mode === null) return null;
  const relay = await CommitCutter.start(port);
  const url = server.url('postgres');
  return { relay, pooler: await startPooler(url, mode, at(url, relay.port)) };
}

function at(url: string, port: number): string {
  return Object.assign(new URL(url), { port: `${port}` }).href;
}

/** A gateway in a process of its own, run from the sources or from what was built of them. */
export class GatewayProcess {
  /** The lines that the killed ones logged: errors only. */
  readonly log: string[] = [];
  private running: CommandLine | null = null;
  private address = '';
  private client: HttpClient | null = null;

  constructor(private readonly env: Record<string, string>) {
    process.once('exit', () => this.signal('SIGKILL'));
  }

  get http(): HttpClient {
    if (!this.client) throw new Error('The gateway has not been started.');
    return this.client;
  }

  async start(): Promise<void> {
    this.address = await untilItWorks(async () => {
      const { port } = new URL(this.address || 'http://127.0.0.1:0');
      const settings = { ...this.env, PORT: port || '0' };
      this.running = tillgate(['serve'], settings, undefined, [], bundledMain());
      return (await this.running.printed(/^http\S+\n/m)).match(/^http\S+/m)?.[0] as string;
    });
    this.client ??= new HttpClient(this.address, usualContract().check);
  }

  get pid(): number | undefined {
    return this.running?.child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.running?.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    const ended = await this.running?.ended;
    this.log.push(...(ended?.stdout ?? '').split('\n').filter(line => line.startsWith('{')));
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }
}
