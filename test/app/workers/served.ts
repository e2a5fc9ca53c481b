import { mkdtemp, rm } from 'node:fs/promises';
import { request, type Agent, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { tillgate, type CommandLine, type CommandResult } from '../../cli/command-line.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import { freshDatabase } from '../../support/postgres.js';
import type { AnyBody } from '../../support/http.js';

const POLL_MS = 20;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: AnyBody;
}

export interface HttpRequest {
  readonly token?: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  /** Without one, each request comes over a connection of its own, and each process gets every second one. */
  readonly agent?: Agent;
}

/** A database, and a gateway of the tests on it that makes accounts and tokens. */
export class Place {
  private constructor(
    readonly onlooker: GatewayInThisProcess,
    readonly dataDir: string,
    private readonly databaseUrl: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(): Promise<Place> {
    const database = await freshDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-workers-'));
    const onlooker = await startGatewayInside({ databaseUrl: database.url, dataDir });
    return new Place(onlooker, dataDir, database.url, () => database.drop());
  }

  /** The settings of gateways here. */
  get settings(): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: this.dataDir,
      DEMO_DATA: 'false',
      CONSOLE: 'false',
      PORT: '0',
      WORKERS: '2',
      LOG_LEVEL: 'warn',
      WEBHOOKS: 'false',
      OVERLOAD_MAX_DELAY_MS: '60000',
    };
  }

  async serve(changes: Record<string, string> = {}, flags: readonly string[] = []): Promise<WorkerGateway> {
    const line = tillgate(['serve'], { ...this.settings, ...changes }, undefined, flags);
    const [url = ''] = /^http\S+$/m.exec(await line.printed(/^http\S+\n/m)) ?? [];
    return new WorkerGateway(url, line, this);
  }

  /** The processes that serve, but for that of the tests. */
  async pids(): Promise<number[]> {
    const { rows } = await this.onlooker.sql.query<{ pid: number }>('SELECT pid FROM key_holder WHERE pid <> $1', [
      process.pid,
    ]);
    return rows.map(({ pid }) => pid).filter(isAlive);
  }

  async close(): Promise<void> {
    await this.onlooker.stop();
    await this.drop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A gateway of several processes. */
export class WorkerGateway {
  constructor(
    readonly url: string,
    readonly line: CommandLine,
    private readonly place: Place,
  ) {}

  ask(path: string, { token, method = 'GET', body, headers = {}, agent }: HttpRequest = {}): Promise<HttpAnswer> {
    const sent = body && JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.url}${path}`, {
        method,
        agent: agent ?? false,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(sent !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(sent),
          }),
          ...headers,
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', incoming => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const isJson = /\bjson\b/.test(incoming.headers['content-type'] ?? '');
          const { statusCode: status = 0, headers: got } = incoming;
          resolve({ status, headers: got, text, body: isJson ? JSON.parse(text) : text });
        });
      });
      outgoing.end(sent);
    });
  }

  /** Repeats a request, each time over a connection of its own. Gives the statuses. */
  async statuses(times: number, path: string, asked?: HttpRequest): Promise<number[]> {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push((await this.ask(path, asked)).status);
    return statuses;
  }

  signal(signal: NodeJS.Signals): void {
    this.line.child.kill(signal);
  }

  /**
   * Resolves once two processes serve, none of which is among these: they start one after the other, so the test's own
   * time is the limit. Fails when the gateway ends.
   */
  async replaced(old: readonly number[]): Promise<number[]> {
    for (;;) {
      const pids = await this.place.pids();
      if (pids.length === 2 && !pids.some(pid => old.includes(pid))) return pids;
      const ended = await Promise.race([this.line.ended, sleep(POLL_MS)]);
      if (ended) throw new Error(`The gateway ended with ${ended.status}: ${ended.stderr}`);
    }
  }

  async stop(): Promise<CommandResult> {
    this.signal('SIGTERM');
    return this.line.ended;
  }
}
