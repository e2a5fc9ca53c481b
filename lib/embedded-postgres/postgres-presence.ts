import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { isAlive } from './lock-file.js';
import { isConnectionLost } from '../pg-wire/pg-errors.js';

const execute = promisify(execFile);

const CONNECT_MS = 5000;
const READY_MS = 60_000;
const POLL_MS = 20;
/** The time in which connections of this process that were closed a moment ago disappear from the server's list. */
const LEAVING_MS = 1000;

/** The driver has these, its types do not. */
type Client = pg.Client & { ref(): void; unref(): void };

/** The cluster of a server, and the credentials of its superuser. */
export interface Server {
  readonly cluster: string;
  readonly superuser: string;
  readonly password: string;
}

/**
 * One idle connection that each process keeps while it uses the embedded server. It is how the processes see each
 * other: a process that leaves and finds no other presence is the last one.
 */
export interface Presence {
  readonly client: Client;
  readonly server: Server;
  readonly port: number;
  isOpen(): boolean;
  close(): Promise<void>;
}

export async function connect(server: Server, port: number): Promise<Presence> {
  const { superuser, password } = server;
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    ssl: false,
    application_name: applicationName(server),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    keepAlive: true,
  }) as Client;
  let open = true;
  client.on('error', () => (open = false));
  client.on('end', () => (open = false));
  await client.connect();
  // It alone is no reason for a process to stay alive.
  client.unref();
  return {
    client,
    server,
    port,
    isOpen: () => open,
    close: () => {
      client.ref();
      return client.end();
    },
  };
}

/** Joins the server that runs on this cluster, waiting for one that is starting or stopping. Null if none runs. */
export async function findRunning(expected: Server): Promise<Presence | null> {
  const { cluster } = expected;
  const giveUpAt = Date.now() + READY_MS;
  for (;;) {
    const running = await readPidFile(cluster);
    if (!running) return null;
    if (running.ready) {
      try {
        return await connect(expected, running.port);
      } catch (error) {
        if (!isConnectionLost(error)) {
          throw new Error(
            `The PostgreSQL on ${cluster} refused the connection: ${(error as Error).message}. Check that the file postgres.password beside it is the original one.`,
            { cause: error },
          );
        }
      }
    }
    if (Date.now() > giveUpAt) {
      throw new Error(
        `The PostgreSQL on ${cluster} (process ${running.pid}) runs, but has not answered for ${READY_MS / 1000} seconds. Read the file postgres.log beside it.`,
      );
    }
    await sleep(POLL_MS);
  }
}

/** The process of the server that runs on this cluster; null if none runs. */
export async function pidOfServer(cluster: string): Promise<number | null> {
  return (await readPidFile(cluster))?.pid ?? null;
}

/** True if no other process is connected. A presence decides at once; ordinary connections get a moment to end. */
export async function isLastClient({ client, server }: Presence): Promise<boolean> {
  client.ref();
  const giveUpAt = Date.now() + LEAVING_MS;
  for (;;) {
    const { rows } = await client.query<[boolean | null]>({
      text: `select bool_or(application_name = $1) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      values: [applicationName(server)],
      rowMode: 'array',
    });
    const presences = rows[0]?.[0] ?? null;
    if (presences === null) return true;
    if (presences || Date.now() > giveUpAt) return false;
    await sleep(POLL_MS);
  }
}

function applicationName({ superuser }: Server): string {
  return `${superuser}-presence`;
}

interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Reads postmaster.pid, which a kill -9 or a reboot leaves behind: it counts only if its process is the server. */
async function readPidFile(cluster: string): Promise<PidFile | null> {
  const file = path.join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const lines = text.split('\n').map(line => line.trim());
  const pid = Number(lines[0]);
  if (isAlive(pid) && (await isServerOf(cluster, pid))) {
    return { pid, port: Number(lines[3]), ready: lines[7] === 'ready' };
  }
  // PostgreSQL itself would take any living process with that number for a server and refuse to start.
  await rm(file, { force: true });
  return null;
}

async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  const command = await commandOf(pid);
  // A process that cannot be seen is taken for the server: a server whose pid file is deleted shuts itself down.
  if (command === '') return true;
  return process.platform === 'win32' ? command.includes('postgres') : `${command} `.includes(` -D ${cluster} `);
}

/** The command line of a process (on Windows its program only), or '' if it cannot be seen. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
  }
  const output =
    process.platform === 'win32'
      ? execute('tasklist', ['/NH', '/FO', 'CSV', '/FI', `PID eq ${pid}`], { timeout: CONNECT_MS, windowsHide: true })
      : execute('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { timeout: CONNECT_MS });
  const { stdout } = await output.catch(() => ({ stdout: '' }));
  return stdout.trim();
}
