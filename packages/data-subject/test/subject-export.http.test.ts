import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../../src/shared/caller.js';
import { documentedResult, run } from '../../../test/cli/command-line.js';
import { newCard } from '../../../test/support/card.js';
import { startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';
import { entries, post } from '../../../test/transaction/support/ledger.js';
import { until } from '../../../test/support/until.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const reason = 'Request 2026-118';
let database: FreshDatabase;
let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-customer-'));
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const exporting = (...options: string[]) =>
  run(['customer', 'export', ...options], { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS });

interface Exported {
  readonly customer: Record<string, unknown>;
  readonly cards: readonly { readonly cardId: string }[];
  readonly accounts: readonly Record<string, readonly Record<string, unknown>[]>[];
  readonly formerAccounts: readonly object[];
  readonly notes: readonly { readonly text: string }[];
  readonly events: readonly { readonly type: string }[];
  readonly requests: readonly { readonly requestId: string; readonly operation: string }[];
}

test('everything about a customer is written into a file for its owner alone, and nothing about others', async () => {
  const { program, customer, taxId, governmentId, email } = await gateway.given.customer();
  const other = await gateway.given.customer({ program });
  const of = await gateway.given.account({ program, owners: [customer, other.customer] });
  const left = await gateway.given.account({ program, owners: [other.customer, customer] });
  const { rest } = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
  const number = newCard(of.account, customer);
  await rest.post('/cards/v1/cards', number);
  await rest.post('/cards/v1/cards', newCard(of.account, other.customer));
  const elsewhere = newCard((await gateway.given.account({ program })).account, customer);
  await rest.post('/cards/v1/cards', elsewhere);
  await gateway.given.beneficiary({ of, taxId: '917263544' });
  // More than a page.
  const posted = entries(130);
  await post(gateway, of, posted);
  await rest.post('/notes', { customerId: customer, text: 'Moves to Lisbon.' });
  await rest.post('/notes', { accountId: of.account, text: 'Is in dispute.' });
  await rest.post(`/accounts/${left.account}/owners/remove`, { holders: [{ customerId: customer }] });
  const sent = unique('sent');
  for (const customerId of [customer, other.customer]) {
    const person = gateway.as(await gateway.caller({ program, customerId }));
    await person.rest.get('/accounts/nobodys', { 'x-request-id': customerId === customer ? sent : unique('other') });
  }
  await gateway.recorded();
  await until(async () => {
    const { rowCount } = await gateway.sql.query('SELECT FROM api_request WHERE request_id = $1', [sent]);
    return rowCount === 1;
  });

  const file = join(folder, 'person.json');
  const options = [customer, '--program', program, '--reason', reason, '--out', file];
  const { status, stderr, stdout } = await exporting(...options, '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({
    customerId: customer,
    records: expect.any(Number),
    seconds: expect.any(Number),
    finished: true,
  });
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(
    Object.keys((await documentedResult('customer', 'export')) as object),
  );
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  const exported = JSON.parse(text) as Exported;
  expect(exported.customer).toMatchObject({ customerId: customer, taxId, governmentId, contact: { email: [email] } });
  expect(exported.accounts).toHaveLength(1);
  const cards = exported.cards.map(({ cardId }) => cardId);
  expect(new Set(cards)).toEqual(new Set([number.cardId, elsewhere.cardId]));
  const [account] = exported.accounts as [Exported['accounts'][number]];
  expect(account).toMatchObject({
    accountId: of.account,
    beneficiaries: [{ taxId: '*****3544' }],
    notes: [{ text: 'Is in dispute.' }],
    statements: [],
    holds: [],
    transfers: [],
  });
  const ids = account['transactions']?.map(({ transactionId }) => transactionId);
  expect(new Set(ids)).toEqual(new Set(posted.map(({ transactionId }) => transactionId)));
  expect(exported.formerAccounts).toEqual([{ accountId: left.account, ownedUntil: expect.any(String) }]);
  expect(exported.notes).toMatchObject([{ text: 'Moves to Lisbon.' }]);
  expect(exported.events.map(({ type }) => type)).toContain('customer.note_added');
  expect(exported.requests).toEqual([
    expect.objectContaining({ requestId: sent, operation: 'GET /accounts/:accountId' }),
  ]);
  for (const secret of [other.taxId, other.email, other.governmentId, '917263544', number.number]) {
    expect(text).not.toContain(secret);
  }
  const { rows } = await gateway.sql.query(
    `SELECT object, data FROM event WHERE program = $1 AND action = 'customer.export'`,
    [program],
  );
  expect(rows).toEqual([{ object: `customer/${customer}`, data: { reason } }]);
});

test('who is no customer of the program is not exported, and no file is left', async () => {
  const { customer } = await gateway.given.customer();
  const program = gateway.given.program();
  const file = join(folder, 'nobody.json');
  for (const id of [customer, 'nobody']) {
    const { status, stderr } = await exporting(id, '--program', program, '--reason', reason, '--out', file);
    expect([status, stderr]).toEqual([1, expect.stringContaining('The program has no such customer.')]);
  }
  const short = await exporting(customer, '--program', program, '--reason', '');
  expect([short.status, short.stderr]).toEqual([
    2,
    expect.stringContaining('--reason is wrong. Must be 1 to 200 printable characters'),
  ]);
  expect((await readdir(folder)).filter(name => name.startsWith('nobody'))).toEqual([]);
});
