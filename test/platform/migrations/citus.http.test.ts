import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { NOUNS } from '../../../src/app/nouns.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { migrate, withMigrations } from '../../../src/platform/migrations/migrate.js';
import { directly, freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { describeUnless } from '../../support/unless.js';
import { UNLESS_ON_CITUS } from '../../support/citus-differences.js';

const LATER = fileURLToPath(new URL('./migrations-on-citus', import.meta.url));
const TABLES = withMigrations(NOUNS.all);
const BODIES = `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1, 2`;

/** A database whose tables were distributed before: the template of the tests is one. */
describeUnless(UNLESS_ON_CITUS, 'on a cluster that was distributed before', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let sql: pg.Pool;
  beforeEach(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({ url: fresh.url, poolSize: 3, entities: NOUNS.entities, applicationName: 'test' });
    sql = new pg.Pool({ connectionString: directly(fresh.url), max: 1 });
    sql.on('error', () => undefined);
  });
  afterEach(async () => {
    await sql.end();
    await database.close();
    await fresh.drop();
  });

  const bodies = async (): Promise<unknown[]> => (await sql.query<object>(BODIES)).rows;

  test('functions that are missing, or others than those of the release, are made', async () => {
    const before = await bodies();
    await sql.query(
      `CREATE OR REPLACE FUNCTION program_now(program text) RETURNS timestamptz LANGUAGE sql AS 'SELECT now()'`,
    );
    await sql.query('DROP FUNCTION move_marks(text, int8, int8)');
    expect(await migrate(database, TABLES)).toEqual(['function move_marks', 'function program_now']);
    expect(await bodies()).toEqual(before);
    expect(await migrate(database, TABLES)).toEqual([]);
  });

  test('a migration leaves the functions that Citus has in another form, at no moment replaced', async () => {
    const before = await bodies();
    const applied = await migrate(database, { ...TABLES, run: LATER, write: LATER });
    expect(applied).toEqual(['Migration29990101000000_feed']);
    expect(await bodies()).toEqual([{ proname: 'added_later', prosrc: ' select 1 ' }, ...before].toSorted(byName));
  });

  test('a release before the one that migrated last leaves its functions', async () => {
    await migrate(database, { ...TABLES, run: LATER, write: LATER });
    await sql.query('DROP FUNCTION move_marks(text, int8, int8)');
    expect(await migrate(database, TABLES)).toEqual([]);
  });
});

interface FunctionRow {
  readonly proname: string;
}
const byName = (left: unknown, right: unknown): number =>
  (left as FunctionRow).proname < (right as FunctionRow).proname ? -1 : 1;
