import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const execute = promisify(execFile);

const NO_CITUS = 2;
const START_SECONDS = 60;
const USER = 'postgres';
/** The setting that says which libraries may decode the log for others. */
const PLUGINS = 'output_plugin_libraries';
const RUN_AS_IS = { uid: undefined, gid: undefined };

/** What a cluster for tests may do without: a lost test database is no loss. */
const UNSAFE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

export interface CitusOptions {
  /** Where the data of the nodes is kept. */
  readonly folder: string;
  /** Nodes besides the coordinator. With none, the coordinator has the shards. */
  readonly workers: number;
  /** Shards of each distributed table. */
  readonly shards?: number;
  /** The coordinator's port, and the next ones for the workers; free ones if absent. */
  readonly firstPort?: number;
  /** Whether what was written has to survive a crash of the machine. */
  readonly durable?: boolean;
  /** Server settings besides the usual ones. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A coordinator and its workers on loopback. */
export interface CitusCluster {
  /** The servers, the coordinator first. */
  readonly nodes: readonly CitusNode[];
  /** The coordinator's address of a database. */
  url(database: string): string;
  /**
   * Makes an empty database on all nodes, with the extension, that knows the nodes. `portOf`: the port at which others
   * reach a node, where that is not its own.
   */
  create(database: string, portOf?: (node: CitusNode) => number): Promise<void>;
  stop(): Promise<void>;
}

export interface CitusNode {
  readonly port: number;
  url(database: string): string;
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** As a machine that loses its power. Nothing happens where it does not run. */
  kill(): void;
}

/** The programs of the PostgreSQL that `PG_CONFIG` names, or null where it has no Citus. */
export async function installedCitus(pgConfig = process.env['PG_CONFIG'] ?? 'pg_config'): Promise<string | null> {
  const ask = async (what: string): Promise<string> => (await execute(pgConfig, [what])).stdout.trim();
  try {
    await readFile(path.join(await ask('--sharedir'), 'extension', 'citus.control'));
    return await ask('--bindir');
  } catch {
    return null;
  }
}

/** The programs of a PostgreSQL with Citus. Ends the process with status 2 and says so where there is none. */
export async function requiredCitus(): Promise<string> {
  const found = await installedCitus();
  if (found !== null) return found;
  process.stderr.write(
    'Citus was not found. Install PostgreSQL with the extension citus, and set PG_CONFIG to the pg_config of that PostgreSQL.\n',
  );
  process.exit(NO_CITUS);
}

/** Starts a cluster. One whose folder exists starts with the data that it has. */
export async function startCitus(programs: string, options: CitusOptions): Promise<CitusCluster> {
  const { folder, workers, shards = 32, firstPort, durable = false, parameters = {} } = options;
  const account = postgresAccount();
  await mkdir(folder, { recursive: true });
  if (account.uid !== undefined) {
    await chown(folder, account.uid, account.gid);
    await chmod(folder, 0o755);
  }
  const told = async (program: string, args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(path.join(programs, program), args, {
      ...(account.uid === undefined ? {} : account),
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' },
      timeout: START_SECONDS * 1000,
    });
    return stdout;
  };
  const run = async (program: string, args: readonly string[]): Promise<void> => void (await told(program, args));
  // PostgreSQL 15.20, and other releases of that time, refuse plugins of logical decoding that are not in this list.
  // Citus splits shards by its own.
  const plugins: Record<string, string> = (await told('postgres', ['--describe-config'])).includes(PLUGINS)
    ? { [PLUGINS]: "'pgoutput, citus'" }
    : {};
  const nodes: CitusNode[] = [];
  for (let number = 0; number <= workers; number += 1) {
    const data = path.join(folder, `node${number}`);
    const port = firstPort === undefined ? await freePort() : firstPort + number;
    const settings = {
      ...(durable ? {} : UNSAFE),
      listen_addresses: "'127.0.0.1'",
      unix_socket_directories: `'${folder}'`,
      port: `${port}`,
      shared_preload_libraries: 'citus',
      timezone: 'UTC',
      max_connections: '300',
      max_prepared_transactions: '600',
      max_worker_processes: '64',
      wal_level: 'logical',
      jit: 'off',
      'citus.shard_count': `${shards}`,
      'citus.max_client_connections': '-1',
      'citus.enable_stat_counters': 'on',
      'citus.node_conninfo': "'sslmode=disable'",
      ...plugins,
      ...parameters,
    };
    await run('initdb', ['-D', data, '-U', USER, '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']).catch(
      async (error: unknown) => {
        // A cluster that is there has been made with these settings.
        await readFile(path.join(data, 'PG_VERSION')).catch(() => {
          throw error;
        });
      },
    );
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    // Of two settings of one name the later one counts.
    await appendFile(path.join(data, 'postgresql.conf'), lines.join(''));
    const node: CitusNode = {
      port,
      url: database => `postgres://${USER}@127.0.0.1:${port}/${database}`,
      start: () => run('pg_ctl', ['start', '-D', data, '-w', '-t', `${START_SECONDS}`, '-l', `${data}.log`]),
      stop: (mode = 'fast') => run('pg_ctl', ['stop', '-D', data, '-w', '-m', mode]),
      kill: () => {
        const file = path.join(data, 'postmaster.pid');
        if (!existsSync(file)) return;
        try {
          process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
        } catch (error) {
          // It was killed before, and its file is left.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
        }
      },
    };
    nodes.push(node);
    await node.start();
  }
  const [coordinator, ...others] = nodes as [CitusNode, ...CitusNode[]];
  return {
    nodes,
    url: database => coordinator.url(database),
    create: async (database, portOf = ({ port }) => port) => {
      for (const node of nodes) {
        await onNode(node, 'postgres', `create database ${database} template template0`);
        await onNode(node, database, 'create extension citus');
      }
      await onNode(coordinator, database, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
      for (const node of others) {
        await onNode(coordinator, database, `select citus_add_node('127.0.0.1', ${portOf(node)})`);
      }
      if (others.length > 0) return;
      await onNode(
        coordinator,
        database,
        `select citus_set_node_property('127.0.0.1', ${coordinator.port}, 'shouldhaveshards', true)`,
      );
    },
    stop: async () => {
      await Promise.all(nodes.map(node => node.stop('immediate').catch(() => undefined)));
    },
  };
}

/** Restarts the server that has its data there, and waits until it takes sessions. */
export async function restartServer(data: string): Promise<void> {
  const account = postgresAccount();
  await execute(
    path.join(await requiredCitus(), 'pg_ctl'),
    ['restart', '-D', data, '-w', '-t', `${START_SECONDS}`, '-m', 'fast', '-l', `${data}.log`],
    { ...(account.uid === undefined ? {} : account), cwd: '/' },
  );
}

/** Runs one statement on a node. */
export async function onNode(node: CitusNode, database: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: node.url(database) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL does not run as root, so for root it runs as its own user. */
function postgresAccount(): { uid: number; gid: number } | typeof RUN_AS_IS {
  if (process.getuid?.() !== 0) return RUN_AS_IS;
  const [uid, gid] = ['-u', '-g'].map(flag => Number(spawnSync('id', [flag, USER]).stdout.toString().trim()));
  if (!uid || !gid) throw new Error(`PostgreSQL does not run as root, and there is no user ${USER} to run it.`);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Removes the data of a cluster that has been stopped. */
export async function removeCitus(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
