import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BANK_EXPORTS, bytesOf, type BankExport } from '../support/bank-exports.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type * as Inside from './bank-exports.inside.js';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway({});
  folder = await mkdtemp(join(tmpdir(), 'bank-exports-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Imports a file by its map, as the command line does. */
async function imported(program: string, account: string, file: BankExport): Promise<unknown[]> {
  const path = join(folder, `${account}.yaml`);
  await writeFile(path, file.map.replaceAll('ACCOUNT', account));
  const { importTable } = gateway.module<typeof Inside>('test/import/bank-exports');
  return importTable(program, file.kind, path, bytesOf(file, account));
}

const LEDGER = `query ($id: ID!) { account(accountId: $id) { transactions(first: 50) { nodes {
  amount debitCreditMemo: direction postedTimestamp: postedAt description } } } }`;

interface Entry {
  readonly amount: string;
  readonly debitCreditMemo: string;
  readonly postedTimestamp: string;
  readonly description: string | null;
}

async function ledgerOf(program: string, account: string): Promise<string[]> {
  const { data } = await gateway.as(await gateway.caller({ program })).graphql(LEDGER, { id: account });
  return (data.account.transactions.nodes as Entry[]).toReversed().map(entry => {
    const sign = entry.debitCreditMemo === 'DEBIT' ? '-' : '';
    return [`${sign}${entry.amount}`, entry.postedTimestamp.slice(0, 16), entry.description ?? ''].join(' ').trim();
  });
}

const TRANSACTIONS = BANK_EXPORTS.filter(({ kind }) => kind === 'transactions');

test.each(TRANSACTIONS)('the history of $name is imported by a short map, and again is unchanged', async file => {
  const { currency, timeZone } = file;
  const { program, account } = await gateway.given.account({ currency, timeZone });
  expect(file.map.split('\n').length).toBeLessThanOrEqual(15);
  const outcomes = await imported(program, account, file);
  expect(outcomes).toEqual(file.imported.map(() => 'new'));
  expect(await ledgerOf(program, account)).toEqual(file.imported);
  const again = await imported(program, account, file);
  expect(again).toEqual(file.imported.map(() => 'unchanged'));
});

test('customers and their accounts are imported by the numbers that the bank has for them', async () => {
  const [customers, accounts] = ['customers', 'accounts'].map(kind =>
    BANK_EXPORTS.find(file => file.kind === kind),
  ) as [BankExport, BankExport];
  const ids: string[] = [];
  for (const program of [gateway.given.program(), gateway.given.program()]) {
    const account = unique('giro');
    for (const file of [customers, accounts]) {
      expect(file.map.split('\n').length).toBeLessThanOrEqual(15);
      const outcomes = await imported(program, account, file);
      expect([file.kind, outcomes]).toEqual([file.kind, outcomes.map(() => 'new')]);
      expect(await imported(program, account, file)).toEqual(outcomes.map(() => 'unchanged'));
    }
    const client = gateway.as(await gateway.caller({ program }));
    const { data } = await client.graphql('query ($id: ID!) { account(accountId: $id) { owners { customerId } } }', {
      id: account,
    });
    const owners = (data.account.owners as { customerId: string }[]).map(({ customerId }) => customerId);
    const shown = await Promise.all(owners.map(id => client.rest.get(`/customers/${id}`)));
    expect(shown.map(({ body }) => body)).toMatchObject([
      { name: { last: 'Weiß' }, taxId: '*******8901', taxIdCountry: 'DE', addresses: [{ postalCode: '02134' }] },
      { name: { last: 'Quill' }, taxId: '', taxIdCountry: '', addresses: [] },
    ]);
    ids.push(...owners);
  }
  // A number is another customer in another program.
  expect(new Set(ids).size).toBe(4);
});
