import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { BALANCES } from '../../src/bank/transaction/balance/balance.service.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { issue, statementsOf } from '../statement/issue/issuing.js';
import { entries, entry, expectSound, importing, line, post, problems, refusal, type Entry } from './support/ledger.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const DAYS = `query ($account: ID!, $from: LocalDate!, $to: LocalDate!) {
  account(accountId: $account) { dailyBalances(from: $from, to: $to) { date balance } } }`;

interface Day {
  readonly date: string;
  readonly balance: string;
}

/** The balances of some days over GraphQL, which are those of REST and of `balanceOn`. */
async function balances({ account, caller }: GivenAccount, from: string, to: string): Promise<Day[]> {
  const { data, errors } = await gateway
    .as(caller)
    .graphql<{ account: { dailyBalances: Day[] } }>(DAYS, { account, from, to });
  expect(errors).toBeUndefined();
  const days = data.account.dailyBalances;
  const rest = await gateway.as(caller).rest.get(`/accounts/${account}/balances?from=${from}&to=${to}`);
  expect([rest.status, rest.body]).toEqual([
    200,
    {
      accountId: account,
      currency: 'USD',
      balances: days.map(({ date, balance }) => ({ date, balance: Number(balance) })),
    },
  ]);
  const one = await gateway
    .as(caller)
    .graphql(`query ($id: ID!, $date: LocalDate!) { account(accountId: $id) { balanceOn(date: $date) } }`, {
      id: account,
      date: to,
    });
  expect(one.data).toEqual({ account: { balanceOn: days.at(-1)?.balance } });
  return days;
}

/** The balance as a sum over the whole ledger, to compare with. */
async function summed(account: string, from: string, to: string): Promise<Day[]> {
  const { rows } = await gateway.sql.query<Day>(
    `SELECT to_char(d, 'YYYY-MM-DD') AS date, (coalesce(sum(CASE t.debit_credit_memo WHEN 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END), 0) / 100.0)::numeric(30, 2)::text AS balance
     FROM account a CROSS JOIN generate_series($2::timestamp, $3::timestamp, interval '1 day') d
     LEFT JOIN transaction t ON t.account_id = a.account_id AND t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO'
       AND (t.posted_timestamp AT TIME ZONE a.time_zone)::date <= d::date
     WHERE a.account_id = $1 GROUP BY d ORDER BY d`,
    [account, from, to],
  );
  return rows;
}

async function expectSummed(given: GivenAccount, from: string, to: string): Promise<void> {
  expect(await balances(given, from, to)).toEqual(await summed(given.account, from, to));
}

/** The marks are what the ledger says, and are there. */
async function expectMarks(account: string): Promise<number> {
  const { rows } = await gateway.sql.query<{ marks: number; wrong: number }>(
    `SELECT count(*)::int AS marks, (count(*) FILTER (WHERE b.balance_minor IS DISTINCT FROM (
       SELECT coalesce(sum(CASE t.debit_credit_memo WHEN 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END), 0) FROM transaction t
       WHERE t.account_id = b.account_id AND t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO' AND t.posted_timestamp < b.until)))::int AS wrong
     FROM balance_mark b WHERE b.account_id = $1`,
    [account],
  );
  expect(rows[0]?.wrong).toBe(0);
  return rows[0]?.marks ?? 0;
}

/** A time of the year 2025, by the minute. */
function minuteOf2025(minute: number): string {
  return new Date(Date.UTC(2025, 0, 1) + minute * 60_000).toISOString();
}

const MINUTES = 365 * 24 * 60;

function at(minute: number, changes: Partial<Entry> = {}): Entry {
  const time = minuteOf2025(minute);
  return entry({ transactionTimestamp: time, postedTimestamp: time, ...changes });
}

test('the balance of a day counts what was posted in it, in the zone of the account', async () => {
  const given = await gateway.given.account({ timeZone: 'Pacific/Auckland' });
  await post(gateway, given, [
    entry({ amount: '10', postedTimestamp: '2026-03-01T10:59:59.999Z' }),
    entry({ amount: '5', postedTimestamp: '2026-03-01T11:00:00.000Z' }),
    entry({ amount: '2', debitCreditMemo: 'DEBIT', postedTimestamp: '2026-03-03T00:00:00.000Z' }),
    entry({ amount: '99', status: 'PENDING', postedTimestamp: null }),
    entry({ amount: '99', debitCreditMemo: 'MEMO', postedTimestamp: '2026-03-01T00:00:00.000Z' }),
  ]);
  expect(await balances(given, '2026-02-28', '2026-03-04')).toEqual([
    { date: '2026-02-28', balance: '0.00' },
    { date: '2026-03-01', balance: '10.00' },
    { date: '2026-03-02', balance: '15.00' },
    { date: '2026-03-03', balance: '13.00' },
    { date: '2026-03-04', balance: '13.00' },
  ]);
});

test('what is posted late changes the days from its own time on', async () => {
  const given = await gateway.given.account({ timeZone: 'UTC' });
  await post(
    gateway,
    given,
    entries(300, index => at(index * 1440)),
  );
  await post(gateway, given, [at(10 * 1440, { amount: '1.50', debitCreditMemo: 'DEBIT' })]);
  const days = await balances(given, '2025-01-10', '2025-01-11');
  expect(days.map(({ balance }) => balance)).toEqual(['100.00', '108.50']);
  await expectSummed(given, '2025-01-01', '2025-12-31');
  expect(await expectMarks(given.account)).toBeGreaterThan(2);
});

const movement = fc.record({
  minute: fc.nat(MINUTES - 1),
  cents: fc.nat(100_000),
  debitCreditMemo: fc.constantFrom('CREDIT' as const, 'DEBIT' as const, 'MEMO' as const),
  status: fc.constantFrom('POSTED' as const, 'POSTED' as const, 'PENDING' as const),
});
const orders = ['any', 'ascending', 'descending'] as const;

test('a year of any history, by posting and by import, is the sum over the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          isImport: fc.boolean(),
          order: fc.constantFrom(...orders),
          movements: fc.array(movement, { minLength: 1, maxLength: 400, size: 'max' }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      fc.constantFrom('America/New_York', 'Pacific/Kiritimati', 'UTC'),
      async (steps, timeZone) => {
        const given = await gateway.given.account({ timeZone });
        for (const { isImport, order, movements } of steps) {
          const sorted = order === 'any' ? movements : movements.toSorted((a, b) => a.minute - b.minute);
          const some = (order === 'descending' ? sorted.toReversed() : sorted).map(({ minute, cents, ...others }) =>
            at(minute, { amount: (cents / 100).toFixed(2), ...others }),
          );
          if (isImport) {
            const became = await importing(
              gateway,
              given.program,
              some.map(one => line(given.account, one)),
            );
            expect(new Set(became)).toEqual(new Set(['new']));
          } else await post(gateway, given, some);
        }
        await expectMarks(given.account);
        await expectSummed(given, '2024-12-31', '2025-12-31');
        await expectSound(gateway, given.account);
      },
    ),
    { numRuns: rounds(15) },
  );
});

test('the closing balance of a statement is the balance of its last day', async () => {
  const given = await gateway.given.account({ timeZone: 'America/New_York' });
  const ids = new Map<string, string>();
  // February first, so that January is posted late; then January again, after its statement would have been due.
  await post(
    gateway,
    given,
    entries(150, index => at(((index * 7919) % 28) * 1440 + 31 * 1440 + index)),
  );
  await post(
    gateway,
    given,
    entries(150, index => at((index * 7919) % (31 * 1440), { amount: `${index}.25` })),
  );
  await post(gateway, given, [at(31 * 1440 + 60, { amount: '3', debitCreditMemo: 'DEBIT' })]);
  for (const month of ['2025-01', '2025-02']) await issue(gateway, 'close', month, given.program);
  for (const { content } of await statementsOf(gateway, given.account)) {
    ids.set(content.period.end, content.closingBalance);
  }
  expect([...ids.keys()]).toEqual(['2025-01-31', '2025-02-28']);
  const days = await balances(given, '2025-01-01', '2025-02-28');
  expect(days.filter(({ date }) => ids.has(date)).map(({ date, balance }) => [date, balance])).toEqual([...ids]);
});

test('several accounts in one request are read by one statement', async () => {
  const program = gateway.given.program();
  const all = await Promise.all([1, 2, 3].map(() => gateway.given.account({ program })));
  for (const [index, given] of all.entries()) await post(gateway, given, [at(1440, { amount: `${index + 1}` })]);
  const caller = all[0]?.caller ?? '';
  const { data } = await gateway
    .as(caller)
    .graphql(`{ accounts { nodes { accountId balanceOn(date: "2025-01-31") } } }`);
  const found = Object.fromEntries(
    data.accounts.nodes.map(({ accountId, balanceOn }: { accountId: string; balanceOn: string }) => [
      accountId,
      balanceOn,
    ]),
  );
  expect(found).toEqual(Object.fromEntries(all.map(({ account }, index) => [account, `${index + 1}.00`])));
});

test('days that are no range, or too many, are refused', async () => {
  const given = await gateway.given.account();
  for (const [from, to] of [
    ['2025-01-02', '2025-01-01'],
    ['2024-01-01', '2025-01-01'],
  ] as const) {
    const refused = refusal(await gateway.as(given.caller).graphql(DAYS, { account: given.account, from, to }));
    expect(refused).toMatchObject({ code: 'rule_broken', errors: ['/to range'] });
    const rest = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/balances?from=${from}&to=${to}`);
    expect([rest.status, problems(rest.body)]).toEqual([422, { code: 'rule_broken', errors: ['/to range'] }]);
  }
  expect(await balances(given, '2024-01-01', '2024-12-31')).toHaveLength(366);
  const missing = await gateway.as(given.caller).rest.get(`/accounts/${given.account}/balances?from=2025-01-01`);
  expect([missing.status, problems(missing.body)]).toEqual([400, { code: 'invalid_input', errors: ['/to required'] }]);
});

/** How many rows of the ledger and of marks a balance reads, by the plan as it ran. */
async function rowsRead(given: GivenAccount, date: string): Promise<number> {
  const values = [[given.account], ['UTC'], [date], [date]];
  const client = await gateway.sql.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    const name = unique('plan').replace('-', '_');
    await client.query(`PREPARE ${name} (text[], text[], date[], date[]) AS ${BALANCES.text}`);
    const literals = values.map(list => `'{${list.join(',')}}'`).join(', ');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}(${literals})`);
    return readBy(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    client.release(true);
  }
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

function readBy(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = node['Relation Name'] ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), own);
}

const planned = testUnless(differsOnCitus('plans'));
planned.each(orders)(
  'a balance reads no more of a long ledger than of a short one (in %s order of time)',
  async order => {
    const read: number[] = [];
    for (const count of [1000, rounds(20_000, 5000)]) {
      const given = await gateway.given.account({ timeZone: 'UTC' });
      const minutes = Array.from({ length: count }, (_, index) => Math.floor((index * MINUTES) / count));
      if (order === 'descending') minutes.reverse();
      if (order === 'any') minutes.forEach((_, index) => (minutes[index] = (index * 7_368_787) % MINUTES));
      for (let from = 0; from < count; from += 2000) {
        const some = minutes.slice(from, from + 2000).map(minute => line(given.account, at(minute)));
        await importing(gateway, given.program, some);
      }
      await gateway.sql.query('ANALYZE transaction; ANALYZE balance_mark');
      for (const date of ['2025-01-01', '2025-03-01', '2025-07-14', '2025-12-30', '2026-06-01']) {
        read.push(await rowsRead(given, date));
      }
      await expectSummed(given, '2025-07-01', '2025-07-31');
    }
    // Two marks' distance, what came since marks were last looked for, and the marks themselves.
    expect(Math.max(...read)).toBeLessThan(260);
  },
);
