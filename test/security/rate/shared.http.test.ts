import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';

const SHARED = { rateStore: 'database', ratePerSecond: 10, rateBurst: 600 } as const;

let database: FreshDatabase;
let gateways: TestGateway[];
beforeAll(async () => {
  database = await freshDatabase();
  gateways = [];
  for (let n = 0; n < 2; n++) gateways.push(await startTestGateway({ ...SHARED, databaseUrl: database.url }));
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await database.drop();
});

/** Tokens of one client at each gateway: each has an issuer of its own, and all count the same client. */
async function callers(): Promise<{ gateway: TestGateway; token: string }[]> {
  const clientId = unique('client');
  return Promise.all(gateways.map(async gateway => ({ gateway, token: await gateway.caller({ clientId }) })));
}

test('two processes give a client no more together than one would, and nearly as much', async () => {
  const both = await callers();
  let [served, refused] = [0, 0];
  // In rounds of many at once, so that they meet.
  for (let round = 0; round < 40; round++) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => both[n % 2]!).map(({ gateway, token }) =>
        gateway.as(token).rest.get('/nothing'),
      ),
    );
    served += answers.filter(({ status }) => status === 404).length;
    refused += answers.filter(({ status }) => status === 429).length;
  }
  expect(served + refused).toBe(800);
  expect(served).toBeLessThanOrEqual(600);
  // Each process may hold the last part that it took, a hundredth of all.
  expect(served).toBeGreaterThan(600 - 3 * 6);
});

test('a client is no name in the table, and few statements count it', async () => {
  const [one] = await callers();
  const { gateway, token } = one!;
  for (let n = 0; n < 30; n++) await gateway.as(token).rest.get('/nothing');
  const { rows } = await gateway.sql.query('SELECT key, points FROM rate_limit');
  for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/);
  expect(rows.map(({ points }) => points)).toContain(30);
});

test('without the table each process counts for itself, and goes on', async () => {
  const [one] = await callers();
  const { gateway, token } = one!;
  await gateway.sql.query('ALTER TABLE rate_limit RENAME TO rate_limit_away');
  const answer = await gateway.as(token).rest.get('/nothing');
  expect([answer.status, answer.headers['ratelimit-policy']]).toEqual([404, '"client";q=600;w=60']);
  await gateway.sql.query('ALTER TABLE rate_limit_away RENAME TO rate_limit');
});
