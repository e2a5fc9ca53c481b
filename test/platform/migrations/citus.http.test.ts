import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { NOUNS } from '../../../src/app/nouns.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { migrate, migrationOptions } from '../../../src/platform/migrations/migrate.js';
import { directly, freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { nodesOf } from '../../support/server-nodes.js';
import { until } from '../../support/until.js';
import { describeUnless } from '../../support/unless.js';
import { UNLESS_ON_CITUS } from '../../support/citus-differences.js';

const LATER = fileURLToPath(new URL('./migrations-on-citus', import.meta.url));
const VERSIONS = 'Migration20261124091615_record_versions';
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
    expect(await migrate(database)).toEqual(['function move_marks', 'function program_now']);
    expect(await bodies()).toEqual(before);
    expect(await migrate(database)).toEqual([]);
  });

  test('a migration leaves the functions that Citus has in another form, at no moment replaced', async () => {
    const before = await bodies();
    const applied = await migrate(database, { run: LATER, write: LATER });
    expect(applied).toEqual(['Migration29990101000000_feed']);
    expect(await bodies()).toEqual([{ proname: 'added_later', prosrc: ' select 1 ' }, ...before].toSorted(byName));
  });

  test('functions are left as they are while a gateway that writes past the coordinator is connected to a worker', async () => {
    const [, worker] = nodesOf(process.env['TILLGATE_TEST_SERVER'] ?? '');
    if (worker === undefined) return;
    const replaced = `CREATE OR REPLACE FUNCTION feed_advance(most int, OUT last_position bigint, OUT more boolean, OUT missing int, OUT lag_seconds float8)
      LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM pg_locks; END $$`;
    await sql.query(replaced);
    const before = await bodies();
    const writing = new pg.Client({
      connectionString: Object.assign(new URL(worker), { pathname: new URL(fresh.url).pathname }).href,
      application_name: 'tillgate',
    });
    await writing.connect();
    try {
      await expect(migrate(database)).rejects.toThrow('Stop all gateways, then run: tillgate migrate');
      expect(await bodies()).toEqual(before);
    } finally {
      await writing.end();
    }
    await until(() =>
      migrate(database).then(
        made => made.includes('function feed_advance'),
        () => false,
      ),
    );
    expect(await bodies()).not.toEqual(before);
  });

  test('a release before the one that migrated last leaves its functions', async () => {
    await migrate(database, { run: LATER, write: LATER });
    await sql.query('DROP FUNCTION move_marks(text, int8, int8)');
    expect(await migrate(database)).toEqual([]);
  });

  test('the migration that counts versions counts on all nodes', async () => {
    const session = { 'citus.enable_unsafe_triggers': 'on', 'citus.multi_shard_modify_mode': 'sequential' };
    const before = await database.reopen({ session });
    const { orm } = before;
    orm.config.set('migrations', { ...orm.config.get('migrations'), ...migrationOptions() });
    await new Migrator(orm.em).down({ migrations: [VERSIONS] });
    await before.close();
    const ids = Array.from({ length: 20 }, (_, n) => `a${n}`);
    const insert = `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
      VALUES ($1, 'p', 'CHECKING', 'USD', 'UTC', 'OPEN', '2026-01-01', false)`;
    for (const id of ids) await sql.query(insert, [id]);
    expect(await migrate(database)).toEqual([VERSIONS]);
    await sql.query(`UPDATE account SET account_type = 'SAVINGS'`);
    const { rows } = await sql.query('SELECT count(*)::int AS accounts FROM account WHERE version = 2');
    expect(rows).toEqual([{ accounts: ids.length }]);
  });
});

interface FunctionRow {
  readonly proname: string;
}
const byName = (left: unknown, right: unknown): number =>
  (left as FunctionRow).proname < (right as FunctionRow).proname ? -1 : 1;
