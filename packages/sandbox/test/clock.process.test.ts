import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { later } from '../src/sandbox.duration.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
let database: FreshDatabase;
let gateway: TestGateway;
beforeAll(async () => {
  database = await freshDatabase();
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
});

const DAY_MS = 86_400_000;
const STATEMENTS = `query ($id: ID!) { account(accountId: $id) { statements(first: 20) { nodes { documentType statementDate } } } }`;

/** An account of a program of its own that can issue every document. */
async function given() {
  const of = await gateway.given.account();
  await gateway.given.programRecord(of.program);
  const client = gateway.as(of.caller);
  return {
    ...of,
    client,
    now: async () => Date.parse((await client.rest.get('/simulate/clock')).body.now),
    documents: async (): Promise<string[]> => {
      const { data } = await client.graphql(STATEMENTS, { id: of.account });
      return data.account.statements.nodes.map(
        (one: { documentType: string; statementDate: string }) => `${one.documentType} ${one.statementDate}`,
      );
    },
  };
}

const year = new Date().getUTCFullYear() + 1;

test('shows the real time until it is moved, and goes on from where it was moved to', async () => {
  const { now, client } = await given();
  const before = Date.now();
  expect(await now()).toBeGreaterThanOrEqual(before - 1000);
  expect(await now()).toBeLessThan(before + 60_000);
  const { body } = await client.rest.post('/simulate/clock', { forward: 'PT36H' });
  expect(Date.parse(body.now) - before).toBeGreaterThanOrEqual(1.5 * DAY_MS);
  expect(await now()).toBeGreaterThanOrEqual(Date.parse(body.now));
  const { data } = await client.graphql('{ simulatedClock { now } }');
  expect(Date.parse(data.simulatedClock.now)).toBeGreaterThanOrEqual(Date.parse(body.now));
});

test('is the time of what is simulated, and events keep the real time', async () => {
  const { account, client } = await given();
  const to = `${year}-02-03T04:05:06.000Z`;
  await client.rest.post('/simulate/clock', { to: `${year}-02-01T00:00:00Z` });
  await client.rest.post('/simulate/clock', { to });
  const { body } = await client.rest.post('/simulate/wire', { accountId: account });
  const { postedTimestamp, transactionTimestamp } = body.depositTransaction;
  expect(postedTimestamp).toBe(transactionTimestamp);
  expect(Date.parse(postedTimestamp) - Date.parse(to)).toBeLessThan(60_000);
  expect(postedTimestamp >= to).toBe(true);
  const { rows } = await gateway.sql.query(
    `SELECT bool_and(occurred_at < now()) AS real FROM event WHERE account_id = $1`,
    [account],
  );
  expect(rows[0].real).toBe(true);
});

test('is the day on which an account is opened if nobody says when', async () => {
  const { client, owners } = await given();
  const { body: clock } = await client.rest.post('/simulate/clock', { to: `${year}-02-03T23:30:00Z` });
  const opened = await client.rest.post('/accounts', {
    accountId: unique('acc'),
    accountType: 'CHECKING',
    currency: 'USD',
    timeZone: 'Pacific/Kiritimati',
    interestBearing: false,
    owners,
  });
  expect([opened.status, opened.body.openedOn]).toEqual([201, `${year}-02-04`]);
  expect(Date.parse(clock.now)).toBeGreaterThan(Date.now());
});

test('closes the months and the year that end on the way, in their order', async () => {
  const { account, client, documents } = await given();
  await client.rest.post('/simulate/clock', { to: `${year}-11-20T12:00:00Z` });
  const before = await documents();
  await client.rest.post('/simulate/interest', { accountId: account, amount: 25 });
  const moved = await client.rest.post('/simulate/clock', { to: `${year + 1}-01-01T12:30:00Z` });
  expect(moved.status).toBe(200);
  expect(
    moved.body.statementRuns.map((run: { documentType: string; period: string; status: string; issued: number }) => [
      run.documentType,
      run.period,
      run.status,
      run.issued,
    ]),
  ).toEqual([
    ['STATEMENTS', `${year}-11`, 'FINISHED', 1],
    ['STATEMENTS', `${year}-12`, 'FINISHED', 1],
    ['TAX_1099', String(year), 'FINISHED', 1],
  ]);
  expect((await documents()).filter(one => !before.includes(one))).toEqual([
    `TAX_1099 ${year}-12-31`,
    `STATEMENTS ${year}-12-31`,
    `STATEMENTS ${year}-11-30`,
  ]);
});

test('is the same for every process on the database', async () => {
  const { account, program, client, now } = await given();
  const other = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  try {
    const there = other.as(await other.caller({ program })).rest;
    const { body: moved } = await client.rest.post('/simulate/clock', { forward: 'P200D' });
    const { body: seen } = await there.get('/simulate/clock');
    expect(seen.now >= moved.now).toBe(true);
    const { body } = await there.post('/simulate/wire', { accountId: account });
    expect(body.depositTransaction.postedTimestamp >= seen.now).toBe(true);
    const { body: further } = await there.post('/simulate/clock', { forward: 'P200D' });
    expect(await now()).toBeGreaterThanOrEqual(Date.parse(further.now));
    expect(Date.parse(further.now) - Date.parse(moved.now)).toBeGreaterThanOrEqual(200 * DAY_MS);
  } finally {
    await other.stop();
  }
});

test('is the day on which documents were issued, as they say', async () => {
  const { account, client } = await given();
  await client.rest.post('/simulate/wire', { accountId: account });
  const moved = await client.rest.post('/simulate/clock', { forward: 'P2M' });
  const { body } = await client.rest.get(`/accounts/${account}/statements`);
  const { statementId } = body.statements[0];
  const statement = await client.rest.get(`/accounts/${account}/Statements/${statementId}?format=json`);
  expect(statement.body.issuedOn.slice(0, 7)).toBe(moved.body.now.slice(0, 7));
});

test('never goes back, and is moved once under one idempotency key', async () => {
  const { client, now } = await given();
  const key = keyed(unique('key'));
  const first = await client.rest.post('/simulate/clock', { forward: 'P10D' }, key);
  const retry = await client.rest.post('/simulate/clock', { forward: 'P10D' }, key);
  expect(retry.body).toEqual(first.body);
  const at = await now();
  const back = new Date(at - 1000).toISOString();
  expect(await client.rest.post('/simulate/clock', { to: back })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/to', code: 'range' }] },
  });
  const moves = await Promise.all(
    Array.from({ length: 8 }, () => client.rest.post('/simulate/clock', { forward: 'PT1H' })),
  );
  expect(moves.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect((await now()) - at).toBeGreaterThanOrEqual(8 * 3_600_000);
});

test.each([
  ['neither', {}, '/to', 'alternatives'],
  ['both', { forward: 'P1D', to: `${year}-01-01T00:00:00Z` }, '/to', 'alternatives'],
  ['no time at all', { forward: 'PT0S' }, '/forward', 'range'],
  ['more than a year', { forward: 'P1Y2D' }, '/forward', 'range'],
  ['a far year', { to: '2150-01-01T00:00:00Z' }, '/to', 'range'],
  ['what is no duration', { forward: '1 month' }, '/forward', 'format'],
  ['a duration without parts', { forward: 'PT' }, '/forward', 'format'],
])('is not moved by %s', async (_what, input, pointer, code) => {
  const { client, now } = await given();
  const rest = await client.rest.post('/simulate/clock', input);
  expect(rest).toMatchObject({ status: 422, body: { code: 'rule_broken', errors: [{ pointer, code }] } });
  const { errors } = await client.graphql(
    'mutation ($input: ClockInput!) { simulateClock(input: $input) { move { now } } }',
    {
      input,
    },
  );
  expect(errors?.[0]?.extensions).toMatchObject({ errors: [{ pointer: `/input${pointer}`, code }] });
  expect(await now()).toBeLessThan(Date.now() + DAY_MS / 2);
});

describe('the close of a month', () => {
  test('issues the statements of the last month that is over, or of the one that is named', async () => {
    const { account, client, documents } = await given();
    await client.rest.post('/simulate/ach-credit', { accountId: account });
    const month = new Date().toISOString().slice(0, 7);
    const early = await client.rest.post('/simulate/month-close', { month });
    expect(early).toMatchObject({ status: 422, body: { errors: [{ pointer: '/month', code: 'range' }] } });
    const { data, errors } = await client.graphql(
      'mutation { simulateMonthClose { run { documentType status issuedCount leftOutCount } } }',
    );
    expect(errors).toBeUndefined();
    expect(data.simulateMonthClose.run).toMatchObject({
      documentType: 'STATEMENTS',
      status: 'FINISHED',
      leftOutCount: 0,
    });
    await client.rest.post('/simulate/clock', { forward: 'P1M' });
    expect((await documents()).some(one => one.startsWith(`STATEMENTS ${month}`))).toBe(true);
    const again = await client.rest.post('/simulate/month-close', { month });
    expect(again.body).toMatchObject({ status: 'FINISHED', period: month, issued: 0 });
  });

  test('leaves out the accounts of a program that lacks what statements must say', async () => {
    const { caller } = await gateway.given.account();
    const { body } = await gateway.as(caller).rest.post('/simulate/month-close', {});
    expect(body).toMatchObject({ status: 'FINISHED', issued: 0, leftOutCount: 1 });
  });
});

test('durations are those of the calendar in UTC', () => {
  const from = new Date('2027-01-31T12:00:00.000Z');
  const at = (duration: string) => later(from, duration).toISOString();
  expect(at('P1M')).toBe('2027-02-28T12:00:00.000Z');
  expect(at('P1Y1M1W1DT1H1M1S')).toBe('2028-03-08T13:01:01.000Z');
  expect(at('P13M')).toBe('2028-02-29T12:00:00.000Z');
  expect(at('PT36H')).toBe('2027-02-02T00:00:00.000Z');
});
