import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const START_MS = 10_000;
const run = promisify(execFile);

/** The PgBouncer of `PGBOUNCER`, or the one in `PATH`, and its version, such as `1.25.2`; null: there is none. */
export async function findPgBouncer(): Promise<{ readonly file: string; readonly version: string } | null> {
  const file = process.env['PGBOUNCER'] || 'pgbouncer';
  const told = await run(file, ['--version']).catch(() => null);
  const version = told && /PgBouncer (\d[\w.]*)/.exec(told.stdout)?.[1];
  return version ? { file, version } : null;
}

export interface PgBouncerOrder {
  readonly file: string;
  /** The server behind it, as a user who may use every database: `postgres://user[:password]@host:port/...`. */
  readonly serverUrl: string;
  /** How it logs in to the server; without it, as the user of `serverUrl`. */
  readonly user?: string;
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Sessions for each database. */
  readonly poolSize?: number;
  /** Null leaves the line out, for versions that do not know it; undefined is as in deploy/pgbouncer.ini. */
  readonly maxPreparedStatements?: number | null;
  /** Further lines of `[pgbouncer]`, such as `server_idle_timeout = 10`. */
  readonly lines?: readonly string[];
  /** Without it, a free one. */
  readonly port?: number;
}

export interface PgBouncer {
  readonly port: number;
  /** The address of a database through it. */
  url(database: string): string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again at the same port, after `kill`. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PgBouncer before a server; everybody may log in, as the user that it has there. */
export async function startPgBouncer(order: PgBouncerOrder): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-pgbouncer-'));
  const port = order.port ?? (await freePort());
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, await configuration(order, port));
  // It does not run as root.
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? await ownerOf('nobody') : null;
  if (owner) await Promise.all([folder, file].map(path => chown(path, owner.uid, owner.gid)));
  await chmod(folder, 0o755);
  const begin = async (): Promise<ChildProcess> => {
    const child = spawn(order.file, ['-q', file], { stdio: 'ignore', ...owner });
    child.on('error', () => undefined);
    await untilItListens(child, port);
    return child;
  };
  let child = await begin().catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    port,
    url: database => `postgres://${order.user ?? new URL(order.serverUrl).username}@127.0.0.1:${port}/${database}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    restart: async () => void (child = await begin()),
    stop: async () => {
      await kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** That of deploy/pgbouncer.ini, with what is different here. */
async function configuration(order: PgBouncerOrder, port: number): Promise<string> {
  const { serverUrl, user, mode, poolSize = 20, lines = [], maxPreparedStatements: prepared } = order;
  const server = new URL(serverUrl);
  const password = server.password ? ` password=${decodeURIComponent(server.password)}` : '';
  const at = `host=${server.hostname} port=${server.port || 5432}`;
  const changes: Record<string, string | null> = {
    tillgate: null,
    '*': `${at} user=${user ?? decodeURIComponent(server.username)}${password}`,
    listen_port: `${port}`,
    auth_type: 'any',
    auth_file: null,
    max_client_conn: '2000',
    pool_mode: mode,
    default_pool_size: `${poolSize}`,
    ...(prepared !== undefined && { max_prepared_statements: prepared === null ? null : `${prepared}` }),
    ...Object.fromEntries(lines.map(line => line.split(' = '))),
  };
  const recipe = await readFile(new URL('../../deploy/pgbouncer.ini', import.meta.url), 'utf8');
  const kept = recipe.split('\n').filter(line => !Object.hasOwn(changes, line.split(' = ')[0] ?? ''));
  const { '*': databases, ...others } = changes;
  const written = Object.entries(others).flatMap(([name, value]) => (value === null ? [] : [`${name} = ${value}`]));
  return [...kept, ...written, ''].join('\n').replace('[databases]', `[databases]\n* = ${databases}`);
}

async function ownerOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async flag => Number((await run('id', [flag, user])).stdout)));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilItListens(child: ChildProcess, port: number): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended (status ${child.exitCode}). Run it by hand.`);
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      sleep(500).then(() => false),
    ]);
    socket.destroy();
    if (open) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error('PgBouncer did not listen in time.');
}
