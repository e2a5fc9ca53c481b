// The set-ups past one process, one database and one machine, each as servers to measure beside the plain one. A set-up
// says what it needs, starts its servers, and says how much its figures may differ from those of the first server.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installedCitus } from '../../test/installed/citus.ts';
import { findPgBouncer, startPgBouncer } from '../../test/installed/pgbouncer.ts';
import { installedPostgres } from '../../test/installed/postgres.ts';
import { connectTo, importOnce } from './data.mjs';
import { majorOf, openCitus, startPostgres, startReplica } from './installed.mjs';
import { gatewayServer } from './measure.mjs';
import { processesOf } from './processes.mjs';
import { createDatabaseIfMissing, openProduct, postmasterOf, productOn, withClient } from './product.mjs';
import { atEnd, Failure } from './run.mjs';
import { WORKLOADS } from './workloads.mjs';

/**
 * @typedef {object} Place
 * @property {string} root the build
 * @property {string} data the folder of everything that is kept
 * @property {string} logs
 * @property {object} sizes of the ledger
 * @property {import('./load.mjs').Target['ranges']} ranges
 *
 * @typedef {object} Bound what a figure may be, as a ratio to that of the first server
 * @property {string} of
 * @property {(round: object) => number} figure
 * @property {number | Record<string, number>} [most] by workload, or for all
 * @property {number | Record<string, number>} [least]
 */

const ALL = Object.keys(WORKLOADS);
const NO_POSTGRES = 'PostgreSQL is not installed: install it, and name its pg_config by PG_CONFIG or PATH.';
const CPU = { of: 'CPU a request', figure: round => round.cpu };
/** Databases of their own are filled, and an import into shards takes several times as long as one into tables. */
const SMALL = { accounts: 2000, transactions: 100_000, largest: 30_000 };
/** The locale of a cluster of Citus: another one would compare texts at another speed. */
const LIKE_CITUS = `LOCALE 'C.UTF-8'`;
const CATCH_UP_MS = 60_000;

export const SET_UPS = {
  workers: {
    title: 'One process and two behind one port',
    workloads: ALL,
    // Two processes share the requests, so it takes longer until V8 has compiled both.
    defaults: { warm: 8 },
    missing: () => null,
    servers: workers,
    bound: { ...CPU, most: 1.1 },
  },
  pooler: {
    title: 'PostgreSQL direct, and through PgBouncer',
    workloads: ALL,
    missing: missingPooler,
    servers: pooler,
    bound: { of: 'requests/s', figure: round => round.perSecond, least: 0.85 },
  },
  replicas: {
    title: 'A primary alone, and with streaming replicas',
    workloads: ['W2', 'W7'],
    missing: async () => ((await installedPostgres()) ? null : NO_POSTGRES),
    defaults: SMALL,
    servers: replicas,
    bound: { of: 'CPU of the primary', figure: round => round.parts.PostgreSQL, most: { W2: 0.1 } },
  },
  citus: {
    title: 'Plain PostgreSQL, and Citus with no, one and two workers',
    workloads: ['W1', 'W2', 'W5', 'W7'],
    defaults: SMALL,
    missing: missingCitus,
    servers: citus,
    // Twice what a first trial with unchanged statements reached.
    bound: { of: 'plain CPU / CPU', figure: round => 1 / round.cpu, least: { W1: 0.34, W2: 0.23, W5: 0.23, W7: 0.41 } },
  },
};

/** @param {Place} place */
async function workers(place) {
  const { product, site } = await embedded(place);
  const servers = [];
  for (const count of [1, 2]) {
    const settings = { WORKERS: String(count) };
    const gateway = await product.serve(join(place.logs, `workers-${count}`), { settings });
    // A build that does not know the setting would be measured twice.
    if (processesOf(gateway.pid).length < count) throw new Failure(`WORKERS=${count} started fewer processes.`);
    servers.push(gatewayServer(`workers-${count}`, gateway, site, { PostgreSQL: [product.postgresPid] }));
  }
  return servers;
}

/** @param {Place} place */
async function pooler(place) {
  const { product, site } = await embedded(place);
  const parts = { PostgreSQL: [product.postgresPid] };
  const servers = [gatewayServer('direct', await product.serve(join(place.logs, 'direct')), site, parts)];
  const user = await pooledRole(site.db, product.databaseUrl);
  const { file } = await findPgBouncer();
  for (const mode of ['session', 'transaction']) {
    // Sessions for every connection of a gateway: the pooler is to be measured, and not a wait for it.
    const pgbouncer = await startPgBouncer({ file, serverUrl: product.databaseUrl, user, mode, poolSize: 40 });
    atEnd(() => pgbouncer.stop());
    const settings = { DATABASE_URL: pgbouncer.url('bench'), DATABASE_DIRECT_URL: product.databaseUrl };
    const gateway = await product.serve(join(place.logs, mode), { settings });
    servers.push(gatewayServer(mode, gateway, site, { ...parts, PgBouncer: [pgbouncer.pid] }));
  }
  return servers;
}

async function missingPooler() {
  const found = await findPgBouncer();
  const [major, minor] = found?.version.split('.').map(Number) ?? [];
  // The first one that keeps prepared statements under transaction pooling.
  if (major > 1 || minor >= 21) return null;
  return `${found ? `PgBouncer ${found.version} is too old` : 'PgBouncer is not installed'}: name 1.21 or later by PGBOUNCER or PATH.`;
}

/** Through a pooler the settings of a session come by its role. The role has the password of the server's own user. */
async function pooledRole(db, databaseUrl) {
  const role = 'bench_pooled';
  const settings = {
    timezone: 'UTC',
    statement_timeout: '10s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '10s',
    plan_cache_mode: 'force_generic_plan',
  };
  const { rowCount } = await db.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount === 0) await db.query(`CREATE ROLE ${role} LOGIN SUPERUSER`);
  await db.query(`ALTER ROLE ${role} PASSWORD '${decodeURIComponent(new URL(databaseUrl).password)}'`);
  for (const [name, value] of Object.entries(settings)) await db.query(`ALTER ROLE ${role} SET ${name} = '${value}'`);
  return role;
}

/** @param {Place} place */
async function replicas(place) {
  const { folder, primary } = await installed(place);
  const { product, site } = await ledgerOn(place, folder, primary);
  const copies = [];
  for (const n of [1, 2]) copies.push(await startReplica(primary, join(folder, `replica-${n}`)));
  for (const copy of copies) site.nodes.push(await connectTo(copy.url('bench')));
  const servers = [];
  for (const count of [0, 1, 2]) {
    const used = copies.slice(0, count);
    const settings = count === 0 ? {} : { DATABASE_REPLICA_URLS: used.map(copy => copy.url('bench')).join(',') };
    const gateway = await product.serve(join(place.logs, `replicas-${count}`), { settings });
    const parts = { PostgreSQL: [pidOf(primary)], ...(count > 0 && { replicas: used.map(pidOf) }) };
    servers.push(gatewayServer(count === 0 ? 'primary' : `replicas-${count}`, gateway, site, parts));
  }
  await caughtUp(site.nodes);
  return servers;
}

/** The plain server that `replicas` and `citus` share. */
async function installed({ data }) {
  const programs = await installedPostgres();
  const folder = join(data, `installed-${majorOf(programs)}`);
  return { programs, folder, primary: await startPostgres(programs, join(folder, 'postgres')) };
}

/** Until every copy has replayed what the first one has written so far. */
async function caughtUp([primary, ...copies]) {
  const { rows } = await primary.query('SELECT pg_current_wal_flush_lsn() AS lsn');
  for (const copy of copies) {
    for (const giveUpAt = Date.now() + CATCH_UP_MS; ; await sleep(100)) {
      const { rows: replayed } = await copy.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS all', [
        rows[0].lsn,
      ]);
      if (replayed[0].all) break;
      if (Date.now() > giveUpAt) throw new Failure('A replica does not catch up with its primary.');
    }
  }
}

/** @param {Place} place */
async function citus(place) {
  const { programs, folder, primary: plain } = await installed(place);
  const { product, site } = await ledgerOn(place, folder, plain);
  const gateway = await product.serve(join(place.logs, 'plain'));
  const servers = [gatewayServer('plain', gateway, site, { PostgreSQL: [pidOf(plain)] })];
  for (const count of [0, 1, 2]) servers.push(await citusServer(place, programs, folder, count));
  return servers;
}

async function citusServer(place, programs, folder, count) {
  const name = `citus-${count}`;
  const [coordinator, ...others] = await openCitus(programs, join(folder, name), count, 'bench');
  const { product, site } = await ledgerOn(place, join(folder, name), coordinator);
  for (const node of others) site.nodes.push(await connectTo(node.url('bench')));
  const parts = { PostgreSQL: [pidOf(coordinator)], ...(count > 0 && { workers: others.map(pidOf) }) };
  return gatewayServer(name, await product.serve(join(place.logs, name)), site, parts);
}

async function missingCitus() {
  return (await installedCitus()) ? null : 'Citus is not installed in the PostgreSQL of PG_CONFIG or PATH.';
}

const pidOf = ({ folder }) => postmasterOf(folder);

/** The ledger on the PostgreSQL that the gateway brings: the same folder as that of `npm run bench`. */
async function embedded({ root, data, sizes }) {
  const product = await openProduct(root, data);
  return { product, site: await filled(product, data, sizes) };
}

/** The ledger on a server that is installed. */
async function ledgerOn({ root, sizes }, folder, server) {
  await withClient(server.url('postgres'), db => createDatabaseIfMissing(db, 'bench', LIKE_CITUS));
  const product = await productOn(root, folder, { databaseUrl: server.url('bench'), postgresPid: pidOf(server) });
  return { product, site: await filled(product, folder, sizes) };
}

async function filled(product, folder, sizes) {
  const db = await connectTo(product.databaseUrl);
  await importOnce(product, db, folder, sizes);
  return { db, nodes: [db] };
}
