// Servers of an installed PostgreSQL that are kept from run to run, as the tests start them; and clusters of Citus.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { PostgresServer } from '../../test/installed/postgres.ts';
import { createDatabaseIfMissing, postmasterOf, withClient } from './product.mjs';
import { atEnd } from './run.mjs';

/** What is measured writes to the disk. A plain server beside Citus writes the same log. */
const USUAL = [
  ...['fsync = on', `shared_buffers = '256MB'`, `max_wal_size = '4GB'`, 'max_connections = 300', 'jit = off'],
  `wal_level = 'logical'`,
];

/** Whether Citus is installed in a PostgreSQL with these programs. */
export function hasCitus(programs) {
  const { stdout } = spawnSync(join(programs, 'pg_config'), ['--pkglibdir'], { encoding: 'utf8' });
  return existsSync(join(stdout?.trim() ?? '', 'citus.so'));
}

/** The major version, such as `15`. */
export function majorOf(programs) {
  const { stdout } = spawnSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' });
  return /\d+/.exec(stdout)[0];
}

/** Starts the server in `folder`, made on its first start, on a port that it keeps. @returns {Promise<PostgresServer>} */
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
  if (isRunning(folder)) await PostgresServer.at(primary.programs, folder, 0).stop();
  rmSync(folder, { recursive: true, force: true });
  const copy = await primary.replica(folder, await freePort());
  atEnd(() => copy.stop());
  return copy;
}

/** A coordinator and so many workers. Without workers the coordinator has the shards. The first node is the coordinator. */
export async function startCitus(programs, folder, workers, database) {
  const configuration = [
    `shared_preload_libraries = 'citus'`,
    ...['max_prepared_transactions = 600', 'citus.max_client_connections = -1'],
    `citus.node_conninfo = 'sslmode=disable'`,
  ];
  const nodes = [];
  for (let n = 0; n <= workers; n++) nodes.push(await startPostgres(programs, join(folder, `node${n}`), configuration));
  for (const node of nodes) {
    await withClient(node.url(), db => createDatabaseIfMissing(db, database));
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

function isRunning(folder) {
  if (!existsSync(join(folder, 'postmaster.pid'))) return false;
  try {
    return process.kill(postmasterOf(folder), 0);
  } catch {
    return false;
  }
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
