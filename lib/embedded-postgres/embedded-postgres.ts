import { mkdir, open, readFile, realpath } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { withLockFile } from './lock-file.js';
import { createClusterIfMissing, filesIn, readPassword, type PostgresFiles } from './postgres-cluster.js';
import { connect, findRunning, isLastClient, SUPERUSER, type Presence } from './postgres-presence.js';
import { PostgresPrograms } from './postgres-programs.js';

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
export async function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const files = filesIn(await realpath(dataDir));
  const presence = await withLockFile(files.lock, async () => {
    await createClusterIfMissing(files, options.parameters?.['fsync'] !== 'off');
    const password = await readPassword(files);
    return (await findRunning(files.cluster, password)) ?? (await startServer(files, password, options));
  });
  let stopped: Promise<void> | undefined;
  return {
    url: database =>
      `postgres://${SUPERUSER}:${presence.password}@127.0.0.1:${presence.port}/${encodeURIComponent(database)}?sslmode=disable`,
    stop: () => (stopped ??= withLockFile(files.lock, () => leave(files, presence))),
  };
}

async function startServer(
  files: PostgresFiles,
  password: string,
  { parameters }: EmbeddedPostgresOptions,
): Promise<Presence> {
  const programs = await PostgresPrograms.find(files.dataDir, files.cluster);
  await prepareLog(files.log);
  await programs.own(files.log);

  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      const options = serverOptions(port, parameters);
      await programs.run('pg_ctl', ['start', ...waiting(files), '-l', files.log, '-o', options]);
      return await connect(port, password);
    } catch (error) {
      // The pg_ctl of a process that was killed may have gone on and been faster than ours.
      const running = await findRunning(files.cluster, password);
      if (running) return running;
      const tail = await tailOf(files.log);
      // Another program may have taken the port between our look and the server's.
      if (attempt < START_ATTEMPTS && tail.includes('could not bind')) continue;
      throw new Error(
        `The embedded PostgreSQL did not start. ${(error as Error).message}\nThe end of ${files.log}:\n${tail}`,
        { cause: error },
      );
    }
  }
}

function waiting({ cluster }: PostgresFiles): readonly string[] {
  return ['-D', cluster, '-w', '-t', `${START_SECONDS}`];
}

function serverOptions(port: number, parameters: Readonly<Record<string, string>> = {}): string {
  const settings = Object.entries({ ...SETTINGS, ...parameters, port: `${port}` });
  for (const [name, value] of settings) {
    // pg_ctl hands the options to a shell.
    if (!/^[a-z_]+=[\w.]*$/.test(`${name}=${value}`)) {
      throw new Error(`The PostgreSQL setting ${name} can have letters, digits, points and underscores only.`);
    }
  }
  return settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
}

async function leave(files: PostgresFiles, presence: Presence): Promise<void> {
  // Our connection is gone if the server was stopped or has crashed; then another process may have started it again.
  const current = presence.isOpen() ? presence : await findRunning(files.cluster, presence.password);
  if (!current) return;
  const isLast = await isLastClient(current);
  await current.close();
  if (!isLast) return;
  const programs = await PostgresPrograms.find(files.dataDir, files.cluster);
  await programs.run('pg_ctl', ['stop', ...waiting(files), '-m', 'fast']);
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
