import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createDatabaseIfMissing } from '../../../src/platform/database/open-configured.js';
import { startEmbeddedPostgres } from '../embedded-postgres.js';
import { isAlive } from '../lock-file.js';
import { until } from '../../../test/support/until.js';

const PROCESS = fileURLToPath(new URL('./embedded-process.mjs', import.meta.url));
const PROGRAM = { program: 'Sample' };
const FSYNC_OFF = { ...PROGRAM, parameters: { fsync: 'off' } };

const folders: string[] = [];
const children: ChildProcess[] = [];

let made: string;

beforeAll(async () => {
  made = await mkdtemp(path.join(tmpdir(), `tillgate-test-${process.pid}-made-`));
  await (await startEmbeddedPostgres(made, FSYNC_OFF)).stop();
});
afterAll(() => rm(made, { recursive: true, force: true }));

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child);
  for (const folder of folders.splice(0)) {
    const pid = await serverPid(folder);
    if (pid && isAlive(pid)) await (await startEmbeddedPostgres(folder, PROGRAM)).stop();
    await rm(folder, { recursive: true, force: true });
  }
});

describe('the embedded PostgreSQL', () => {
  test('starts in an empty folder, keeps its password to itself and answers on the loopback address only', async () => {
    const folder = path.join(await emptyFolder(), 'made', 'by the start');
    const server = await startEmbeddedPostgres(folder, FSYNC_OFF);
    folders.push(folder);

    const [row] = await rows(
      server.url('postgres'),
      `select current_setting('server_version_num')::int / 10000, current_setting('listen_addresses'), current_setting('unix_socket_directories'), current_setting('timezone'),
              current_setting('server_encoding'), (select datcollate from pg_database where datname = 'postgres'), (select count(*)::int from pg_hba_file_rules where auth_method <> 'scram-sha-256')`,
    );
    expect(row).toEqual([18, '127.0.0.1', '', 'UTC', 'UTF8', 'C.UTF-8', 0]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, 'postgres.password'))).mode & 0o777).toBe(0o600);
    const url = new URL(server.url('postgres'));
    url.password = 'wrong';
    await expect(rows(url.href, 'select 1')).rejects.toThrow('password authentication failed');
    await server.stop();
  });

  test('keeps what was written through a stop and a start', async () => {
    const folder = await newFolder();
    const first = await startEmbeddedPostgres(folder, FSYNC_OFF);
    await createDatabaseIfMissing(first.url('postgres'), 'sample');
    await rows(first.url('sample'), 'create table kept as select 42 as answer');
    await first.stop();
    expect(await isRunning(folder)).toBe(false);

    const second = await startEmbeddedPostgres(folder, FSYNC_OFF);
    expect(await rows(second.url('sample'), 'select answer from kept')).toEqual([[42]]);
    await second.stop();
  });

  test('is joined by a second process and stopped by whoever leaves last, the starter first', async () => {
    const folder = await newFolder();
    const first = await startProcess(folder);
    const second = await startProcess(folder);
    expect(second.url).toBe(first.url);

    await first.stop();
    expect(await rows(second.url, 'select 1')).toEqual([[1]]);
    await second.stop();
    expect(await isRunning(folder)).toBe(false);
  });

  test('is joined by a second process and stopped by whoever leaves last, the starter last', async () => {
    const folder = await newFolder();
    const first = await startProcess(folder);
    const second = await startProcess(folder);

    await second.stop();
    expect(await rows(first.url, 'select 1')).toEqual([[1]]);
    await first.stop();
    expect(await isRunning(folder)).toBe(false);
  });

  test('is one server when many processes start, and later stop, at the same moment', async () => {
    const folder = await emptyFolder();
    const processes = await Promise.all(Array.from({ length: 5 }, () => startProcess(folder)));
    expect(new Set(processes.map(({ url }) => url)).size).toBe(1);
    await Promise.all(processes.map(each => each.stop()));
    expect(await isRunning(folder)).toBe(false);
  });

  test('is one server when one process starts it twice', async () => {
    const folder = await emptyFolder();
    const [first, second] = await Promise.all([
      startEmbeddedPostgres(folder, FSYNC_OFF),
      startEmbeddedPostgres(folder, FSYNC_OFF),
    ]);
    expect(first.url('postgres')).toBe(second.url('postgres'));
    await first.stop();
    await first.stop();
    expect(await isRunning(folder)).toBe(true);
    await second.stop();
    expect(await isRunning(folder)).toBe(false);
  });

  test('goes on while somebody else, for example psql, is connected', async () => {
    const folder = await newFolder();
    const server = await startEmbeddedPostgres(folder, FSYNC_OFF);
    const psql = new pg.Client({ connectionString: server.url('postgres') });
    await psql.connect();
    await server.stop();
    expect((await psql.query('select 1')).rowCount).toBe(1);
    await psql.end();
  });

  test('survives a process that is killed, and the next start joins it', async () => {
    const folder = await newFolder();
    const killed = await startProcess(folder);
    await kill(killed.child);
    expect(await rows(killed.url, 'select 1')).toEqual([[1]]);

    const next = await startEmbeddedPostgres(folder, FSYNC_OFF);
    expect(next.url('postgres')).toBe(killed.url);
    await next.stop();
    expect(await isRunning(folder)).toBe(false);
  });

  test.each([
    ['no process has any more', async () => (await exited()).pid],
    ['an unrelated program of the same user has by now', async () => idle().pid],
    ['we have ourselves by now', async () => process.pid],
  ])('starts after a crash of the machine, when postmaster.pid names a number that %s', async (_who, pidOf) => {
    const folder = await newFolder();
    const before = await startEmbeddedPostgres(folder, FSYNC_OFF);
    const file = path.join(folder, 'postgres', 'postmaster.pid');
    const content = await readFile(file, 'utf8');
    const pid = (await serverPid(folder)) as number;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    await writeFile(file, content.replace(/^\d+/, `${await pidOf()}`));

    const after = await startEmbeddedPostgres(folder, FSYNC_OFF);
    expect(await rows(after.url('postgres'), 'select 1')).toEqual([[1]]);
    await before.stop();
    expect(await isRunning(folder)).toBe(true);
    await after.stop();
    expect(await isRunning(folder)).toBe(false);
  });

  test('starts although a process died in the middle of making the cluster', async () => {
    const folder = await emptyFolder();
    await mkdir(path.join(folder, 'postgres.unfinished-abc', 'base'), { recursive: true });
    await writeFile(path.join(folder, 'postgres.unfinished-abc', 'PG_VERSION'), '18\n');
    await writeFile(path.join(folder, 'postgres.unfinished-abc.password'), 'of an earlier attempt');
    await writeFile(path.join(folder, 'postgres.password'), 'of an earlier attempt');
    await writeFile(path.join(folder, 'postgres.lock'), `${(await exited()).pid}\n`);

    const server = await startEmbeddedPostgres(folder, FSYNC_OFF);
    expect(await rows(server.url('postgres'), 'select 1')).toEqual([[1]]);
    expect((await readdir(folder)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
    await server.stop();
  });

  test('starts although a process was killed at any moment of its first start', async () => {
    const folder = await emptyFolder();
    for (const delayMs of [50, 150, 250, 350, 450, 550]) {
      const child = fork(PROCESS, [folder], { stdio: 'ignore' });
      children.push(child);
      await sleep(delayMs);
      await kill(child);
    }
    const server = await startEmbeddedPostgres(folder, FSYNC_OFF);
    expect(await rows(server.url('postgres'), 'select 1')).toEqual([[1]]);
    await server.stop();
  });

  test('says what the server said when it does not start', async () => {
    const folder = await newFolder();
    await expect(startEmbeddedPostgres(folder, { ...PROGRAM, parameters: { no_such_setting: '1' } })).rejects.toThrow(
      /did not start[^]*unrecognized configuration parameter "no_such_setting"/,
    );
    await expect(
      startEmbeddedPostgres(folder, { ...PROGRAM, parameters: { log_directory: 'a; rm -rf b' } }),
    ).rejects.toThrow('letters, digits');
    await expect(access(path.join(folder, 'postgres.lock'))).rejects.toThrow('ENOENT');
  });

  test('says what to do when the password is lost', async () => {
    const folder = await newFolder();
    const server = await startEmbeddedPostgres(folder, FSYNC_OFF);
    const password = await readFile(path.join(folder, 'postgres.password'), 'utf8');
    await rm(path.join(folder, 'postgres.password'));
    await expect(startEmbeddedPostgres(folder, PROGRAM)).rejects.toThrow('Restore the file');
    await writeFile(path.join(folder, 'postgres.password'), 'another one');
    await expect(startEmbeddedPostgres(folder, PROGRAM)).rejects.toThrow('refused the connection');
    await writeFile(path.join(folder, 'postgres.password'), password);
    await server.stop();
    expect(await isRunning(folder)).toBe(false);
  });

  test('a database can be created by several at the same time', async () => {
    const folder = await newFolder();
    const server = await startEmbeddedPostgres(folder, FSYNC_OFF);
    const url = server.url('postgres');
    await Promise.all(Array.from({ length: 8 }, () => createDatabaseIfMissing(url, 'Odd "name"')));
    expect(await rows(server.url('Odd "name"'), 'select current_database()')).toEqual([['Odd "name"']]);
    await server.stop();
  });
});

/**
 * A folder with a cluster that was stopped. It is a copy, as making a cluster takes most of the time that a first start
 * takes.
 */
async function newFolder(): Promise<string> {
  const folder = await emptyFolder();
  // The server has another owner where the tests run as root.
  await once(spawn('cp', ['-a', `${made}/.`, folder]), 'close');
  return folder;
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `tillgate-test-${process.pid}- embedded `));
  folders.push(folder);
  return folder;
}

async function startProcess(folder: string): Promise<{ url: string; child: ChildProcess; stop(): Promise<void> }> {
  const child = fork(PROCESS, [folder], { stdio: 'inherit' });
  children.push(child);
  const [message] = (await once(child, 'message')) as [{ url?: string; error?: string }];
  if (!message.url) throw new Error(message.error);
  return {
    url: message.url,
    child,
    stop: async () => {
      child.send('stop');
      const [code] = (await once(child, 'exit')) as [number | null];
      expect(code).toBe(0);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function idle(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  children.push(child);
  return child;
}

async function exited(): Promise<ChildProcess> {
  const child = spawn('true');
  await once(child, 'exit');
  return child;
}

async function serverPid(folder: string): Promise<number | null> {
  const text = await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null);
  return text === null ? null : Number.parseInt(text, 10);
}

async function isRunning(folder: string): Promise<boolean> {
  return (await serverPid(folder)) !== null;
}

async function rows(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}
