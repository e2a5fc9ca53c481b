import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Config } from '../../../../src/app/config.js';
import { DEMO_BANKS } from '../../src/demo/demo-bank.js';
import { demoCards } from '../../src/demo/demo-cards.js';
import { demoRecords, type DemoRecords } from '../../src/demo/demo-records.js';
import { demoRuns } from '../../src/demo/load-demo-data.js';
import { KeyRing } from '../../../../src/platform/crypto/key-ring.js';
import { inTransaction } from '../../../../src/platform/database/transaction.js';
import { importing, customerRecord } from '../../../../test/cli/importing.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../../../test/support/gateway-inside.js';
import { jobsDone } from '../../../../test/support/jobs.js';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/postgres.js';

const recordsOf = (today: string) => DEMO_BANKS.map(bank => demoRecords(bank, today)) as [DemoRecords, DemoRecords];
const [DEMO, ACME] = recordsOf('2026-11-23');
const EVERYTHING = { customer: 18, account: 22 };
const DAY_MS = 86_400_000;

/** That of the gateways of a test. */
let database: Promise<FreshDatabase> | undefined;
let gateways: GatewayInThisProcess[] = [];
afterEach(async () => {
  for (const gateway of gateways) await gateway.stop();
  await (await database)?.drop();
  database = undefined;
  gateways = [];
});

/** Gateways of one database have the same keys. */
const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

async function start(changes: Partial<Config> = {}): Promise<GatewayInThisProcess> {
  const { url } = await (database ??= freshDatabase());
  const gateway = await startGatewayInside({
    demoData: true,
    databaseUrl: url,
    fieldKeys: FIELD_KEYS,
    ...changes,
  });
  gateways.push(gateway);
  return gateway;
}

describe('the first start', () => {
  let gateway: GatewayInThisProcess;
  beforeAll(async () => {
    gateway = await startGatewayInside({ demoData: true });
  });
  afterAll(() => gateway.stop());

  test('loads two programs, each with its own customers and accounts', async () => {
    expect(await gateway.rows()).toMatchObject(EVERYTHING);
    for (const { program, count, first } of [
      { program: 'demo', count: 15, first: 'demo-1001' },
      { program: 'acme', count: 7, first: 'acme-2001' },
    ]) {
      const caller = gateway.as(await gateway.caller({ program }));
      const { data } = await caller.graphql('{ accounts(first: 1) { totalCount nodes { accountId } } }');
      expect(data.accounts).toEqual({ totalCount: count, nodes: [{ accountId: first }] });
    }
  });

  test('has a joint account first, with beneficiaries', async () => {
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

  test('has histories that reach from January 2025 to yesterday, with entries of many kinds', async () => {
    const caller = gateway.as(await gateway.caller());
    const { data } = await caller.graphql(
      `{ account(accountId: "demo-1001") { oldest: transactions(last: 1) { nodes { postedTimestamp: postedAt } } transactions(first: 100) { nodes {
        transactionTimestamp: transactedAt category transactionType status debitCreditMemo: direction reference referenceTransactionId memo lineItem: lineItems { reference imageIds } } } } }`,
    );
    const { oldest, transactions } = data.account;
    expect(oldest.nodes[0].postedTimestamp).toMatch(/^2025-01-01T/);
    const { nodes } = transactions;
    const [newest] = nodes;
    const ageMs = Date.now() - Date.parse(newest.transactionTimestamp);
    expect(ageMs).toBeGreaterThan(0);
    expect(ageMs).toBeLessThan(6 * DAY_MS);
    const kinds = (field: string) =>
      [...new Set<string>(nodes.map((node: Record<string, unknown>) => String(node[field])))].sort();
    expect(kinds('category')).toEqual(['ACH', 'ATM', 'CARD', 'CHECK', 'OTHER', 'TRANSFER']);
    expect(kinds('status')).toEqual(['AUTHORIZATION', 'MEMO', 'PENDING', 'POSTED']);
    expect(kinds('debitCreditMemo')).toEqual(['CREDIT', 'DEBIT', 'MEMO']);
    for (const field of ['reference', 'referenceTransactionId', 'memo'] as const) {
      expect(nodes.filter((node: Record<string, unknown>) => node[field] !== null).length).toBeGreaterThan(0);
    }
    expect(nodes.some((node: { lineItem: { imageIds: string[] }[] }) => node.lineItem[0]?.imageIds.length === 2)).toBe(
      true,
    );
  });

  test('has cards in every state, each held by an owner', async () => {
    const { data } = await gateway
      .as(await gateway.caller())
      .graphql(
        '{ accounts(first: 15) { nodes { owners { customerId } cards { status number cardHolderId pinIsSet } } } }',
      );
    const accounts: { owners: { customerId: string }[]; cards: Record<string, unknown>[] }[] = data.accounts.nodes;
    expect(new Set(accounts.flatMap(({ cards }) => cards.map(({ status }) => status)))).toEqual(
      new Set(['INACTIVE', 'ACTIVE', 'FROZEN', 'LOST', 'STOLEN', 'CLOSED']),
    );
    for (const { owners, cards } of accounts) {
      for (const card of cards) expect(owners.map(({ customerId }) => customerId)).toContain(card['cardHolderId']);
    }
  });
});

test('the programs have what documents must say, also where the data is older; what an operator has set stays', async () => {
  const first = await start();
  await first.given.programRecord('demo', { name: 'Ours' });
  await first.sql.query(`DELETE FROM program WHERE program_id = 'acme'`);
  const again = await start();
  const { rows } = await again.sql.query('SELECT program_id, name FROM program ORDER BY program_id');
  expect(rows).toEqual([
    { program_id: 'acme', name: 'Acme' },
    { program_id: 'demo', name: 'Ours' },
  ]);
  const { issuers, database: bank } = again.gateway.container;
  for (const kind of ['close', '1099'] as const) {
    const present = await inTransaction(bank, transaction => issuers.present(transaction, { kind, program: 'acme' }));
    expect(present.incomplete).toEqual([]);
  }
});

test('the statements of the months that are over and the forms of last year are issued after the first start, once', async () => {
  const fieldKeys = KeyRing.generate();
  const [gateway] = await Promise.all([start({ fieldKeys }), start({ fieldKeys })]);
  await jobsDone(gateway.sql);
  const now = new Date();
  const months = 12 + now.getUTCMonth();
  const caller = gateway.as(await gateway.caller());
  const { data } = await caller.graphql(
    `{ account(accountId: "demo-1002") { all: statements(first: 100) { nodes { statementDate } }
      forms: statements(filter: { documentTypes: [TAX_1099] }) { nodes { statementDate description } } } }`,
  );
  const monthly = data.account.all.nodes.length - data.account.forms.nodes.length;
  // On the first day of a month the one before is not over in America yet.
  expect([months - 1, months]).toContain(monthly);
  expect(data.account.forms.nodes).toHaveLength(1);
  expect(data.account.forms.nodes[0].statementDate).toBe(`${now.getUTCFullYear() - 1}-12-31`);
});

test('documents are ordered for the closed months since January of last year', () => {
  const runs = demoRuns('demo', new Date('2026-03-05T12:00:00Z'));
  expect(runs.map(({ kind, period }) => `${kind} ${period}`)).toEqual([
    ...Array.from({ length: 12 }, (_, month) => `close 2025-${String(month + 1).padStart(2, '0')}`),
    'close 2026-01',
    'close 2026-02',
    '1099 2025',
  ]);
});

test('gateways that start at once load it once', async () => {
  const [gateway] = await Promise.all([start(), start(), start()]);
  expect(await gateway.rows()).toMatchObject(EVERYTHING);
});

test('a program that has customers is left alone', async () => {
  const before = await start({ demoData: false });
  await importing(before, 'customers', 'demo', [customerRecord()]);
  expect(await (await start()).rows()).toMatchObject({ customer: 1 + 6, account: 7 });
});

test('a database where other programs have its ids starts all the same, and is told so', async () => {
  const before = await start({ demoData: false });
  await importing(before, 'customers', 'other', [DEMO.customers[3] as object]);
  const gateway = await start();
  expect(await gateway.rows()).toMatchObject({ customer: 1 + 6, account: 7 });
  expect(gateway.log.join('')).toContain('demo data is not loaded');
});

test('it is the same every time and everywhere, and another day only adds to the histories', () => {
  expect(recordsOf('2026-11-23')).toEqual([DEMO, ACME]);
  for (const [index, earlier] of recordsOf('2026-02-28').entries()) {
    const later = [DEMO, ACME][index] as DemoRecords;
    const { transactions, ...others } = earlier;
    expect(later).toMatchObject(others);
    expect(later.transactions.length).toBeGreaterThan(transactions.length);
    const known = new Set(later.transactions.map(record => JSON.stringify(record)));
    for (const record of transactions) expect(known).toContain(JSON.stringify(record));
  }
  // A change of the demo data is a change for everybody who has learnt it by heart: change this line knowingly.
  expect(
    createHash('sha256')
      .update(JSON.stringify([DEMO, ACME]))
      .digest('hex')
      .slice(0, 16),
  ).toBe('30d9fb6d0fb50e0b');
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
  const cards = DEMO_BANKS.flatMap(bank => demoCards(bank, '2026-11-23'));
  // A 9, and a country code that no country has.
  for (const { number } of cards) expect(number).toMatch(/^9999\d{12}$/);
  const text = JSON.stringify([DEMO, ACME]);
  const taxIds = [...text.matchAll(/"taxId":"([^"]+)"/g)].map(([, taxId]) => taxId);
  // Social Security numbers have no middle digits 00, employers' numbers no prefix 00, German tax ids do not begin with
  // 0.
  for (const taxId of taxIds) expect(taxId).toMatch(/^(900-00-\d{4}|00-\d{7}|0\d{10})$/);
  expect(new Set(taxIds).size).toBe(taxIds.length);
  for (const [, domain] of text.matchAll(/@([^"]+)"/g)) expect(domain).toBe('example.test');
  for (const [, number] of text.matchAll(/"number":"([^"]+)"/g)) expect(number).toMatch(/^\+1 \d{3} 555 01\d\d$/);
});
