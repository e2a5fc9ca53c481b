import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { nodesOf, onCitus } from './server-nodes.js';

export interface FreshDatabase {
  /** Where the code under test connects to: through the pooler in a run of `npm run long -- pooler`. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of one's own with the project's tables and no rows: a copy of the one that `global-setup.ts` made. */
export function freshDatabase(): Promise<FreshDatabase> {
  return databaseLike(fromSetup('TILLGATE_TEST_TEMPLATE'));
}

/** A database without tables, and without Citus. */
export function emptyDatabase(): Promise<FreshDatabase> {
  return databaseLike('template0');
}

async function databaseLike(template: string): Promise<FreshDatabase> {
  const serverUrl = fromSetup('TILLGATE_TEST_SERVER');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const nodes = nodesOf(serverUrl);
  await Promise.all(
    nodes.map(async node => {
      // Copying the files takes a third of the time of writing the copy through the log.
      await onServer(node, `create database ${name} template ${template} strategy file_copy`);
      // A copy lacks the settings of its database. What waits for a lock waits on the node that has the shard.
      if (onCitus) await onServer(node, `alter database ${name} set lock_timeout = '2s'`);
    }),
  );
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: throughPooler(template === 'template0' ? url.href : asServingRole(url.href)),
    drop: async () => {
      for (const node of nodes) {
        // PostgreSQL waits for sessions that are ending. One that is ended by force would tell its client, who has
        // gone.
        await onServer(node, `drop database if exists ${name}`).catch(() =>
          onServer(node, `drop database if exists ${name} with (force)`),
        );
      }
    },
  };
}

/** An address with the role of the run that owns no tables, if it has one. */
function asServingRole(url: string): string {
  const role = process.env['TILLGATE_TEST_ROLE'];
  return role ? Object.assign(new URL(url), { username: role, password: role }).href : url;
}

/** A database of the test server through the pooler of the run, if it has one. */
function throughPooler(url: string): string {
  const pooler = process.env['TILLGATE_TEST_POOLER'];
  return pooler ? Object.assign(new URL(pooler), { pathname: new URL(url).pathname }).href : url;
}

/**
 * The server's own address of a database, as its owner, where it is given through the pooler or the role of the run.
 */
export function directly(url: string): string {
  const address = new URL(url);
  const pooler = process.env['TILLGATE_TEST_POOLER'];
  const isThroughPooler = pooler !== undefined && address.host === new URL(pooler).host;
  if (!isThroughPooler && address.username !== process.env['TILLGATE_TEST_ROLE']) return url;
  return Object.assign(new URL(fromSetup('TILLGATE_TEST_SERVER')), { pathname: address.pathname }).href;
}

/** What has to be set as `DATABASE_DIRECT_URL` beside an address of the database. */
export function directUrlOf(url: string): string | null {
  return process.env['TILLGATE_TEST_POOLER'] && directly(url) !== url ? directly(url) : null;
}

function fromSetup(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: Jest has to run with test/support/global-setup.ts as its globalSetup.`);
  }
  return value;
}

/** Does one statement on a server. */
export async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
