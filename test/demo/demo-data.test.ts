import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Config } from '../../src/config.js';
import { DEMO_BANKS } from '../../src/demo/demo-bank.js';
import { demoRecords } from '../../src/demo/demo-records.js';
import { importing, customerRecord } from '../main/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';

const [DEMO, ACME] = DEMO_BANKS.map(demoRecords) as [ReturnType<typeof demoRecords>, ReturnType<typeof demoRecords>];
const EVERYTHING = { customer: 18, account: 22 };

let database: FreshDatabase;
let gateways: TestGateway[];

beforeEach(async () => {
  database = await freshDatabase();
  gateways = [];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.stop();
  await database.drop();
});

async function start(changes: Partial<Config> = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({ demoData: true, databaseUrl: database.url, ...changes });
  gateways.push(gateway);
  return gateway;
}

test('the first start loads two programs, each with its own customers and accounts', async () => {
  const gateway = await start();
  expect(await gateway.rows()).toMatchObject({ ...EVERYTHING, event: 0 });
  for (const { program, count, first } of [
    { program: 'demo', count: 15, first: 'demo-1001' },
    { program: 'acme', count: 7, first: 'acme-2001' },
  ]) {
    const caller = gateway.as(await gateway.caller({ program }));
    const { data } = await caller.graphql('{ accounts(first: 1) { totalCount nodes { accountId } } }');
    expect(data.accounts).toEqual({ totalCount: count, nodes: [{ accountId: first }] });
  }
});

test('the first account is a joint one with beneficiaries', async () => {
  const gateway = await start();
  const { data } = await gateway
    .as(await gateway.caller())
    .graphql(
      `{ account(accountId: "demo-1001") { currency owners { customerId name { first } isPrimary } beneficiaries { totalCount } } }`,
    );
  expect(data.account).toMatchObject({
    currency: 'USD',
    owners: [
      { customerId: '0000d001-0000-4000-8000-000000000000', name: { first: 'Maren' }, isPrimary: true },
      { customerId: '0000d002-0000-4000-8000-000000000000', name: { first: 'Tobias' }, isPrimary: false },
    ],
    beneficiaries: { totalCount: 3 },
  });
});

test('gateways that start at once load it once', async () => {
  const [gateway] = await Promise.all([start(), start(), start()]);
  expect(await gateway.rows()).toMatchObject(EVERYTHING);
});

test('a program that has customers is left alone', async () => {
  const before = await start({ demoData: false });
  await importing(before.gateway.bank, 'customers', 'demo', [customerRecord()]);
  expect(await (await start()).rows()).toMatchObject({ customer: 1 + 6, account: 7 });
});

test('a database where other programs have its ids starts all the same, and is told so', async () => {
  const before = await start({ demoData: false });
  await importing(before.gateway.bank, 'customers', 'other', [DEMO.customers[3] as object]);
  const gateway = await start();
  expect(await gateway.rows()).toMatchObject({ customer: 1 + 6, account: 7 });
  expect(gateway.log.join('')).toContain('demo data is not loaded');
});

test('it is the same every time and everywhere', () => {
  expect(DEMO_BANKS.map(demoRecords)).toEqual([DEMO, ACME]);
  // A change of the demo data is a change for everybody who has learnt it by heart: change this line knowingly.
  expect(
    createHash('sha256')
      .update(JSON.stringify([DEMO, ACME]))
      .digest('hex')
      .slice(0, 16),
  ).toBe('921dfc60f058a9a5');
});

test('its sizes are what the documentation says, with the currencies that have other digits than two', () => {
  expect([DEMO.customers.length, ACME.customers.length, DEMO.accounts.length, ACME.accounts.length]).toEqual([
    12, 6, 15, 7,
  ]);
  expect(new Set(DEMO.accounts.map(account => (account as { currency: string }).currency))).toEqual(
    new Set(['USD', 'EUR', 'JPY', 'KWD']),
  );
});

test('nothing in it can belong to anybody', () => {
  const text = JSON.stringify([DEMO, ACME]);
  const taxIds = [...text.matchAll(/"taxId":"([^"]+)"/g)].map(([, taxId]) => taxId);
  // Social Security numbers have no middle digits 00, employers' numbers no prefix 00, German tax ids do not begin with 0.
  for (const taxId of taxIds) expect(taxId).toMatch(/^(900-00-\d{4}|00-\d{7}|0\d{10})$/);
  expect(new Set(taxIds).size).toBe(taxIds.length);
  for (const [, domain] of text.matchAll(/@([^"]+)"/g)) expect(domain).toBe('example.test');
  for (const [, number] of text.matchAll(/"number":"([^"]+)"/g)) expect(number).toMatch(/^\+1 \d{3} 555 01\d\d$/);
});
