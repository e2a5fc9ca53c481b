// Servers of an installed PostgreSQL that are kept from run to run, as the tests start them; and clusters of Citus.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCitus } from '../../test/installed/citus.ts';
import { PostgresServer } from '../../test/installed/postgres.ts';
import { postmasterOf, withClient } from './product.mjs';
import { atEnd } from './run.mjs';

/** What is measured writes to the disk. A plain server beside Citus writes the same log. */
const USUAL = [
  'fsync = on',
  `shared_buffers = '256MB'`,
  `max_wal_size = '4GB'`,
  'max_connections = 300',
  'jit = off',
  `wal_level = 'logical'`,
];

/** The major version, such as `15`. */
export function majorOf(programs) {
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  return /\d+/.exec(stdout)[0];
}

/**
 * Starts the server in `folder`, made on its first start, on a port that it keeps. @returns {Promise<PostgresServer>}
 */
export async function startPostgres(programs, folder, configuration = []) {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  let server;
  if (existsSync(join(folder, 'PG_VERSION'))) {
    const ports = [...readFileSync(join(folder, 'postgresql.conf'), 'utf8').matchAll(/^port = (\d+)/gm)];
    server = PostgresServer.at(programs, folder, Number(ports.at(-1)[1]));
    if (!isRunning(folder)) await server.start();
    // The copies of a run before are made anew, and nobody needs the log that is kept for them.
    await server.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active');
  } else {
    server = await PostgresServer.create(programs, folder, await freePort(), [...USUAL, ...configuration]);
  }
  atEnd(() => server.stop());
  return server;
}

/** A streaming copy of a server, made anew. @param {PostgresServer} primary */
export async function startReplica(primary, folder) {
  await endRun(folder);
  rmSync(folder, { recursive: true, force: true });
  const copy = await primary.replica(folder, await freePort());
  atEnd(() => copy.stop());
  return copy;
}

/** A cluster of Citus with a database, made on its first start. The first of its nodes is the coordinator. */
export async function openCitus(programs, folder, workers, database) {
  for (let n = 0; n <= workers; n++) await endRun(join(folder, `node${n}`));
  const cluster = await startCitus(programs, {
    folder,
    workers,
    durable: true,
    firstPort: await firstPortOf(folder, workers),
    parameters: {
      shared_buffers: '256MB',
      max_wal_size: '4GB',
    },
  });
  atEnd(() => Promise.all(cluster.nodes.map(node => node.stop('fast'))));
  const exists = await withClient(cluster.url('postgres'), db =>
    db.query('SELECT FROM pg_database WHERE datname = $1', [database]),
  );
  if (exists.rowCount === 0) await cluster.create(database);
  return cluster.nodes.map((node, n) => ({ ...node, folder: join(folder, `node${n}`) }));
}

/** The nodes know each other by their ports, so a cluster keeps those that it was made with. */
async function firstPortOf(folder, workers) {
  const file = join(folder, 'first-port');
  if (existsSync(file)) return Number(readFileSync(file, 'utf8'));
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (;;) {
    const first = await freePort();
    const others = Array.from({ length: workers }, (_, n) => freePort(first + 1 + n).catch(() => 0));
    if ((await Promise.all(others)).includes(0)) continue;
    writeFileSync(file, `${first}\n`);
    return first;
  }
}

/** Stops a server that a run which was killed has left. */
async function endRun(folder) {
  if (!isRunning(folder)) return;
  process.kill(postmasterOf(folder), 'SIGINT');
  while (isRunning(folder)) await sleep(100);
}

function isRunning(folder) {
  if (!existsSync(join(folder, 'postmaster.pid'))) return false;
  try {
    return process.kill(postmasterOf(folder), 0);
  } catch {
    return false;
  }
}

/** The port, if nobody listens on it; without one, any that is free. */
function freePort(port = 0) {
  return new Promise((found, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      const { port: given } = server.address();
      server.close(() => found(given));
    });
  });
}
