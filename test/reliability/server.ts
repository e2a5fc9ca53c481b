import { randomInt } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createDatabaseIfMissing } from '../../src/platform/database/open-configured.js';
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { requiredCitus, startCitus } from '../installed/citus.js';
import { CommitCutter } from '../support/commit-cutter.js';
import { untilItWorks } from './until-it-works.js';

/** How long a node that was killed is away. */
const AWAY_MS = 3000;

/** The PostgreSQL of a storm, which keeps what it has committed. */
export interface StormServer {
  url(database: string): string;
  /** Kills the server that the gateways know, and brings it back. */
  kill(): Promise<void>;
  /** The nodes of a Citus cluster besides that. */
  readonly nodes: readonly StormNode[];
  stop(): Promise<void>;
}

/** A node with accounts. Gateways and the coordinator reach it through its relay, always at the same port. */
export interface StormNode {
  readonly relay: CommitCutter;
  /** Kills the node, and brings it back after a while. */
  kill(): Promise<void>;
}

export async function startServer(folder: string, database: string, isCitus: boolean): Promise<StormServer> {
  return isCitus ? citus(folder, database) : embedded(folder, database);
}

async function embedded(folder: string, database: string): Promise<StormServer> {
  const start = () => startEmbeddedPostgres(folder, { program: 'Tillgate' });
  let server = await start();
  await createDatabaseIfMissing(server.url('postgres'), database);
  return {
    nodes: [],
    url: name => server.url(name),
    kill: async () => {
      const file = await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number(file.split('\n')[0]), 'SIGKILL');
      // The new server refuses to start until the last session of the old one has noticed.
      server = await untilItWorks(start);
    },
    stop: () => server.stop(),
  };
}

/** A coordinator and two workers. */
async function citus(folder: string, database: string): Promise<StormServer> {
  // PostgreSQL is another user's where the tests are root's.
  await chmod(folder, 0o711);
  const cluster = await startCitus(await requiredCitus(), {
    folder: path.join(folder, 'citus'),
    workers: 2,
    shards: 4,
    durable: true,
  });
  const [coordinator, ...workers] = cluster.nodes;
  // Its servers are nobody's children.
  process.once('exit', () => cluster.nodes.forEach(node => node.kill()));
  const nodes = await Promise.all(
    workers.map(async worker => ({
      worker,
      relay: await CommitCutter.start(() => worker.port),
      kill: async () => {
        worker.kill();
        await new Promise(resolve => setTimeout(resolve, randomInt(AWAY_MS)));
        await untilItWorks(() => worker.start());
      },
    })),
  );
  await cluster.create(database, node => nodes.find(({ worker }) => worker === node)?.relay.port ?? node.port);
  return {
    nodes,
    url: name => cluster.url(name),
    kill: async () => {
      coordinator?.kill();
      await untilItWorks(async () => coordinator?.start());
    },
    stop: async () => {
      await Promise.all(nodes.map(({ relay }) => relay.stop()));
      await cluster.stop();
    },
  };
}
