import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { withLockFile } from './lock-file.js';
import { PostgresPrograms } from './postgres-programs.js';
import { connect, findRunning, isLastClient, SUPERUSER, type Presence } from './postgres-presence.js';

/** A PostgreSQL server of our own, shared by every process that was started on the same data folder. */
export interface EmbeddedPostgres {
  /** The address of one of its databases, with the password. */
  url(database: string): string;
  /** Leaves the server. The last one to leave stops it, whoever started it. Close every connection of yours before. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Server settings besides the usual ones, for example `{ fsync: 'off' }` for tests. They take effect if this call starts the server. */
  readonly parameters?: Readonly<Record<string, string>>;
}

const START_ATTEMPTS = 3;
const START_SECONDS = 60;
const UNFINISHED = 'postgres.unfinished-';
const LOG_MAX_BYTES = 10 * 1024 * 1024;
const LOG_TAIL_LINES = 20;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket's path may have about 100 characters, and a data folder's path may be longer.
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // A failed statement and its detail hold values, and no log may hold personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Starts the PostgreSQL in `dataDir`, or joins it if another process has started it. The server is no child of ours: it
 * outlives a killed gateway, and the next start joins it. Throws an error that says what to do if it cannot be started.
 */
export async function startEmbeddedPostgres(dataDir: string, options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const files = filesIn(await realpath(dataDir));
  const presence = await withLockFile(files.lock, async () => {
    if (!(await exists(path.join(files.cluster, 'PG_VERSION')))) await createCluster(files, options);
    const password = await readPassword(files);
    return (await findRunning(files.cluster, password)) ?? (await startServer(files, password, options));
  });
  let stopped: Promise<void> | undefined;
  return {
    url: database => `postgres://${SUPERUSER}:${presence.password}@127.0.0.1:${presence.port}/${encodeURIComponent(database)}?sslmode=disable`,
    stop: () => (stopped ??= withLockFile(files.lock, () => leave(files, presence))),
  };
}

interface Files {
  readonly dataDir: string;
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  readonly lock: string;
}

function filesIn(dataDir: string): Files {
  const file = (name: string) => path.join(dataDir, name);
  return {
    dataDir,
    cluster: file('postgres'),
    password: file('postgres.password'),
    log: file('postgres.log'),
    lock: file('postgres.lock'),
  };
}

/** Made aside and then renamed, so that a crash in the middle leaves no half cluster: the next start makes it again. */
async function createCluster(files: Files, { parameters }: EmbeddedPostgresOptions): Promise<void> {
  await rm(files.password, { force: true });
  const password = randomBytes(24).toString('base64url');
  await writeFile(files.password, password, { mode: 0o600 });

  const programs = await PostgresPrograms.find(files.dataDir, files.cluster);
  // A new name each time: the initdb of a process that was killed may still be writing into the folder before.
  const unfinished = await mkdtemp(path.join(files.dataDir, UNFINISHED));
  const cluster = path.join(unfinished, 'cluster');
  const passwordForInitdb = path.join(unfinished, 'password');
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  await writeFile(passwordForInitdb, password, { mode: 0o600 });
  await giveTo(programs, unfinished, cluster, passwordForInitdb);
  await programs.run('initdb', [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordForInitdb}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(parameters?.['fsync'] === 'off' ? ['--no-sync'] : []),
  ]);
  await rename(cluster, files.cluster);
  const leftOvers = (await readdir(files.dataDir)).filter(name => name.startsWith(UNFINISHED));
  // One that is still being written may not go away, and does no harm.
  await Promise.all(leftOvers.map(name => rm(path.join(files.dataDir, name), { recursive: true, force: true }).catch(() => undefined)));
}

async function startServer(files: Files, password: string, { parameters }: EmbeddedPostgresOptions): Promise<Presence> {
  const programs = await PostgresPrograms.find(files.dataDir, files.cluster);
  const log = await open(files.log, 'a', 0o600);
  if ((await log.stat()).size > LOG_MAX_BYTES) await log.truncate();
  await log.close();
  await giveTo(programs, files.log);

  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      await programs.run('pg_ctl', ['start', '-D', files.cluster, '-l', files.log, '-w', '-t', `${START_SECONDS}`, '-o', serverOptions(port, parameters)]);
      return await connect(port, password);
    } catch (error) {
      // The pg_ctl of a process that was killed may have gone on and been faster than ours.
      const running = await findRunning(files.cluster, password);
      if (running) return running;
      const log = await tailOf(files.log);
      // Another program may have taken the port between our look and the server's.
      if (attempt < START_ATTEMPTS && log.includes('could not bind')) continue;
      throw new Error(`The embedded PostgreSQL did not start. ${(error as Error).message}\nThe end of ${files.log}:\n${log}`, { cause: error });
    }
  }
}

function serverOptions(port: number, parameters: Readonly<Record<string, string>> = {}): string {
  const settings = Object.entries({ ...SETTINGS, ...parameters, port: `${port}` });
  for (const [name, value] of settings) {
    // pg_ctl hands the options to a shell.
    if (!/^[a-z_]+=[\w.]*$/.test(`${name}=${value}`)) throw new Error(`The PostgreSQL setting ${name} can have letters, digits, points and underscores only.`);
  }
  return settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
}

async function leave(files: Files, presence: Presence): Promise<void> {
  // Our connection is gone if the server was stopped or has crashed; then another process may have started it again.
  const current = presence.isOpen() ? presence : await findRunning(files.cluster, presence.password);
  if (!current) return;
  const last = await isLastClient(current).finally(() => current.close());
  if (!last) return;
  const programs = await PostgresPrograms.find(files.dataDir, files.cluster);
  await programs.run('pg_ctl', ['stop', '-D', files.cluster, '-m', 'fast', '-w', '-t', `${START_SECONDS}`]);
}

async function readPassword(files: Files): Promise<string> {
  return readFile(files.password, 'utf8').catch(cause => {
    throw new Error(`${files.password} cannot be read, and without it nobody can enter the database in ${files.cluster}. Bring the file back, or delete both to start afresh.`, { cause });
  });
}

async function giveTo({ owner }: PostgresPrograms, ...paths: readonly string[]): Promise<void> {
  if (owner) await Promise.all(paths.map(each => chown(each, owner.uid, owner.gid)));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

async function tailOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
