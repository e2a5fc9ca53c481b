import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { bundleGatewayProcess } from './gateway-process/bundle.js';
import { GATEWAY_HOST } from './gateway-process/host-requests.js';
import { GatewayHost } from './gateway-process/host.js';
import { poolModeOfRun, startPooler } from './pooler.js';
import { onServer } from './postgres.js';
import { endOnSignals, makeRunFolder, removeRunFolder } from './run-folder.js';
import { nodesOf, onCitus } from './server-nodes.js';

/** How the test files find the server: `test/support/postgres.ts` reads these. */
export const SERVER_URL = 'TILLGATE_TEST_SERVER';
export const TEMPLATE = 'TILLGATE_TEST_TEMPLATE';
const POOLER = 'TILLGATE_TEST_POOLER';

const SERVER = 'server';

/** What `global-teardown.ts` has to undo. */
export interface TestServer {
  stopTestServer?: () => Promise<void>;
}

/**
 * One PostgreSQL server for the whole run, and in it one database with the project's migrations, which each test file
 * copies. With TEST_DATABASE_URL (a role that may create databases) that server is used.
 */
export default async function globalSetup(): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  // A signal and the teardown may both ask for it.
  const stopTestServer = () => (stopping ??= undoAll(undo));
  (globalThis as TestServer).stopTestServer = stopTestServer;
  endOnSignals(stopTestServer);
  try {
    process.stderr.write('Starting PostgreSQL, and building the gateway of the tests ...\n');
    const folder = await makeRunFolder();
    undo.push(() => removeRunFolder(folder));
    const program = bundleGatewayProcess(folder);
    // Gateways with the console serve its page as it was built.
    const page = promisify(execFile)(process.execPath, ['packages/console/build/build.mjs']);
    // The one is awaited where the first gateway begins, the other at the end.
    for (const built of [program, page]) built.catch(() => undefined);
    const serverUrl = process.env['TEST_DATABASE_URL'] ?? (await startServer(path.join(folder, SERVER), undo));
    const template = `tillgate_test_${process.pid}`;
    const mode = poolModeOfRun();
    if (mode !== null) {
      const pooler = await startPooler(serverUrl, mode);
      undo.push(() => pooler.stop());
      process.env[POOLER] = pooler.url('postgres');
    }
    process.env[SERVER_URL] = serverUrl;
    process.env[TEMPLATE] = template;
    const host = await GatewayHost.start(program);
    undo.push(() => host.stop());
    process.env[GATEWAY_HOST] = host.url;
    await createTemplate(serverUrl, template, host, undo);
    await page;
  } catch (error) {
    // Jest calls the teardown only after a setup that went well.
    await stopTestServer();
    throw error;
  }
}

/** Takes every step, the last one first, and then tells of the first failure. */
async function undoAll(undo: (() => Promise<void>)[]): Promise<void> {
  let failure: Error | undefined;
  for (const step of undo.toReversed()) await step().catch((error: Error) => (failure ??= error));
  if (failure) throw failure;
}

async function startServer(dataDir: string, undo: (() => Promise<void>)[]): Promise<string> {
  // A lost test database is no loss, so nothing has to reach the disk.
  const server = await startEmbeddedPostgres(dataDir, {
    program: 'Tillgate',
    parameters: { fsync: 'off', full_page_writes: 'off', max_connections: '300' },
  });
  undo.push(() => server.stop());
  return server.url('postgres');
}

async function createTemplate(
  serverUrl: string,
  name: string,
  host: GatewayHost,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const nodes = nodesOf(serverUrl);
  for (const node of nodes) undo.push(() => onServer(node, `drop database if exists ${name} with (force)`));
  // A run that was killed may have had the name.
  for (const node of nodes) await onServer(node, `drop database if exists ${name} with (force)`);
  for (const node of nodes) await onServer(node, `create database ${name} template template0`);
  if (onCitus) await connectNodes(nodes, name);
  const url = new URL(serverUrl);
  url.pathname = name;
  const role = process.env['TILLGATE_TEST_ROLE'];
  if (role) await createRole(role, serverUrl, undo);
  await host.makeTemplate({ url: url.href, role });
  // A database that somebody is connected to cannot be copied, so nobody may connect from now on.
  for (const node of nodes) {
    await onServer(node, `alter database ${name} allow_connections false`);
    // Citus keeps connections between its nodes.
    if (onCitus) {
      await onServer(node, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
    }
  }
}

/** Makes a role that owns no table of the database. */
async function createRole(role: string, serverUrl: string, undo: (() => Promise<void>)[]): Promise<void> {
  for (const node of nodesOf(serverUrl)) {
    await onServer(node, `create role ${role} login password '${role}'`);
    // The databases with its grants are dropped before it.
    undo.unshift(() => onServer(node, `drop role ${role}`));
  }
}

/** Makes a Citus cluster of the databases of one name on the nodes. The first one coordinates. */
async function connectNodes(nodes: readonly string[], name: string): Promise<void> {
  const of = (node: string): string => Object.assign(new URL(node), { pathname: name }).href;
  const [coordinator = '', ...workers] = nodes;
  for (const node of nodes) await onServer(of(node), 'create extension if not exists citus');
  const port = (node: string): string => new URL(node).port;
  await onServer(of(coordinator), `select citus_set_coordinator_host('127.0.0.1', ${port(coordinator)})`);
  for (const node of workers) await onServer(of(coordinator), `select citus_add_node('127.0.0.1', ${port(node)})`);
  if (workers.length > 0) return;
  const having = `'127.0.0.1', ${port(coordinator)}, 'shouldhaveshards', true`;
  await onServer(of(coordinator), `select citus_set_node_property(${having})`);
}
