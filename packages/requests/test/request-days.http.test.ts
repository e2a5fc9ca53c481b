import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SCOPES } from '../../../src/shared/caller.js';
import { valueOf } from '../../../test/platform/metrics/reading.js';
import { startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { until } from '../../../test/support/until.js';
import type * as Inside from './request-log.inside.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: { REQUEST_LOG: 'all', REQUEST_LOG_DAYS: '3' } });
});
afterAll(() => gateway.stop());

const inside = () => gateway.module<typeof Inside>('packages/requests/test/request-log');
const ids = (id: string) => ({ 'x-request-id': id });

async function texts(): Promise<string> {
  const { rows } = await gateway.sql.query<{ text: string }>('SELECT r::text AS text FROM api_request r');
  return rows.map(({ text }) => text).join('\n');
}

async function days(): Promise<string[]> {
  const { rows } = await gateway.sql.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' AND relname LIKE 'api_request_%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** The name of the part of the table that has the day so many days ago, in UTC. */
async function dayAgo(count: number): Promise<string> {
  const { rows } = await gateway.sql.query<{ name: string }>(
    `SELECT 'api_request_' || to_char((now() AT TIME ZONE 'UTC')::date - $1::int, 'YYYYMMDD') AS name`,
    [count],
  );
  return String(rows[0]?.name);
}

beforeEach(() => inside().prepare());

test('a day is a part of the table, which is there before it begins and dropped as a whole when its time is over', async () => {
  expect(await days()).toEqual([await dayAgo(1), await dayAgo(0), await dayAgo(-1), await dayAgo(-2)]);
  for (const count of [3, 4, 9]) {
    const day = await dayAgo(count);
    await gateway.sql.query(`CREATE TABLE ${day} (LIKE api_request INCLUDING ALL)`);
    const bounds = (at: number) => `(now() AT TIME ZONE 'UTC')::date - ${at}`;
    const { rows } = await gateway.sql.query<{ from: string; to: string }>(
      `SELECT (${bounds(count)})::text || 'Z' AS from, (${bounds(count - 1)})::text || 'Z' AS to`,
    );
    await gateway.sql.query(
      `ALTER TABLE api_request ATTACH PARTITION ${day} FOR VALUES FROM ('${rows[0]?.from}') TO ('${rows[0]?.to}')`,
    );
  }
  expect(await inside().prepare()).toBe(2);
  expect((await days())[0]).toBe(await dayAgo(3));
  expect(await days()).toHaveLength(5);
  expect(await inside().prepare()).toBe(0);
});

test('with `all`, reads are kept as well', async () => {
  const { account, caller } = await gateway.given.account();
  const id = unique('read');
  await gateway.as(caller).rest.get(`/accounts/${account}`, ids(id));
  await until(async () => (await texts()).includes(id));
  expect(await texts()).toContain('GET /accounts/:accountId');
});

test('many requests at once are all in the log, with what each was refused for', async () => {
  const { program, caller } = await gateway.given.account();
  const all = Array.from({ length: 120 }, () => unique('many'));
  const { rest } = gateway.as(caller);
  await Promise.all(all.map(id => rest.post('/accounts/nobody-1/restrict', { reason: 7, 'a\\b': 'x' }, ids(id))));
  const found = async () => {
    const { rows } = await gateway.sql.query<{ request_id: string; problems: object }>(
      'SELECT request_id, stored_problems AS problems FROM api_request WHERE program = $1',
      [program],
    );
    return rows;
  };
  await until(async () => (await found()).length === all.length);
  const rows = await found();
  expect(rows.map(({ request_id: id }) => id).toSorted()).toEqual(all.toSorted());
  const fields = [
    { code: 'unknown_field', pointer: '' },
    { code: 'wrong_type', pointer: '/reason' },
  ];
  for (const { problems } of rows) expect(problems).toEqual([{ code: 'invalid_input', fields }]);
});

test('requests that the database does not take are dropped and counted, and answered all the same', async () => {
  const { account, program, caller } = await gateway.given.account();
  const dropped = async () =>
    valueOf((await gateway.http.send({ path: '/metrics' })).text, 'tillgate_request_log_dropped_total') ?? 0;
  const before = await dropped();
  await gateway.sql.query(`ALTER TABLE api_request ADD CONSTRAINT away CHECK (program <> '${program}') NOT VALID`);
  const [lost, kept] = [unique('lost'), unique('kept')];
  const { status } = await gateway
    .as(caller)
    .rest.post(`/accounts/${account}/restrict`, { reason: 'Because' }, ids(lost));
  expect(status).toBe(200);
  await until(async () => (await dropped()) > before);
  await gateway.sql.query('ALTER TABLE api_request DROP CONSTRAINT away');
  await gateway.as(caller).rest.post(`/accounts/${account}/unrestrict`, {}, ids(kept));
  await until(async () => (await texts()).includes(kept));
  expect(await texts()).not.toContain(lost);
  expect((await gateway.logged()).join('')).toContain('requests could not be written to the log of requests');
});

test('a request that the database does not take costs no other its place in the log', async () => {
  const program = gateway.given.program();
  const id = unique('unfit');
  await inside().addUnfit(program, id);
  await inside().flush();
  const { rows } = await gateway.sql.query('SELECT subject, request_bytes FROM api_request WHERE request_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ subject: 'core-7', request_bytes: 2_147_483_647 }]);
});

test('of an erased customer the log has the pseudonyms of the own tokens alone, as events do', async () => {
  const { program, customer, email } = await gateway.given.customer();
  const { account } = await gateway.given.account({ program, owners: [customer] });
  const operator = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
  const person = gateway.as(await gateway.caller({ program, customerId: customer, subject: 'pseudonym-7' }));
  const own = unique('own');
  await person.rest.get(`/accounts/${account}`, ids(own));
  await operator.rest.patch(`/customers/${customer}`, { contact: { email: [email] } }, ids(unique('change')));
  await operator.rest.post(`/accounts/${account}/close`, { reason: 'Because' });
  const erased = unique('erased');
  const { status } = await operator.rest.post(`/customers/${customer}/erase`, { reason: 'Because' }, ids(erased));
  expect(status).toBe(200);
  await until(async () => (await texts()).includes(erased) && (await texts()).includes(own));
  const { rows } = await gateway.sql.query('SELECT * FROM api_request WHERE program = $1', [program]);
  const others = rows.map(row => ({ ...row, customer_id: null }));
  expect(JSON.stringify(others)).not.toContain(customer);
  expect(JSON.stringify(rows)).not.toContain(email);
  expect(rows.filter(row => row.customer_id === customer).map(({ subject }) => subject)).toEqual(['pseudonym-7']);
});
