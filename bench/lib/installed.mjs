// Programs that this package does not bring: PostgreSQL with its replicas, and Citus, each found where it is installed.
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createDatabaseIfMissing, postmasterOf, withClient } from './product.mjs';
import { Failure, atEnd } from './run.mjs';

/** What a copy needs of its primary; and what Citus asks for, so that a plain server beside it writes the same log. */
const PLAIN = [`wal_level = 'logical'`, `wal_keep_size = '2GB'`];

/** The folder of PostgreSQL's programs and its version, from PG_CONFIG or the pg_config in PATH. null where there is none. */
export function installedPostgres() {
  const { stdout, status } = spawnSync(process.env.PG_CONFIG || 'pg_config', ['--bindir', '--version', '--pkglibdir'], {
    encoding: 'utf8',
  });
  if (status !== 0) return null;
  const [bin, version, libraries] = stdout.trim().split('\n');
  return existsSync(join(bin, 'initdb')) ? { bin, version, hasCitus: existsSync(join(libraries, 'citus.so')) } : null;
}

/**
 * Starts a server in `folder`, made on its first start with these lines of configuration, on a port that it keeps.
 * @returns {Promise<{port: number, pid: number, url: (database: string) => string}>}
 */
export async function startPostgres({ bin }, folder, configuration = PLAIN) {
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
    mkdirSync(folder, { mode: 0o700 });
    own(folder);
    asPostgres(join(bin, 'initdb'), [
      `--pgdata=${folder}`,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ]);
    await configure(folder, [
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = ''`,
      ...[`shared_buffers = '256MB'`, `max_wal_size = '4GB'`, 'max_connections = 300', 'jit = off'],
      ...configuration,
    ]);
  }
  return running(bin, folder);
}

/** A streaming copy of a server, made anew. */
export async function startReplica({ bin }, folder, primary) {
  stop(bin, folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  own(folder);
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
  asPostgres(join(bin, 'pg_basebackup'), [...from, '-D', folder, '-R', '-X', 'stream', '-c', 'fast']);
  await configure(folder, ['hot_standby_feedback = on']);
  return running(bin, folder);
}

/** What the last line of a setting says is in force, so a copy's own lines follow those of its primary. */
async function configure(folder, lines) {
  appendFileSync(join(folder, 'postgresql.conf'), `\n${[...lines, `port = ${await freePort()}`].join('\n')}\n`);
}

async function running(bin, folder) {
  if (asPostgres(join(bin, 'pg_ctl'), ['-D', folder, 'status'], true).status !== 0) {
    asPostgres(join(bin, 'pg_ctl'), ['-D', folder, '-l', join(folder, 'server.log'), '-w', 'start']);
  }
  atEnd(() => stop(bin, folder));
  const port = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[3]);
  return { port, pid: postmasterOf(folder), url: database => `postgres://postgres@127.0.0.1:${port}/${database}` };
}

function stop(bin, folder) {
  if (existsSync(join(folder, 'postmaster.pid'))) {
    asPostgres(join(bin, 'pg_ctl'), ['-D', folder, '-m', 'fast', '-w', 'stop'], true);
  }
}

/** A coordinator and so many workers. Without workers the coordinator has the shards. The first node is the coordinator. */
export async function startCitus(postgres, folder, workers, database) {
  const configuration = [
    `shared_preload_libraries = 'citus'`,
    ...PLAIN,
    ...['max_prepared_transactions = 600', 'citus.max_client_connections = -1'],
    `citus.node_conninfo = 'sslmode=disable'`,
  ];
  const nodes = [];
  for (let n = 0; n <= workers; n++) nodes.push(await startPostgres(postgres, join(folder, `node${n}`), configuration));
  for (const node of nodes) {
    await withClient(node.url('postgres'), db => createDatabaseIfMissing(db, database));
    await withClient(node.url(database), db => db.query('CREATE EXTENSION IF NOT EXISTS citus'));
  }
  const [coordinator, ...others] = nodes;
  await withClient(coordinator.url(database), async db => {
    await db.query(`SELECT citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port]);
    for (const { port } of others) await db.query(`SELECT citus_add_node('127.0.0.1', $1)`, [port]);
    const holds = [coordinator.port, workers === 0];
    await db.query(`SELECT citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', $2)`, holds);
  });
  return nodes;
}

function freePort() {
  return new Promise((found, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

/** These programs refuse to run as root, so they run as the user that PostgreSQL's packages make. */
function postgresUser() {
  if (process.getuid?.() !== 0) return {};
  const idOf = flag => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function own(folder) {
  const { uid, gid } = postgresUser();
  if (uid !== undefined) chownSync(folder, uid, gid);
}

function asPostgres(program, args, mayFail = false) {
  // pg_ctl's server would keep a pipe open, so its output goes nowhere; the server has a log of its own.
  const stdio = args.includes('start') ? 'ignore' : ['ignore', 'pipe', 'pipe'];
  const done = spawnSync(program, args, { encoding: 'utf8', stdio, cwd: '/', ...postgresUser() });
  if (done.status !== 0 && !mayFail) throw new Failure(`${program} failed:\n${done.stderr ?? ''}${done.error ?? ''}`);
  return done;
}
