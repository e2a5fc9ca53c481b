import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database of one's own with the project's tables and no rows: a copy of the one that `global-setup.ts` made. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const serverUrl = fromSetup('TILLGATE_TEST_SERVER');
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copying the files takes a third of the time of writing the copy through the log.
  await onServer(
    serverUrl,
    `create database ${name} template ${fromSetup('TILLGATE_TEST_TEMPLATE')} strategy file_copy`,
  );
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) };
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
