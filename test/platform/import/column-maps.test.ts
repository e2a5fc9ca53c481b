import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordClassOf } from '../../../src/app/imports.js';
import { csvTable } from '../../../src/platform/import/csv/csv-table.js';
import type { RowsOrigin } from '../../../src/platform/import/csv/made-ids.js';
import { readColumnMap } from '../../../src/platform/import/csv/map-file.js';
import { Refusal } from '../../../src/shared/errors.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'column-maps-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The records of rows, or `line code` of those that are none. */
async function recordsIn(
  kind: 'transactions' | 'customers',
  map: string,
  csv: string,
  origin: RowsOrigin = { program: 'demo', firstLine: 1 },
): Promise<unknown[]> {
  const file = join(folder, 'map.yaml');
  await writeFile(file, map);
  const format = csvTable(await recordClassOf(kind), await readColumnMap(file), origin);
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(csv);
  }
  const items: unknown[] = [];
  for await (const lines of format.batches(chunks())) {
    for (const { line, item } of lines) {
      if (item instanceof Refusal) {
        const faults = item.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [item.code];
        items.push([line, ...faults]);
      } else items.push('depositTransaction' in item ? item.depositTransaction : item);
    }
  }
  return items;
}

const ENTRY = `
  - { field: accountId, default: a-1 }
  - { field: category, default: SEPA }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: AUTHORIZATION }
  - { field: transactionTimestamp, default: 2026-01-31T12:00:00Z }`;

describe('the sign of an amount is a direction', () => {
  const MAP = `amounts: 1.234,56
fields:
  - { field: transactionId, makeId: LINE }
  - { field: amount, column: Betrag }
  - { field: debitCreditMemo, signOf: Betrag }${ENTRY}`;

  test.each([
    ['-850,00', 850, 'DEBIT'],
    ['850,00-', 850, 'DEBIT'],
    ['(850,00)', 850, 'DEBIT'],
    ['( 1.850,00 )', 1850, 'DEBIT'],
    ['−850,00', 850, 'DEBIT'],
    ['850,00−', 850, 'DEBIT'],
    ['- 1.850,00', 1850, 'DEBIT'],
    ['850,00', 850, 'CREDIT'],
    ['+850,00', 850, 'CREDIT'],
    ['850,00 +', 850, 'CREDIT'],
    ['0,00', 0, 'CREDIT'],
  ])('%s is %d %s', async (cell, amount, debitCreditMemo) => {
    expect(await recordsIn('transactions', MAP, `Betrag;x\n${cell};`)).toMatchObject([{ amount, debitCreditMemo }]);
  });

  test.each(['(850,00', '850,00)', '-850,00-', '(-850,00)', '--1', '850 EUR', '()'])('%s is none', async cell => {
    expect(await recordsIn('transactions', MAP, `Betrag;x\n${cell};`)).toEqual([
      [2, '/depositTransaction/amount wrong_type', '/depositTransaction/debitCreditMemo wrong_type'],
    ]);
  });

  test('or what the map says of the signs, as on the statement of a card', async () => {
    const map = MAP.replace(
      'signOf: Betrag',
      "signOf: Betrag, words: [{ cell: '+', is: DEBIT }, { cell: '-', is: CREDIT }]",
    );
    expect(await recordsIn('transactions', map, 'Betrag;x\n5;\n-5;')).toMatchObject([
      { amount: 5, debitCreditMemo: 'DEBIT' },
      { amount: 5, debitCreditMemo: 'CREDIT' },
    ]);
  });
});

describe('an id is made', () => {
  const mapOf = (field: string): string => `fields:
  - { field: transactionId, ${field} }
  - { field: amount, column: Amount }
  - { field: debitCreditMemo, default: CREDIT }${ENTRY}`;
  const idsOf = async (map: string, csv: string, origin?: RowsOrigin): Promise<string[]> =>
    ((await recordsIn('transactions', map, csv, origin)) as { transactionId: string }[]).map(
      ({ transactionId }) => transactionId,
    );

  test('of the line in its file, also where the file comes in pieces', async () => {
    expect(await idsOf(mapOf('makeId: LINE'), 'Amount,x\n1,\n\n1,')).toEqual(['line-2', 'line-4']);
    const later = { program: 'demo', firstLine: 1000 };
    expect(await idsOf(mapOf("makeId: LINE, format: 'march-#'"), 'Amount,x\n1,', later)).toEqual(['march-1001']);
  });

  test('of the row, the same in each file, and another for each of equal rows', async () => {
    const map = mapOf('makeId: ROW');
    const [one, two, again, other] = await idsOf(map, 'Amount,x\n1,a\n2,b\n1,a\n1,ab');
    expect(new Set([one, two, again, other]).size).toBe(4);
    expect(again).toBe(`${one}-2`);
    expect(await idsOf(map, 'Amount,x\n2,b\n1,a')).toEqual([two, one]);
  });

  test('of the number of the bank, always the same, and another in each program', async () => {
    const map = `fields:
  - { field: customerId, column: No, makeId: UUID }
  - { field: name.last, column: Name }`;
    const csv = 'No,Name\n0815,Quill\n815,Weiß\n 0815 ,Quill';
    const idOf = async (program: string) =>
      ((await recordsIn('customers', map, csv, { program, firstLine: 1 })) as { customerId: string }[]).map(
        ({ customerId }) => customerId,
      );
    const [one, other, again] = await idOf('demo');
    expect([one, again]).toEqual(['cab3d0ef-8372-56ff-8ae6-44d7845bf13e', 'cab3d0ef-8372-56ff-8ae6-44d7845bf13e']);
    expect(other).not.toBe(one);
    expect((await idOf('acme'))[0]).not.toBe(one);
  });
});

test('a default can be for rows alone that have another cell', async () => {
  const map = `fields:
  - { field: customerId, column: No, makeId: UUID }
  - { field: name.last, column: Name }
  - { field: taxId, column: Tax }
  - { field: taxIdCountry, default: US, where: Tax }`;
  expect(await recordsIn('customers', map, 'No,Name,Tax\n1,Quill,900 12 3456\n2,Weiß,')).toMatchObject([
    { taxId: '900 12 3456', taxIdCountry: 'US' },
    { name: { last: 'Weiß' } },
  ]);
});

test('rows are skipped by their cells, whole or by their beginnings, however many cells they have', async () => {
  const map = `skip:
  - { column: Name, cells: [Total, 'Balance on*'] }
  - { column: No, cells: [''] }
fields:
  - { field: customerId, column: No, makeId: UUID }
  - { field: name.last, column: Name }`;
  const csv = 'Name,No\nTotal\nBalance on 1 March,x,y\nTotals,1\nNobody,\nBalance,2';
  expect(await recordsIn('customers', map, csv)).toMatchObject([
    { name: { last: 'Totals' } },
    { name: { last: 'Balance' } },
  ]);
});

test('texts of YAML are as they are written', async () => {
  const map = `fields:
  - { field: customerId, column: No, makeId: UUID }
  - { field: name.last, column: Name, words: [{ cell: 007, is: 1e3 }, { cell: 1.10, is: true }, { cell: 0x1F, is: 1_000 }] }
  - { field: addresses.0.line1, default: 1.10 }
  - { field: addresses.0.postalCode, default: 02134 }
  - { field: addresses.0.city, column: No }
  - { field: addresses.0.country, default: US }
  - { field: addresses.0.type, default: HOME }`;
  const rows = (await recordsIn('customers', map, 'No,Name\n1,007\n2,1.10\n3,0x1F\n4,7')) as {
    name: { last: string };
    addresses: object[];
  }[];
  expect(rows.map(({ name }) => name.last)).toEqual(['1e3', 'true', '1_000', '7']);
  expect(rows[0]?.addresses).toMatchObject([{ line1: '1.10', postalCode: '02134' }]);
});

test.each([
  ['an id of a UUID for another field', 'transactionId, column: a, makeId: UUID', 'UUID is for ids that are UUIDs'],
  ['an id of the row for a field that is no id', 'amount, makeId: ROW', 'LINE and ROW are for other ids'],
  ['two sources', 'transactionId, column: a, makeId: LINE', 'several sources for transactionId'],
  ['a direction of a field that has none', 'status, signOf: a', 'neither DEBIT nor CREDIT'],
  ['a condition without a default', 'memo, column: a, where: b', 'says where memo has a default, and has none'],
  [
    'a condition by a column that is not there',
    'memo, default: x, where: b',
    'no column b, which the map names for memo',
  ],
])('a map with %s is refused', async (_what, field, message) => {
  await expect(recordsIn('transactions', `fields: [{ field: ${field} }]`, 'a\n1')).rejects.toThrow(message);
});

test('columns become keys of the metadata, whose names may have dots, and empty cells none', async () => {
  const map = `fields:
  - { field: customerId, column: Nr, makeId: UUID }
  - { field: name.last, column: Name }
  - { field: metadata.ledger, column: Konto }
  - { field: metadata.crm.id, column: CRM }`;
  const records = await recordsIn('customers', map, 'Nr,Name,Konto,CRM\n1,Quill,77-A,c-1\n2,Reed,,\n');
  expect(records).toMatchObject([{ metadata: { ledger: '77-A', 'crm.id': 'c-1' } }, { name: { last: 'Reed' } }]);
  expect(records[1]).not.toHaveProperty('metadata');
  await expect(recordsIn('customers', map.replace('crm.id', '1id'), 'Nr,Name,Konto,CRM\n')).rejects.toThrow(
    'The map has the field metadata.1id, which these records do not have.',
  );
});
