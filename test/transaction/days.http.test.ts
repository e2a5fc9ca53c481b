import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayOf, startOfDay } from '../../src/shared/days.js';
import { rounds } from '../support/rounds.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { issue, post, statementsOf } from '../statement/issue/issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Days that begin twice, days without a midnight, a day that there never was, and a month that has nothing of it. */
const TURNS = [
  { timeZone: 'America/Havana', month: '2026-10', last: '2026-10-31', next: '2026-11-01', begins: '2026-11-01T04:00Z' },
  { timeZone: 'America/Havana', month: '2026-02', last: '2026-02-28', next: '2026-03-01', begins: '2026-03-01T05:00Z' },
  {
    timeZone: 'Atlantic/Azores',
    month: '2021-10',
    last: '2021-10-31',
    next: '2021-11-01',
    begins: '2021-11-01T01:00Z',
  },
  { timeZone: 'Asia/Amman', month: '2022-03', last: '2022-03-31', next: '2022-04-01', begins: '2022-03-31T21:00Z' },
  {
    timeZone: 'America/Asuncion',
    month: '2023-09',
    last: '2023-09-30',
    next: '2023-10-01',
    begins: '2023-10-01T04:00Z',
  },
  {
    timeZone: 'America/Sao_Paulo',
    month: '2008-10',
    last: '2008-10-31',
    next: '2008-11-01',
    begins: '2008-11-01T02:00Z',
  },
  {
    timeZone: 'America/St_Johns',
    month: '2009-10',
    last: '2009-10-31',
    next: '2009-11-01',
    begins: '2009-11-01T02:30Z',
  },
  { timeZone: 'Pacific/Apia', month: '2011-12', last: '2011-12-31', next: '2012-01-01', begins: '2011-12-31T10:00Z' },
];

const MINUTE_MS = 60_000;

/** Per day of two, what each reader has: the number of entries, and of the balances the sum. */
async function read({ account, caller }: GivenAccount, day: string) {
  const path = `/accounts/${account}/transactions?startTime=${day}&endTime=${day}`;
  const [list, csv, camt, ofx, bai2, balances] = await Promise.all([
    gateway.as(caller).rest.get(path),
    ...['csv', 'camt.053', 'ofx', 'bai2'].map(format => gateway.as(caller).rest.get(`${path}&format=${format}`)),
    gateway.as(caller).rest.get(`/accounts/${account}/balances?from=${day}&to=${day}`),
  ]);
  return {
    history: (list?.body as { page: { totalElements: number } } | undefined)?.page.totalElements,
    csv: (csv?.text.trim().split('\r\n').length ?? 0) - 1,
    camt: camt?.text.match(/<Ntry>/g)?.length ?? 0,
    ofx: ofx?.text.match(/<STMTTRN>/g)?.length ?? 0,
    bai2: bai2?.text.match(/^16,/gm)?.length ?? 0,
    balance: JSON.stringify(balances?.body),
  };
}

test.each(TURNS)('every reader has the same entries in $last and $next in $timeZone', async turn => {
  const { timeZone, month, last, next, begins } = turn;
  const of = await gateway.given.account({ timeZone, program: gateway.given.program() });
  const at = (minutes: number): string => new Date(Date.parse(begins) + minutes * MINUTE_MS).toISOString();
  const before = [-3, -2, -1];
  const after = [0, 1, 20, 59, 60, 61, 90, 119, 120];
  await post(
    gateway,
    of,
    [...before, ...after].map(minutes => ({ at: at(minutes), amount: '1.00' })),
  );
  const each = (count: number) => ({ history: count, csv: count, camt: count, ofx: count, bai2: count });
  const balance = (amount: number): unknown => expect.stringMatching(new RegExp(`[^0-9]${amount}(\\.00)?[^0-9]`));
  expect(await read(of, last)).toEqual({ ...each(3), balance: balance(3) });
  expect(await read(of, next)).toEqual({ ...each(9), balance: balance(12) });
  await issue(gateway, 'close', month, of.program);
  const [{ content } = { content: null }] = await statementsOf(gateway, of.account);
  expect(content?.entries.map(({ postedOn }) => postedOn)).toEqual(before.map(() => last));
  expect(content?.closingBalance).toBe('3.00');
});

describe('the rule', () => {
  test('puts each instant into one day, in the order of days, in the zones that the database knows', async () => {
    // The day and a half about each change of a clock, in these years, every half hour and a little later.
    const { rows } = await gateway.sql.query<{ name: string; instant: Date }>(
      `WITH zone AS MATERIALIZED (
         SELECT name FROM pg_timezone_names WHERE name !~ '^(posix|right)/' ORDER BY random() LIMIT $1),
       turn AS MATERIALIZED (SELECT name, d FROM (
           SELECT name, d, d AT TIME ZONE name - lag(d AT TIME ZONE name) OVER (PARTITION BY name ORDER BY d) AS passed
           FROM zone, generate_series(timestamptz '2009-01-01Z', '2010-12-31Z', '1 day') d
           UNION ALL SELECT name, d, d AT TIME ZONE name - lag(d AT TIME ZONE name) OVER (PARTITION BY name ORDER BY d)
           FROM zone, generate_series(timestamptz '2025-09-01Z', '2026-12-31Z', '1 day') d) t
         WHERE passed <> interval '1 day'),
       probe AS MATERIALIZED (SELECT DISTINCT name, d + m * interval '30 minutes' + s * interval '40 seconds' AS instant
         FROM turn, generate_series(-60, 12) m, generate_series(0, 1) s),
       days AS MATERIALIZED (SELECT name, instant, ${dayOf('instant', 'name')} AS day FROM probe)
       SELECT name, instant FROM (SELECT *, lag(day) OVER (PARTITION BY name ORDER BY instant) AS day_before FROM days) o
       WHERE day < day_before OR instant < ${startOfDay('day', 'name')} OR instant >= ${startOfDay('day + 1', 'name')}
         OR day NOT BETWEEN (instant AT TIME ZONE name)::date AND (instant AT TIME ZONE name)::date + 1`,
      [rounds(1000)],
    );
    expect(rows).toEqual([]);
  });
});
