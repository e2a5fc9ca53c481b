import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { insertRow } from '../../../src/platform/repository/insert-row.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';

let fresh: FreshDatabase;
/** Somebody else who is connected to the same database. */
let other: pg.Client;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  other = new pg.Client({ connectionString: fresh.url });
  await other.connect();
  await other.query('create table crate (crate_id text primary key, "size bytes" int, bytes bytea)');
  database = await openDatabase({ url: fresh.url, poolSize: 2, entities: [], applicationName: 'insert-row' });
});
beforeEach(() => other.query('truncate crate'));
afterAll(async () => {
  await database.close();
  await other.end();
  await fresh.drop();
});

const crate = (bytes = randomBytes(1000)) => ({ crate_id: `'?$1`, 'size bytes': bytes.length, bytes });

test('a row is there as it was given once its transaction is done, and nobody else sees it before', async () => {
  const row = crate(randomBytes(3_000_000));
  await database.em().transactional(async em => {
    await insertRow(em, 'crate', row);
    expect((await em.execute('select * from crate')).length).toBe(1);
    expect((await other.query('select * from crate')).rows).toEqual([]);
  });
  const { rows } = await other.query<typeof row>('select * from crate');
  expect(rows.map(({ crate_id, 'size bytes': size }) => [crate_id, size])).toEqual([[row.crate_id, row['size bytes']]]);
  expect(rows[0]?.bytes.equals(row.bytes)).toBe(true);
});

test.each(['a transaction', 'a savepoint'])('a row is gone with %s that fails', async which => {
  const failing = database.em().transactional(async em => {
    const inside = async (inner: typeof em): Promise<void> => {
      await insertRow(inner, 'crate', crate());
      throw new Error('changed its mind');
    };
    if (which === 'a transaction') await inside(em);
    await em.transactional(inside).catch(() => undefined);
  });
  await failing.catch(() => undefined);
  expect((await other.query('select * from crate')).rows).toEqual([]);
});

test('no value is in the text of the statement', async () => {
  const row = crate();
  await database.em().transactional(async em => {
    await insertRow(em, 'crate', row);
    const { rows } = await other.query<{ query: string }>(
      `select query from pg_stat_activity where application_name = 'insert-row' and state = 'idle in transaction'`,
    );
    expect(rows.map(({ query }) => query.toLowerCase())).toEqual([
      'insert into "crate" ("crate_id", "size bytes", "bytes") values ($1, $2, $3)',
    ]);
  });
});
