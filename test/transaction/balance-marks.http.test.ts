import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { Migration20261123120000_balance_marks } from '../../migrations/Migration20261123120000_balance_marks.js';
import { migrate, pendingMigrations } from '../../src/platform/migrations/migrate.js';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { directly, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

/** More than one batch. */
const ACCOUNTS = 250;
const ENTRIES = 130;
const NAME = 'balance_marks_test';

let fresh: FreshDatabase;
let database: Database;
let sql: pg.Pool;

beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({ url: fresh.url, poolSize: 2, entities: [], applicationName: NAME });
  sql = new pg.Pool({ connectionString: directly(fresh.url) });
  // A connection that is closing may be told that its database is dropped.
  sql.on('error', () => undefined);
});
afterAll(async () => {
  await sql.end();
  await database.close();
  await fresh.drop();
});

async function backToReleaseBefore(): Promise<void> {
  const { orm } = database;
  const migration: Migration = new Migration20261123120000_balance_marks(orm.em.getDriver(), orm.config);
  await migration.down();
  for (const query of migration.getQueries() as string[]) await sql.query(query);
  await sql.query(`DELETE FROM schema_migration WHERE name LIKE '%balance_marks%'`);
}

/** Ledgers that were there before: one transaction a day, each of a dollar. */
async function givenLedgers(): Promise<void> {
  await sql.query(
    `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing, balance_minor, last_seq)
     SELECT 'a' || 1000 + n, 'p', 'CHECKING', 'USD', 'UTC', 'OPEN', '2020-01-01', false, 100 * $2::int, $2::int FROM generate_series(1, $1::int) n`,
    [ACCOUNTS, ENTRIES],
  );
  await sql.query(
    `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category,
       transaction_type, status, transaction_timestamp, transaction_time, posted_timestamp, posted_time, additional_information, line_item)
     SELECT 'a' || 1000 + n, seq, 'p', 't' || seq, 100, 100 * seq, 'CREDIT', 'ACH', 'FEE', 'POSTED', at, at, at, at, '[]', '[]'
     FROM generate_series(1, $1::int) n, generate_series(1, $2::int) seq, LATERAL (SELECT timestamp '2025-01-01' + seq * interval '1 day' AS at) t`,
    [ACCOUNTS, ENTRIES],
  );
}

/** How many accounts have marks, and how many marks are not what the ledger says. */
async function marked(): Promise<{ accounts: number; wrong: number }> {
  const { rows } = await sql.query(
    `SELECT count(DISTINCT b.account_id)::int AS accounts, (count(*) FILTER (WHERE b.balance_minor <> (
       SELECT sum(t.amount_minor) FROM transaction t WHERE t.account_id = b.account_id AND t.posted_timestamp < b.until)))::int AS wrong
     FROM balance_mark b`,
  );
  return rows[0];
}

const migrated = testUnless(differsOnCitus('earlierReleases'));

migrated('the migration marks the balances of ledgers in batches, and goes on where it was interrupted', async () => {
  await backToReleaseBefore();
  await givenLedgers();
  const holder = await sql.connect();
  await holder.query('BEGIN');
  // In the second batch.
  await holder.query(`SELECT FROM account WHERE account_id = 'a${1000 + ACCOUNTS}' FOR UPDATE`);
  const interrupted = migrate(database).then(
    () => 'done',
    () => 'interrupted',
  );
  const waiting = `application_name = '${NAME}' AND wait_event_type = 'Lock' AND query LIKE '%mark_balances%'`;
  await until(async () => (await sql.query(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).rowCount === 1);
  await sql.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${waiting}`);
  expect(await interrupted).toBe('interrupted');
  await holder.query('ROLLBACK');
  holder.release();

  expect(await marked()).toEqual({ accounts: 200, wrong: 0 });
  expect(await pendingMigrations(database)).toEqual(['Migration20261123120100_balance_marks_filled']);
  const { rows: before } = await sql.query('SELECT account_id, until, xmin::text FROM balance_mark ORDER BY 1, 2');

  expect(await migrate(database)).toEqual(['Migration20261123120100_balance_marks_filled']);
  expect(await marked()).toEqual({ accounts: ACCOUNTS, wrong: 0 });
  const { rows: after } = await sql.query('SELECT account_id, until, xmin::text FROM balance_mark ORDER BY 1, 2');
  expect(after.slice(0, before.length)).toEqual(before);
});
