import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IMPORT_NAMES } from '../../src/bank/import/import.names.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { run } from './command-line.js';
import { accountRecord, rejectedLines } from './importing.js';

let database: FreshDatabase;
let gateway: TestGateway;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-csv-'));
  env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') };
  gateway = await startTestGateway({ databaseUrl: database.url, dataDir: join(folder, 'data') });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Imports a file of CSV with a map. */
async function importCsv(kind: string, csv: string | Buffer, map: string, ...more: string[]) {
  const [file, mapFile] = [join(folder, `${randomUUID()}.csv`), join(folder, `${randomUUID()}.yaml`)];
  await writeFile(file, csv);
  await writeFile(mapFile, map);
  const ended = await run(['import', kind, file, '--map', mapFile, '--program', 'demo', ...more], env);
  return { ...ended, rejected: () => rejectedLines(`${file}.rejected.ndjson`) };
}

const CUSTOMERS = `
dates: DD.MM.YYYY
fields:
  - { field: customerId, column: Kundennummer }
  - { field: name.first, column: Vorname }
  - { field: name.last, column: Name }
  - { field: dateOfBirth, column: Geburtstag }
  - { field: contact.email, column: E-Mail }
  - { field: addresses.0.line1, column: Straße }
  - { field: addresses.0.city, column: Ort }
  - { field: addresses.0.country, default: DE }
  - { field: addresses.0.type, column: Art, default: HOME, words: [{ cell: G, is: BUSINESS }] }
`;
const HEADER = 'Kundennummer;Vorname;Name;Geburtstag;E-Mail;Straße;Ort;Art;Bemerkung';

async function customer(id: string) {
  const client = gateway.as(await gateway.caller({ program: 'demo' }));
  return (await client.rest.get<Record<string, unknown>>(`/customers/${id}`)).body;
}

describe('a file of CSV', () => {
  test('is imported by its map, in the encoding and with the separator of Excel, and again changes nothing', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const csv = [
      HEADER,
      `${one};Jörg;"Weiß; Sohn";03.02.1970;joerg@example.test | j@example.test;Am Tor 1;Köln;G;`,
      ';;;;;;;;',
      `${other};Ada;Quill;;;;;;keine Anschrift`,
    ].join('\r\n');
    const first = await importCsv('customers', Buffer.from(csv, 'latin1'), CUSTOMERS);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(/^customers: 2 new, 0 updated, 0 unchanged, 0 rejected /);
    expect(await customer(one)).toMatchObject({
      name: { first: 'Jörg', last: 'Weiß; Sohn' },
      dateOfBirth: '1970-02-03',
      contact: { email: ['joerg@example.test', 'j@example.test'] },
      addresses: [{ line1: 'Am Tor 1', city: 'Köln', country: 'DE', type: 'BUSINESS' }],
    });
    // A default makes no address of a customer who has none.
    expect(await customer(other)).toMatchObject({ name: { first: 'Ada', last: 'Quill' }, addresses: [] });
    const again = await importCsv('customers', gzipSync(Buffer.from(`\uFEFF${csv}`, 'utf16le')), CUSTOMERS);
    expect(again.stdout).toMatch(/^customers: 0 new, 0 updated, 2 unchanged, 0 rejected /);
  });

  test('has wrong rows put aside with line, column and expected form, and without a value', async () => {
    const rows = [
      HEADER,
      `${randomUUID()};Ada;Quill;1970-02-33;SECRET@1;;;;"of two`,
      `lines"`,
      `SECRET-2;Ada;;31.02.1970;;;;;`,
      `${randomUUID()};Ada;SECRET-3;01.02.1970`,
      `${randomUUID()};Ada;Quill;01.02.1970;;Am Tor 1;;;`,
      `${randomUUID()};Ada;${'SECRET-4'.repeat(3000)};01.02.1970;;;;;`,
    ];
    const ended = await importCsv('customers', rows.join('\n'), CUSTOMERS);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toMatch(/^customers: 0 new, 0 updated, 0 unchanged, 5 rejected /);
    const rejected = await ended.rejected();
    const date = {
      column: 'Geburtstag',
      pointer: '/dateOfBirth',
      code: 'wrong_type',
      detail: 'Must be a date as DD.MM.YYYY.',
    };
    expect(rejected).toMatchObject([
      { line: 2, errors: [date, { column: 'E-Mail', pointer: '/contact/email/0' }] },
      {
        line: 4,
        errors: [
          date,
          { column: 'Kundennummer', pointer: '/customerId', code: 'wrong_type' },
          // A name is that of a person or of a company, so all columns of names are told.
          {
            column: 'Vorname, Name',
            pointer: '/name',
            code: 'alternatives',
            detail: expect.stringContaining('Send last'),
          },
        ],
      },
      { line: 5, errors: [{ pointer: '', detail: expect.stringContaining('4 cells, and the header 9') }] },
      { line: 6, errors: [{ column: 'Ort', pointer: '/addresses/0/city', code: 'required' }] },
      { line: 7, errors: [{ column: 'Name', pointer: '/name/last', detail: expect.stringContaining('at most') }] },
    ]);
    const said = [ended.stdout, ended.stderr, JSON.stringify(rejected)].join('\n');
    expect(said).not.toMatch(/SECRET|02-33|31\.02/);
  });

  test('is checked first, with the same report, and nothing is kept', async () => {
    const id = randomUUID();
    const ended = await importCsv('customers', `${HEADER}\n${id};Ada;Quill;;;;;;\n;;;x;;;;;`, CUSTOMERS, '--check');
    expect(ended.status).toBe(1);
    expect(ended.stdout).toMatch(
      /^customers: 1 new, 0 updated, 0 unchanged, 1 rejected .*\nThis was a check: nothing was kept\.\n/,
    );
    expect(await customer(id)).toMatchObject({ code: 'customer_not_found' });
  });

  test('is an event for each record, as any other import', async () => {
    const id = randomUUID();
    await importCsv('customers', `${HEADER}\n${id};Ada;Quill;;;;;;`, CUSTOMERS);
    const { rows } = await gateway.sql.query(
      `SELECT action, subject FROM program_event WHERE data->>'customerId' = $1 OR object = $2`,
      [id, `customer/${id}`],
    );
    expect(rows).toEqual([{ action: 'customer.create', subject: 'import' }]);
  });

  test('has amounts and times as the bank writes them', async () => {
    const owner = await gateway.given.customer({ program: 'demo' });
    const { account } = await gateway.given.account({
      program: 'demo',
      owners: [owner.customer],
      timeZone: 'Europe/Berlin',
      currency: 'EUR',
    });
    const map = `
dates: D.M.YYYY
amounts: '1.234,56'
timeZone: Europe/Berlin
fields:
  - { field: transactionId, column: Nr }
  - { field: accountId, default: ${account} }
  - { field: amount, column: Betrag }
  - { field: debitCreditMemo, column: S/H, words: [{ cell: S, is: DEBIT }, { cell: H, is: CREDIT }] }
  - { field: category, default: SEPA }
  - { field: transactionType, default: TRANSFER }
  - { field: status, default: POSTED }
  - { field: transactionTimestamp, column: Buchung }
  - { field: postedTimestamp, column: Wert, format: 'YYYY-MM-DD HH:mm' }
`;
    const csv = `Nr;Betrag;S/H;Buchung;Wert
1;12.345,6;H;29.3.2026;2026-03-29 02:30
2;1.234,56;S;2026-07-01T00:00:00+02:00;2026-10-25 02:30
3;1234.56;S;1.1.2026;2026-01-01 00:00
4;1,23;X;32.1.2026;1.1.2026`;
    const ended = await importCsv('transactions', csv, map);
    expect(ended.stdout).toMatch(/^transactions: 2 new, 0 updated, 0 unchanged, 2 rejected /);
    const client = gateway.as(await gateway.caller({ program: 'demo' }));
    const { body } = await client.rest.get(`/accounts/${account}/transactions`);
    expect(body).toMatchObject({
      transactions: [
        {
          depositTransaction: {
            amount: 1234.56,
            debitCreditMemo: 'DEBIT',
            transactionTimestamp: '2026-06-30T22:00:00.000Z',
            postedTimestamp: '2026-10-25T00:30:00.000Z',
          },
        },
        {
          depositTransaction: {
            amount: 12345.6,
            debitCreditMemo: 'CREDIT',
            transactionTimestamp: '2026-03-28T23:00:00.000Z',
            postedTimestamp: '2026-03-29T01:30:00.000Z',
          },
        },
      ],
    });
    expect(await ended.rejected()).toMatchObject([
      {
        line: 4,
        errors: [
          { column: 'Betrag', pointer: '/depositTransaction/amount', detail: expect.stringContaining('1.234,56') },
        ],
      },
      {
        line: 5,
        errors: [
          { column: 'Buchung', detail: expect.stringContaining('D.M.YYYY') },
          { column: 'Wert', detail: expect.stringContaining('YYYY-MM-DD HH:mm') },
          { column: 'S/H', code: 'wrong_type' },
        ],
      },
    ]);
  });

  test('names the column also where the database knows what is wrong', async () => {
    const account = accountRecord([randomUUID()]);
    const map = `fields:
  - { field: accountId, column: Account }
  - { field: accountType, default: CHECKING }
  - { field: currency, default: USD }
  - { field: timeZone, default: America/New_York }
  - { field: interestBearing, default: false }
  - { field: openedOn, default: 2026-01-02 }
  - { field: owners, column: Owners }`;
    const ended = await importCsv('accounts', `Account,Owners\n${account.accountId},${randomUUID()}`, map);
    expect(await ended.rejected()).toMatchObject([{ line: 2, errors: [{ column: 'Owners', pointer: '/owners/0' }] }]);
  });
});

describe('what cannot be imported is said before anything is', () => {
  test('a file of CSV without a map', async () => {
    const file = join(folder, 'c.csv');
    await writeFile(file, 'a,b');
    expect(await run(['import', 'customers', file, '--program', 'demo'], env)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${file} is CSV, and needs a map of its columns: tillgate import customers --template > map.yaml writes one. Edit it, and add --map map.yaml.\n`,
    });
  });

  test.each([
    [
      'a column that the file lacks',
      CUSTOMERS,
      'Kundennummer;Vorname\n',
      'The file has no column Name, which the map names for name.last.',
    ],
    ['a column that the file has twice', CUSTOMERS, `${HEADER};Ort\n`, 'The file has two columns Ort. Rename one.'],
    [
      'an unknown field',
      'fields: [{ field: nickname, column: N }]',
      '',
      'The map has the field nickname, which these records do not have.\nThe fields are name.first, name.middle',
    ],
    [
      'a field twice',
      'fields: [{ field: taxId, column: N }, { field: taxId, column: M }]',
      '',
      'The map has the field taxId twice.',
    ],
    ['a field from nowhere', 'fields: [{ field: taxId }]', '', 'The map has neither a column nor a default for taxId.'],
    [
      'a bad form of dates',
      'dates: DD.MM.YY\nfields: [{ field: dateOfBirth, column: D }]',
      '',
      'The form of dates for dateOfBirth must be the order of YYYY',
    ],
    [
      'a bad default',
      'fields: [{ field: dateOfBirth, default: 1.2.1970 }]',
      '',
      'The default of dateOfBirth in the map is wrong. Must be a date as YYYY-MM-DD.',
    ],
    [
      'a map with a field of its own',
      'colums: []',
      '',
      'colums: This field is unknown. Use one of headerLine, separator, dates, amounts, timeZone, skip, fields, encoding.',
    ],
    ['a map that is no YAML', 'fields: [', '', 'is no YAML on line 1'],
  ])('%s', async (_what, map, csv, message) => {
    const ended = await importCsv('customers', csv, map);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining(message)]);
    await expect(ended.rejected()).rejects.toThrow('ENOENT');
  });
});

test('a row that is no CSV is rejected alone', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  const rows = [`${one};;Eins;;;;;;`, `${randomUUID()};;"SECRET;;;;;;`, `${other};;Zwei;;;;;;`];
  const ended = await importCsv('customers', [HEADER, ...rows].join('\n'), CUSTOMERS);
  expect([ended.status, ended.stderr]).toEqual([1, '']);
  expect(ended.stdout).toMatch(/^customers: 2 new, 0 updated, 0 unchanged, 1 rejected /);
  expect(await ended.rejected()).toEqual([
    { line: 3, code: 'not_csv', detail: 'The row has a cell whose quote is not closed.', errors: [] },
  ]);
});

test('a header that cannot be read ends the import, and nobody is told to try the same again', async () => {
  const { status, stderr } = await importCsv('customers', `${HEADER};"SECRET"x\n;;;;`, CUSTOMERS);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/The header on line 1 has text behind/)]);
  expect(stderr).not.toMatch(/SECRET|again to finish/);
});

test.each(IMPORT_NAMES)('the template of %s is a map that fits the header beside it', async kind => {
  const printed = await run(['import', kind, '--template'], env);
  expect(printed).toMatchObject({ status: 0, stderr: '' });
  const asJson = await run(['import', kind, '--template', '--json'], env);
  const { map, header } = JSON.parse(asJson.stdout) as { map: string; header: string };
  expect(printed.stdout).toBe(map);
  const ended = await importCsv(kind, `${header}\n`, map, '--check');
  expect([ended.status, ended.stderr]).toEqual([0, '']);
});
