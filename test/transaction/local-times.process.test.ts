import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Migration } from '@mikro-orm/migrations';
import fc from 'fast-check';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Migration20261123050000_local_times } from '../../migrations/Migration20261123050000_local_times.js';
import { Migration20261123050200_local_times_required } from '../../migrations/Migration20261123050200_local_times_required.js';
import { migrate, pendingMigrations } from '../../src/platform/migrations/migrate.js';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { tillgate } from '../cli/command-line.js';
import { differsOnCitus, isAsElsewhere } from '../support/citus-differences.js';
import { describeUnless } from '../support/unless.js';
import { unique, startTestGateway, type TestGateway } from '../support/gateway.js';
import { directly, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { entry, importing, line, post } from './support/ledger.js';

/**
 * Zones with gaps and overlaps of an hour and of half an hour, at midnight, of a whole day, and offsets with seconds.
 */
const ZONES = [
  'America/New_York',
  'America/Havana',
  'America/St_Johns',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Africa/Monrovia',
  'Asia/Kathmandu',
  'Asia/Gaza',
  'Europe/Dublin',
  'Pacific/Apia',
  'Antarctica/Troll',
  'UTC',
];

/** How many transactions there are, and how many of them have the local times that `AT TIME ZONE` gives. */
const FILLED = `SELECT count(*)::int AS count, count(*) FILTER (WHERE
    t.transaction_time = date_trunc('second', t.transaction_timestamp AT TIME ZONE a.time_zone)
    AND t.posted_time IS NOT DISTINCT FROM date_trunc('second', t.posted_timestamp AT TIME ZONE a.time_zone))::int AS right
  FROM transaction t JOIN account a ON a.account_id = t.account_id`;

interface FilledTimes {
  readonly count: number;
  readonly right: number;
}

describe('writing', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const instant = fc.oneof(
    fc.date({ min: new Date('1850-01-01'), max: new Date('2099-12-31T23:59:59.999Z'), noInvalidDate: true }),
    // The hours about which clocks change.
    fc
      .tuple(
        fc.constantFrom(
          '2011-12-30',
          '2026-03-08',
          '2026-03-29',
          '2026-04-05',
          '2026-04-24',
          '2026-10-25',
          '2026-11-01',
        ),
        fc.integer({ min: -14 * 3_600_000, max: 14 * 3_600_000 }),
      )
      .map(([day, ms]) => new Date(Date.parse(day) + ms)),
  );
  const times = fc.record({ transactionTimestamp: instant, postedTimestamp: fc.option(instant) });

  test('posted, imported and by the release before, each transaction gets the local times that PostgreSQL gives', async () => {
    for (const timeZone of ZONES) {
      const given = await gateway.given.account({ timeZone });
      const rows = fc.sample(times, 120).map(({ transactionTimestamp, postedTimestamp }) =>
        entry({
          transactionTimestamp: transactionTimestamp.toISOString(),
          postedTimestamp: postedTimestamp?.toISOString() ?? null,
          status: postedTimestamp ? 'POSTED' : 'PENDING',
        }),
      );
      await post(gateway, given, rows.slice(0, 60));
      const lines = rows.slice(60).map(row => line(given.account, row));
      expect(await importing(gateway, given.program, lines)).toEqual(lines.map(() => 'new'));
      const before = isAsElsewhere('earlierReleases') ? 120 : 0;
      await gateway.sql.query(
        `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category,
           transaction_type, status, transaction_timestamp, posted_timestamp, additional_information, line_item)
         SELECT account_id, seq + 1000, program, 'before-' || transaction_id, amount_minor, balance_minor, debit_credit_memo, category,
           transaction_type, status, transaction_timestamp, posted_timestamp, additional_information, line_item
         FROM transaction WHERE account_id = $1 LIMIT $2`,
        [given.account, before],
      );
      const { rows: filled } = await gateway.sql.query<FilledTimes>(`${FILLED} WHERE t.account_id = $1`, [
        given.account,
      ]);
      expect([timeZone, filled[0]]).toEqual([timeZone, { count: 120 + before, right: 120 + before }]);
    }
  });

  test('the same transaction again is unchanged, whatever local times are stored or sent', async () => {
    const given = await gateway.given.account({ timeZone: 'Asia/Kathmandu' });
    const row = entry({ transactionTime: '2000-01-01T00:00:00', postedTime: '' });
    const lines = [line(given.account, row)];
    expect(await importing(gateway, given.program, lines)).toEqual(['new']);
    await gateway.tamper(
      `UPDATE transaction SET transaction_time = transaction_time + interval '1 hour' WHERE account_id = '${given.account}'`,
    );
    expect(await importing(gateway, given.program, lines)).toEqual(['unchanged']);
    const { transactionTime: _sent, postedTime: _too, ...posted } = row;
    expect(await post(gateway, given, [posted])).toMatchObject([{ transactionTime: '2026-03-02T21:45:00' }]);
  });
});

describeUnless(differsOnCitus('earlierReleases'), 'the migration', () => {
  const ROWS = 20_000;
  let fresh: FreshDatabase;
  let database: Database;
  let sql: pg.Pool;

  beforeAll(async () => {
    fresh = await freshDatabase();
    database = await openDatabase({ url: fresh.url, poolSize: 2, entities: [], applicationName: 'test' });
    sql = new pg.Pool({ connectionString: directly(fresh.url) });
    // A connection that is closing may be told that its database is dropped.
    sql.on('error', () => undefined);
    await backToReleaseBefore();
    await sql.query(
      `INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing, balance_minor, last_seq)
       SELECT 'a' || n, 'p', 'CHECKING', 'USD', ($1::text[])[n], 'OPEN', '2020-01-01', false, 0, 0 FROM generate_series(1, $2::int) n`,
      [ZONES, ZONES.length],
    );
    await insert(1, ROWS);
  });
  afterAll(async () => {
    await sql.end();
    await database.close();
    await fresh.drop();
  });

  async function run(
    step: 'up' | 'down',
    ...migrations: (typeof Migration20261123050000_local_times)[]
  ): Promise<void> {
    const { orm } = database;
    for (const each of migrations) {
      const migration: Migration = new each(orm.em.getDriver(), orm.config);
      await migration[step]();
      for (const query of migration.getQueries() as string[]) await sql.query(query);
    }
  }

  async function backToReleaseBefore(): Promise<void> {
    await run('down', Migration20261123050200_local_times_required, Migration20261123050000_local_times);
    await sql.query(`DELETE FROM schema_migration WHERE name LIKE '%local_times%'`);
  }

  /** Inserts as the release before does. One transaction in three hours, the first in 1850. */
  async function insert(from: number, to: number): Promise<void> {
    await sql.query(
      `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category,
         transaction_type, status, description, transaction_timestamp, posted_timestamp, additional_information, line_item)
       SELECT 'a' || n % $3 + 1, n, 'p', $4 || n, 1, 1, 'CREDIT', 'ACH', 'FEE', 'POSTED', repeat('x', 200),
         timestamptz '1850-01-01Z' + n * interval '109 hours 7 minutes 0.25 s', CASE WHEN n % 5 > 0 THEN timestamptz '1850-01-01Z' + n * interval '109 hours' END,
         '[]', '[]' FROM generate_series($1::int, $2::int) n`,
      [from, to, ZONES.length, unique('t')],
    );
  }

  async function filled(): Promise<FilledTimes> {
    const { rows } = await sql.query<FilledTimes>(FILLED);
    return rows[0] as FilledTimes;
  }

  test('fills a ledger in batches, and goes on where it was killed', async () => {
    await run('up', Migration20261123050000_local_times);
    await sql.query(`INSERT INTO schema_migration (name) VALUES ('Migration20261123050000_local_times')`);
    const holder = await sql.connect();
    await holder.query('BEGIN');
    // In the third batch.
    const { rowCount } = await holder.query(`SELECT FROM transaction WHERE ctid = '(300,1)' FOR UPDATE`);
    expect(rowCount).toBe(1);
    const { child, ended } = tillgate(['migrate'], { DATABASE_URL: fresh.url, DATA_DIR: tmpdir() });
    while ((await filled()).right === 0) await sleep(20);
    child.kill('SIGKILL');
    await ended;
    await holder.query('ROLLBACK');
    holder.release();

    const half = await filled();
    expect(half.count).toBe(ROWS);
    expect(half.right).toBeLessThan(ROWS);
    expect(await pendingMigrations(database)).toEqual([
      'Migration20261123050100_local_times_filled',
      'Migration20261123050200_local_times_required',
    ]);
    // The release before posts in the meantime, and no transaction can be changed.
    await insert(ROWS + 1, ROWS + 10);
    expect((await filled()).right).toBeGreaterThanOrEqual(half.right + 10);
    for (const change of [`memo = 'x'`, 'transaction_time = now()']) {
      await expect(sql.query(`UPDATE transaction SET ${change} WHERE seq IN (1, ${ROWS + 1})`)).rejects.toThrow(
        'append-only',
      );
    }

    expect(await migrate(database)).toHaveLength(2);
    expect(await filled()).toEqual({ count: ROWS + 10, right: ROWS + 10 });
    for (const change of [`memo = 'x'`, 'posted_time = null']) {
      await expect(sql.query(`UPDATE transaction SET ${change} WHERE false`)).rejects.toThrow('append-only');
    }
    const nullable = `SELECT is_nullable FROM information_schema.columns WHERE table_name = 'transaction' AND column_name = 'transaction_time'`;
    expect((await sql.query(nullable)).rows).toEqual([{ is_nullable: 'NO' }]);
  });
});
