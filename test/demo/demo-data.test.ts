import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DEMO_BANKS } from '../../src/demo/demo-bank.js';
import { demoRecords } from '../../src/demo/demo-records.js';
import { importing, customerRecord } from '../main/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { freshDatabase } from '../support/postgres.js';

const [DEMO, ACME] = DEMO_BANKS.map(demoRecords) as [ReturnType<typeof demoRecords>, ReturnType<typeof demoRecords>];
const EVERYTHING = { customer: 18, account: 22 };

async function withGateways(count: number, work: (...gateways: TestGateway[]) => Promise<void>): Promise<void> {
  const database = await freshDatabase();
  const gateways = await Promise.all(
    Array.from({ length: count }, () => startTestGateway({ demoData: true, databaseUrl: database.url })),
  );
  try {
    await work(...gateways);
  } finally {
    await Promise.all(gateways.map(gateway => gateway.stop()));
    await database.drop();
  }
}

test('the first start loads two programs, each with its own customers and accounts', async () => {
  await withGateways(1, async gateway => {
    expect(await gateway.rows()).toMatchObject({ ...EVERYTHING, event: 0 });
    for (const [program, count, first] of [['demo', 15, 'demo-1001'], ['acme', 7, 'acme-2001']]) {
      const caller = gateway.as(await gateway.caller({ program: program as string }));
      const { data } = await caller.graphql('{ accounts(first: 1) { totalCount nodes { accountId } } }');
      expect(data.accounts).toEqual({ totalCount: count, nodes: [{ accountId: first }] });
    }
  });
});

test('the first account is a joint one with beneficiaries', async () => {
  await withGateways(1, async gateway => {
    const caller = gateway.as(await gateway.caller());
    const { data } = await caller.graphql(
      `{ account(accountId: "demo-1001") { currency owners { customerId name { first } taxId isPrimary } beneficiaries { totalCount } } }`,
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
});

test('processes that start at once load it once', async () => {
  await withGateways(3, async gateway => {
    expect(await gateway.rows()).toMatchObject(EVERYTHING);
  });
});

test('a program that has customers is left alone', async () => {
  const database = await freshDatabase();
  const before = await startTestGateway({ databaseUrl: database.url });
  await importing(before.gateway.bank, 'customers', 'demo', [customerRecord()]);
  const gateway = await startTestGateway({ demoData: true, databaseUrl: database.url });
  expect(await gateway.rows()).toMatchObject({ customer: 1 + 6, account: 7 });
  await gateway.stop();
  await before.stop();
  await database.drop();
});

test('a database where other programs have its ids starts all the same, and is told so', async () => {
  const database = await freshDatabase();
  const before = await startTestGateway({ databaseUrl: database.url });
  await importing(before.gateway.bank, 'customers', 'other', [DEMO.customers[3] as object]);
  const gateway = await startTestGateway({ demoData: true, databaseUrl: database.url });
  expect(await gateway.rows()).toMatchObject({ customer: 1 + 6, account: 7 });
  expect(gateway.log.join('')).toContain('demo data is not loaded');
  await gateway.stop();
  await before.stop();
  await database.drop();
});

test('it is the same every time and everywhere', () => {
  expect(DEMO_BANKS.map(demoRecords)).toEqual([DEMO, ACME]);
  // A change of the demo data is a change for everybody who has learnt it by heart: change this line knowingly.
  expect(createHash('sha256').update(JSON.stringify([DEMO, ACME])).digest('hex').slice(0, 16)).toBe('e46994fcf4b488fd');
});

test('its sizes are what the documentation says, with the currencies that have other digits than two', () => {
  expect([DEMO.customers.length, ACME.customers.length, DEMO.accounts.length, ACME.accounts.length]).toEqual([12, 6, 15, 7]);
  expect(new Set(DEMO.accounts.map(account => (account as { currency: string }).currency))).toEqual(new Set(['USD', 'EUR', 'JPY', 'KWD']));
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
