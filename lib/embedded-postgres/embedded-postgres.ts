import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { withLockFile } from './lock-file.js';
import { connect, findRunning, isLastClient, type Presence, type Server } from './postgres-presence.js';
import { PostgresPrograms } from './postgres-programs.js';

/** A PostgreSQL server, shared by every process that was started on the same data folder. */
export interface EmbeddedPostgres {
  /** The address of one of its databases, with the password. */
  url(database: string): string;
  /** Leaves the server. The last process to leave stops it, whichever started it. Close your connections before. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The program that it belongs to: for messages, and in lower case the name of the superuser. It cannot change. */
  readonly program: string;
  /** Server settings besides the usual ones. They take effect if this call starts the server. */
  readonly parameters?: Readonly<Record<string, string>>;
}

const START_ATTEMPTS = 3;
const START_SECONDS = 60;
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

const UNFINISHED = 'postgres.unfinished-';

/** Everything that the embedded server has in the data folder. */
interface Place {
  readonly program: string;
  readonly dataDir: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly log: string;
}

/**
 * Starts the PostgreSQL in `dataDir`, or joins it if another process has started it. The server is no child process: it
 * outlives a process that is killed, and the next start joins it. Throws an error that says what to do if it cannot be
 * started.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  { program, parameters = {} }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  const lock = path.join(folder, 'postgres.lock');
  const place = {
    program,
    dataDir: folder,
    cluster: path.join(folder, 'postgres'),
    passwordFile: path.join(folder, 'postgres.password'),
    log: path.join(folder, 'postgres.log'),
  };
  const presence = await withLockFile(lock, async () => {
    await createClusterIfMissing(place, parameters['fsync'] !== 'off');
    const server = {
      cluster: place.cluster,
      superuser: superuserOf(place),
      password: await readPassword(place),
    };
    return (await findRunning(server)) ?? (await startServer(place, server, parameters));
  });
  const { server, port } = presence;
  let stopped: Promise<void> | undefined;
  return {
    url: database =>
      `postgres://${server.superuser}:${server.password}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`,
    stop: () => (stopped ??= withLockFile(lock, () => leave(place, presence))),
  };
}

/**
 * Makes the cluster aside and then renames it, so that a crash in the middle leaves no half cluster: the next start
 * makes it again. Without `sync` its files may not have reached the disk when this returns.
 */
async function createClusterIfMissing(place: Place, sync: boolean): Promise<void> {
  if (await exists(path.join(place.cluster, 'PG_VERSION'))) return;
  await rm(place.passwordFile, { force: true });
  const password = randomBytes(24).toString('base64url');
  await writeFile(place.passwordFile, password, { mode: 0o600 });

  const programs = await PostgresPrograms.find(place.dataDir, place.cluster, place.program);
  // A new name each time: the initdb of a process that was killed may still be writing into the folder before.
  const cluster = await mkdtemp(path.join(place.dataDir, UNFINISHED));
  const passwordForInitdb = `${cluster}.password`;
  await writeFile(passwordForInitdb, password, { mode: 0o600 });
  await programs.own(cluster, passwordForInitdb);
  await programs.run('initdb', [
    `--pgdata=${cluster}`,
    `--username=${superuserOf(place)}`,
    `--pwfile=${passwordForInitdb}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Texts are ordered by code point, and upper and lower case are Unicode's. Needs no locale of the operating system.
    '--locale=C.UTF-8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]);
  await rename(cluster, place.cluster);
  const leftOvers = (await readdir(place.dataDir)).filter(name => name.startsWith(UNFINISHED));
  // One that is still being written may not go away, and does no harm.
  await Promise.all(
    leftOvers.map(name => rm(path.join(place.dataDir, name), { recursive: true, force: true }).catch(() => undefined)),
  );
}

/** The superuser's password, which only the owner of the data folder can read. */
async function readPassword({ passwordFile, cluster }: Place): Promise<string> {
  return readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `${passwordFile} cannot be read, and it has the password of the database in ${cluster}. Restore the file, or delete both to start with an empty database.`,
      { cause },
    );
  });
}

async function startServer(
  place: Place,
  server: Server,
  parameters: Readonly<Record<string, string>>,
): Promise<Presence> {
  const programs = await PostgresPrograms.find(place.dataDir, place.cluster, place.program);
  await prepareLog(place.log);
  await programs.own(place.log);

  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      const options = serverOptions(port, parameters);
      await programs.run('pg_ctl', ['start', ...waiting(place), '-l', place.log, '-o', options]);
      return await connect(server, port);
    } catch (error) {
      // The pg_ctl of a process that was killed may have gone on and been faster than this one.
      const running = await findRunning(server);
      if (running) return running;
      const tail = await tailOf(place.log);
      // Another program may have taken the port before the server did.
      if (attempt < START_ATTEMPTS && tail.includes('could not bind')) continue;
      throw new Error(
        `The embedded PostgreSQL did not start. ${(error as Error).message}\nThe end of ${place.log}:\n${tail}`,
        { cause: error },
      );
    }
  }
}

function superuserOf({ program }: Place): string {
  return program.toLowerCase();
}

function waiting({ cluster }: Place): readonly string[] {
  return ['-D', cluster, '-w', '-t', `${START_SECONDS}`];
}

function serverOptions(port: number, parameters: Readonly<Record<string, string>>): string {
  const settings = Object.entries({ ...SETTINGS, ...parameters, port: `${port}` });
  for (const [name, value] of settings) {
    // pg_ctl hands the options to a shell.
    if (!/^[a-z_]+=[\w.]*$/.test(`${name}=${value}`)) {
      throw new Error(`The PostgreSQL setting ${name} can have letters, digits, points and underscores only.`);
    }
  }
  return settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
}

async function leave(place: Place, presence: Presence): Promise<void> {
  // The connection is gone if the server was stopped or has crashed; then another process may have started it again.
  const current = presence.isOpen() ? presence : await findRunning(presence.server);
  if (!current) return;
  const isLast = await isLastClient(current);
  await current.close();
  if (!isLast) return;
  const programs = await PostgresPrograms.find(place.dataDir, place.cluster, place.program);
  await programs.run('pg_ctl', ['stop', ...waiting(place), '-m', 'fast']);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** The server appends to its log and never deletes any of it. */
async function prepareLog(file: string): Promise<void> {
  const log = await open(file, 'a', 0o600);
  if ((await log.stat()).size > LOG_MAX_BYTES) await log.truncate();
  await log.close();
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
