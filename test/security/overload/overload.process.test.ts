import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import type pg from 'pg';
import { startGatewayInside, type Answer, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import { leastBeneficiary } from '../../support/given.js';
import { until } from '../../support/until.js';
import { restCode } from '../../support/answers.js';

let gateway: GatewayInThisProcess;
afterEach(() => gateway.stop());

const status = async (path: string, token: string | null = null) => (await gateway.as(token).rest.get(path)).status;

function expectRefused({ status: given, headers, body }: Answer): void {
  const code = body.code ?? restCode(body.errors[0].extensions.code);
  expect([given, code, headers['retry-after']]).toEqual([503, 'overloaded', '1']);
}

test('while more wait for the database than may, new requests are refused at once, those inside are answered, and then all is as before', async () => {
  gateway = await startGatewayInside({ poolSize: 1, maxWaiting: 2, maxDelayMs: 60_000 });
  const { caller, account } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  const held = await gateway.gateway.container.database.pool.connect();
  const write = () =>
    gateway.as(caller).rest.post(`/accounts/${account}/owners/remove`, { holders: [{ customerId: randomUUID() }] });
  const inside = [write(), write()];
  // While the database is not reached in time it is not ready either, and says so in other words.
  await until(async () => (await gateway.as(null).rest.get('/readyz')).body.code === 'overloaded');

  const before = gateway.log.filter(line => line.includes('"msg":"request"')).length;
  const refused = [
    await gateway.as(caller).rest.get(path),
    await write(),
    await gateway.as(caller).raw({
      method: 'POST',
      path: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: { query: '{ __typename }' },
    }),
    // Not even who asks is looked at.
    await gateway.as('nonsense').rest.get(path),
  ];
  for (const answer of refused) expectRefused(answer);
  expectRefused(await gateway.as(null).rest.get('/readyz'));
  expect([await status('/livez'), await status('/metrics')]).toEqual([200, 200]);
  expect(gateway.log.filter(line => line.includes('"msg":"request"')).length).toBeGreaterThanOrEqual(before + 4);

  held.release();
  expect((await Promise.all(inside)).map(answer => answer.status)).toEqual([200, 200]);
  await gateway.ready();
  expect((await write()).status).toBe(200);
  const { rows } = await gateway.sql.query('SELECT count(*)::int AS n FROM event WHERE account_id = $1', [account]);
  expect(rows).toEqual([{ n: 3 }]);
  expect(gateway.log.map(line => String(JSON.parse(line).msg)).filter(message => message.includes('overload'))).toEqual(
    ['the gateway is overloaded and refuses new requests', 'the overload has ended'],
  );
});

test('a client has at most three quarters of what is worked on, and others find places beside it', async () => {
  gateway = await startGatewayInside({ maxDelayMs: 600_000 });
  const [busy, calm] = await Promise.all([gateway.given.account(), gateway.given.account()]);
  const unlock = await gateway.lockAccount(busy.account);
  const add = ({ caller, account }: typeof busy) =>
    gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
  const writes: Promise<Answer>[] = [];
  const refused: Answer[] = [];
  await until(async () => {
    for (let n = 0; n < 50; n++) writes.push(add(busy));
    refused.push(...[await gateway.as(busy.caller).rest.get('/nothing')].filter(answer => answer.status !== 404));
    return refused.length > 0;
  });
  for (const answer of refused) expectRefused(answer);
  // A machine that holds up the process has everybody refused for a moment.
  await until(async () => (await status('/nothing', calm.caller)) === 404);
  await until(async () => (await add(calm)).status === 201);
  await unlock();
  await Promise.all(writes);
  await until(async () => (await status('/nothing', busy.caller)) === 404);
});

test('while requests are late, fewer are let in, whatever it is that they wait for', async () => {
  gateway = await startGatewayInside({ maxDelayMs: 10 });
  const given = await Promise.all(Array.from({ length: 90 }, () => gateway.given.account()));
  const caller = await gateway.caller();
  const unlock = await gateway.lockAccount(...given.map(({ account }) => account));
  const writes = given.map(({ caller: own, account }) =>
    gateway.as(own).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary()),
  );
  await until(async () => (await status('/nothing', caller)) === 503);
  expect(await status('/livez')).toBe(200);
  await unlock();
  const answers = await Promise.all(writes);
  expect(answers.map(answer => answer.status).filter(code => code !== 201 && code !== 503)).toEqual([]);
  await until(async () => (await status('/nothing', caller)) === 404);
});

test('a process that is held up again and again lets in a few and no more, and serves when it is no longer', async () => {
  gateway = await startGatewayInside({ maxDelayMs: 50 });
  const caller = await gateway.caller();
  const isRefusing = () =>
    gateway.log.some(line => line.includes('the gateway is overloaded and refuses new requests'));
  const holdUp = async () => {
    const heldUntil = performance.now() + 200;
    while (performance.now() < heldUntil);
    await new Promise(resolve => setTimeout(resolve, 0));
  };
  for (let n = 0; n < 4; n++) await holdUp();
  expect(isRefusing()).toBe(false);

  const given = await Promise.all(Array.from({ length: 5 }, () => gateway.given.account()));
  const unlock = await gateway.lockAccount(...given.map(({ account }) => account));
  const writes = given.map(({ caller: own, account }) =>
    gateway.as(own).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary()),
  );
  while (!isRefusing()) await holdUp();
  await unlock();
  await Promise.all(writes);
  await until(async () => (await status('/nothing', caller)) !== 503);
  expect((await gateway.as(null).rest.get('/livez')).status).toBe(200);
});

test('every session of the pool has its limits', async () => {
  gateway = await startGatewayInside({ poolSize: 3 });
  const { pool } = gateway.gateway.container.database;
  const clients: pg.PoolClient[] = [];
  for (let n = 0; n < 3; n++) clients.push(await pool.connect());
  for (const client of clients) {
    const { rows } = await client.query(
      `SELECT current_setting('statement_timeout') s, current_setting('lock_timeout') l, current_setting('idle_in_transaction_session_timeout') i`,
    );
    expect(rows).toEqual([{ s: '10s', l: '2s', i: '10s' }]);
    client.release();
  }
});
