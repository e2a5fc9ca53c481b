import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDatabaseIfMissing } from '../../../src/platform/database/open-configured.js';
import {
  createMigration,
  migrate,
  migrationDrift,
  pendingMigrations,
  type MigrationSources,
} from '../../../src/platform/migrations/migrate.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { Shelf } from '../database/shelf.entity.js';

const FIXTURES = fileURLToPath(new URL('./migrations', import.meta.url));
const FAILING = fileURLToPath(new URL('./migrations-failing', import.meta.url));
const FIXTURE_NAMES = ['Migration20260101000000_shelf', 'Migration20260102000000_slow'];

let fresh: FreshDatabase;
let database: Database;
let folders: MigrationSources;
let emptyUrl: string;
let counter = 0;

beforeAll(async () => {
  fresh = await freshDatabase();
});

afterAll(async () => {
  await fresh.drop();
});

beforeEach(async () => {
  folders = { run: FIXTURES, write: await mkdtemp(path.join(tmpdir(), 'tillgate-migrations-')) };
  const name = `${path.basename(new URL(fresh.url).pathname)}_${(counter += 1)}`;
  await createDatabaseIfMissing(fresh.url, name);
  emptyUrl = Object.assign(new URL(fresh.url), { pathname: name }).href;
  database = await openDatabase({ url: emptyUrl, poolSize: 2, entities: [Shelf], applicationName: 'test' });
});

afterEach(async () => {
  const name = new URL(emptyUrl).pathname.slice(1);
  await database.close();
  await rm(folders.write, { recursive: true, force: true });
  const server = await openDatabase({ url: fresh.url, poolSize: 1, entities: [], applicationName: 'test' });
  await server.query({ name: 'drop', text: `drop database ${name} with (force)` });
  await server.close();
});

/** Waits until a transaction has failed on the server: the one that waited for a lock for too long. */
async function gaveUpALock(asking: Database): Promise<void> {
  const failed = {
    name: 'failed',
    text: 'select xact_rollback from pg_stat_database where datname = current_database()',
  };
  const [[before] = [0n]] = await asking.query<[bigint]>(failed);
  for (;;) {
    const [[now] = [0n]] = await asking.query<[bigint]>(failed);
    if (now > before) return;
    await sleep(100);
  }
}

describe('migrating', () => {
  test('applies what is missing, in order and once, without a limit on how long it takes', async () => {
    expect(await pendingMigrations(database, folders)).toEqual(FIXTURE_NAMES);
    expect(await migrate(database, folders)).toEqual(FIXTURE_NAMES);
    expect(await pendingMigrations(database, folders)).toEqual([]);
    expect(await migrate(database, folders)).toEqual([]);

    expect(await database.query({ name: 'default', text: 'show statement_timeout' })).toEqual([['10s']]);
    expect(await database.query({ name: 'noted', text: 'select statement_timeout from noted' })).toEqual([['0']]);
  });

  test('asking what is pending changes nothing', async () => {
    await pendingMigrations(database, folders);
    expect(
      await database.query({ name: 'tables', text: `select count(*) from pg_tables where schemaname = 'public'` }),
    ).toEqual([[0n]]);
  });

  test('several that start at the same moment apply each migration once', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => database.reopen({})));
    const applied = await Promise.all(databases.map(each => migrate(each, folders)));
    await Promise.all(databases.map(each => each.close()));
    expect(applied.flat().sort()).toEqual(FIXTURE_NAMES);
    expect(await database.query({ name: 'applied', text: 'select name from schema_migration order by name' })).toEqual(
      FIXTURE_NAMES.map(name => [name]),
    );
  });

  test('a migration that somebody is in the way of is tried again, and what was applied before it is told', async () => {
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('create table noted ()');
    const applied = migrate(database, folders);
    await gaveUpALock(database);
    await client.query('rollback');
    client.release();
    expect(await applied).toEqual(FIXTURE_NAMES);
  });

  test('a migration that fails leaves nothing of itself and all of those before it', async () => {
    await expect(migrate(database, { ...folders, run: FAILING })).rejects.toThrow('no_such_table');
    expect(await database.query({ name: 'applied', text: 'select name from schema_migration' })).toEqual([
      ['Migration20260101000000_whole'],
    ]);
    expect(await database.query({ name: 'half', text: `select to_regclass('half')` })).toEqual([[null]]);
  });

  test('the project itself has no migration that the template database lacks', async () => {
    const project = await openDatabase({ url: fresh.url, poolSize: 1, entities: [], applicationName: 'test' });
    expect(await pendingMigrations(project)).toEqual([]);
    await project.close();
  });
});

describe('writing migrations', () => {
  test('a new entity drifts until its migration is written, and a changed one again', async () => {
    folders = { run: folders.write, write: folders.write };
    expect(await migrationDrift(database, folders)).toBe(true);
    const file = await createMigration(database, 'add shelf', folders);
    expect(file).toMatch(/Migration\d{14}_add_shelf\.ts$/);
    expect(await readFile(file as string, 'utf8')).toContain('create table "shelf" ("shelf_id" text not null');
    expect((await readdir(folders.write)).sort()).toEqual(['.snapshot.json', path.basename(file as string)]);

    expect(await migrationDrift(database, folders)).toBe(false);
    expect(await createMigration(database, 'nothing', folders)).toBeNull();

    const snapshot = path.join(folders.write, '.snapshot.json');
    await writeFile(snapshot, (await readFile(snapshot, 'utf8')).replaceAll('label', 'former_label'));
    expect(await migrationDrift(database, folders)).toBe(true);
  });
});
