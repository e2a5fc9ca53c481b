import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
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

  test('posted and imported, each transaction gets the local times that PostgreSQL gives', async () => {
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
      const { rows: filled } = await gateway.sql.query<FilledTimes>(`${FILLED} WHERE t.account_id = $1`, [
        given.account,
      ]);
      expect([timeZone, filled[0]]).toEqual([timeZone, { count: 120, right: 120 }]);
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
