import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountRecord, beneficiaryRecord, customerRecord } from '../cli/importing.js';
import { keyed, startTestGateway, unique, type GraphqlAnswer, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FIELDS = 'read: readCount written: writtenCount unchanged: unchangedCount rejected { line pointer code detail }';
const IMPORT = `mutation ($input: ImportRecordsInput!) {
  importRecords(input: $input) { result { ${FIELDS} } } }`;

interface Result {
  readonly read: number;
  readonly written: number;
  readonly unchanged: number;
  readonly rejected: readonly {
    readonly line: number;
    readonly pointer: string;
    readonly code: string;
    readonly detail: string;
  }[];
}

const NOTHING = { read: 0, written: 0, unchanged: 0, rejected: [] };

async function operator(program = gateway.given.program()) {
  const caller = await gateway.caller({ program, subject: 'u-4711', clientId: 'back-office' });
  const client = gateway.as(caller);
  return { program, client, rest: client.rest };
}

function linesOf(...records: readonly unknown[]): string {
  return records.map(record => `${JSON.stringify(record)}\n`).join('');
}

function transferRecord(fromAccountId: string, toAccountId: string): object {
  return { fromAccountId, toAccountId, transferId: unique('tr'), amount: 1 };
}

function transactionRecord(accountId: string, transactionId: string, changes: object = {}): object {
  return {
    depositTransaction: {
      accountId,
      transactionId,
      amount: 80.25,
      debitCreditMemo: 'CREDIT',
      category: 'ACH',
      transactionType: 'DIRECTDEPOSIT',
      status: 'POSTED',
      transactionTimestamp: '2026-01-02T15:00:00.000Z',
      postedTimestamp: '2026-01-02T16:00:00.000Z',
      ...changes,
    },
  };
}

type ImportClient = Awaited<ReturnType<typeof operator>>;

function over(
  { client }: ImportClient,
  input: object,
  headers = {},
  dryRun = false,
): Promise<GraphqlAnswer<{ importRecords: { readonly result: Result } | null }>> {
  return client.graphql<{ importRecords: { readonly result: Result } | null }>(
    IMPORT,
    { input: { ...input, dryRun } },
    { headers },
  );
}

async function countOf(table: string, program: string): Promise<number> {
  const { rows } = await gateway.sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE program = $1`,
    [program],
  );
  return rows[0]?.n ?? 0;
}

test('records of every kind are imported in their order, alike over GraphQL and REST, and are unchanged the second time', async () => {
  const me = await operator();
  const customer = customerRecord();
  const [account, other] = [accountRecord([customer.customerId]), accountRecord([customer.customerId])];
  const files: [string, string][] = [
    ['programs', linesOf({ programId: me.program, name: 'Cedar' })],
    ['customers', linesOf(customer)],
    ['accounts', linesOf(account, other)],
    ['beneficiaries', linesOf(beneficiaryRecord(account.accountId, { beneficiaryId: randomUUID() }))],
    ['transactions', linesOf(transactionRecord(account.accountId, unique('tx')))],
    ['transfers', linesOf(transferRecord(account.accountId, other.accountId))],
  ];
  for (const [kind, lines] of files) {
    const first = await me.rest.post(`/imports/${kind}`, { lines });
    const read = lines.trim().split('\n').length;
    expect([kind, first.status, first.body]).toEqual([kind, 200, { ...NOTHING, read, written: read }]);
  }
  for (const [kind, lines] of files) {
    const { data } = await over(me, { kind: kind.toUpperCase(), lines });
    const read = lines.trim().split('\n').length;
    expect([kind, data.importRecords?.result]).toEqual([kind, { ...NOTHING, read, unchanged: read }]);
  }
});

test('wrong lines are rejected with every fault and the number in their file, and the other lines are imported', async () => {
  const me = await operator();
  const [good, bad] = [customerRecord(), customerRecord({ taxId: 7, colour: 'red' })];
  const lines = `${linesOf(good)}\n   \n${linesOf(bad)}not JSON\r\n${JSON.stringify(customerRecord())}`;
  const { data } = await over(me, { kind: 'CUSTOMERS', lines, firstLine: 4001 });
  expect(data.importRecords?.result).toMatchObject({ read: 4, written: 2, unchanged: 0 });
  const detail = expect.any(String);
  expect(data.importRecords?.result.rejected).toEqual([
    { line: 4004, pointer: '/colour', code: 'unknown_field', detail },
    { line: 4004, pointer: '/taxId', code: 'wrong_type', detail },
    { line: 4004, pointer: '/taxIdCountry', code: 'together', detail },
    { line: 4005, pointer: '', code: 'not_json', detail: 'The line must be one JSON object in UTF-8.' },
  ]);
  expect(await countOf('customer', me.program)).toBe(2);
});

test('a file of wrong lines alone is answered with their faults, whatever its kind', async () => {
  const me = await operator();
  for (const kind of ['programs', 'customers', 'accounts', 'beneficiaries', 'transactions', 'transfers']) {
    const { status, body } = await me.rest.post(`/imports/${kind}`, { lines: linesOf({ colour: 'red' }) });
    expect([kind, status, body.read, body.written]).toEqual([kind, 200, 1, 0]);
    expect(body.rejected.map(({ line }: { line: number }) => line)).toContain(1);
  }
});

test.each(['lines', 'CSV'])('of %s the first that contradicts the ledger ends those of its account', async form => {
  const me = await operator();
  const { account } = await gateway.given.account({ program: me.program });
  const entries = [
    ['a', 10],
    ['b', 30],
    ['c', 20],
    ['a', 10],
  ] as const;
  const map = {
    fields: [
      { field: 'accountId', column: 'Account' },
      { field: 'transactionId', column: 'Id' },
      { field: 'availableBalance', column: 'Balance' },
      { field: 'amount', default: '10' },
      { field: 'debitCreditMemo', default: 'CREDIT' },
      { field: 'category', default: 'ACH' },
      { field: 'transactionType', default: 'DIRECTDEPOSIT' },
      { field: 'status', default: 'POSTED' },
      { field: 'transactionTimestamp', default: '2026-03-02T15:00:00.000Z' },
      { field: 'postedTimestamp', default: '2026-03-02T16:00:00.000Z' },
    ],
  };
  const input =
    form === 'CSV'
      ? {
          map,
          lines: ['Account,Id,Balance', ...entries.map(([id, balance]) => `${account},${id},${balance}`)].join('\n'),
        }
      : {
          lines: linesOf(
            ...entries.map(([id, availableBalance]) =>
              transactionRecord(account, id, { amount: 10, availableBalance }),
            ),
          ),
        };
  const { data } = await over(me, { kind: 'TRANSACTIONS', firstLine: 100, ...input });
  const header = form === 'CSV' ? 1 : 0;
  expect(data.importRecords?.result).toMatchObject({ read: 4, written: 1, unchanged: 1 });
  expect(data.importRecords?.result.rejected).toEqual([
    expect.objectContaining({
      line: 101 + header,
      pointer: '/depositTransaction/availableBalance',
      code: 'balance_contradiction',
    }),
    expect.objectContaining({
      line: 102 + header,
      code: 'earlier_line_rejected',
      detail: expect.stringContaining(`Line ${101 + header} of this account`),
    }),
  ]);
});

describe('under an idempotency key', () => {
  test('lines are imported once, and a retry through the other API gets the first result', async () => {
    const me = await operator();
    const lines = linesOf(customerRecord(), {});
    const key = keyed(unique('key'));
    const first = await me.rest.post<Result>('/imports/customers', { lines }, key);
    expect(first.body).toMatchObject({ read: 2, written: 1 });
    const again = await over(me, { kind: 'CUSTOMERS', lines }, key);
    expect([again.data.importRecords?.result, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    const other = await me.rest.post('/imports/customers', { lines: linesOf(customerRecord()) }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    const { rows } = await gateway.sql.query(`SELECT data FROM event WHERE program = $1 AND action = 'record.import'`, [
      me.program,
    ]);
    expect(rows).toEqual([{ data: { read: 2, written: 1, unchanged: 0, rejected: 1 } }]);
  });

  test('many at once are imported once', async () => {
    const me = await operator();
    const lines = linesOf(...Array.from({ length: 20 }, () => customerRecord()));
    const key = keyed(unique('key'));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => me.rest.post<Result>('/imports/customers', { lines }, key)),
    );
    for (const { status, body } of answers) expect([status, body.written]).toEqual([200, 20]);
    // Each customer, and the request.
    expect(await countOf('event', me.program)).toBe(21);
  });
});

test('a dry run tells the same, and keeps nothing', async () => {
  const me = await operator();
  const { account } = await gateway.given.account({ program: me.program });
  const lines = linesOf(transactionRecord(account, 'a'), transactionRecord(account, 'a', { amount: 1 }));
  const key = keyed(unique('key'));
  const { data } = await over(me, { kind: 'TRANSACTIONS', lines }, key, true);
  expect(data.importRecords?.result).toMatchObject({ read: 2, written: 1, rejected: [{ line: 2 }] });
  for (const table of ['transaction', 'event', 'idempotency_key']) {
    expect([table, await countOf(table, me.program)]).toEqual([table, 0]);
  }
  const done = await me.rest.post('/imports/transactions?dryRun=false', { lines }, key);
  expect(done.body).toEqual(data.importRecords?.result);
});

test('the events have the operator who imported, and the program hears of each request', async () => {
  const me = await operator();
  const { account } = await gateway.given.account({ program: me.program });
  await me.rest.post('/imports/transactions', { lines: linesOf(transactionRecord(account, 'a')) });
  await me.rest.post('/imports/programs', { lines: linesOf({ programId: me.program, name: 'Cedar' }) });
  const { rows } = await gateway.sql.query(
    'SELECT action, client_id, subject, object FROM event WHERE program = $1 ORDER BY id',
    [me.program],
  );
  const by = { client_id: 'back-office', subject: 'u-4711' };
  expect(rows).toEqual([
    { action: 'transaction.import', ...by, object: `account/${account}` },
    { action: 'record.import', ...by, object: 'import/transactions' },
    { action: 'program.create', ...by, object: `program/${me.program}` },
    { action: 'record.import', ...by, object: 'import/programs' },
  ]);
});

describe('of another program', () => {
  test('records are rejected, and stay as they are', async () => {
    const other = await gateway.given.account();
    const me = await operator();
    const { customer } = await gateway.given.customer({ program: me.program });
    const account = accountRecord([customer], { accountId: other.account });
    const cases: [string, object, string][] = [
      ['programs', { programId: other.program, name: 'Mine' }, 'taken'],
      ['customers', customerRecord({ customerId: other.owners[0] }), 'unusable_id'],
      ['accounts', account, 'unusable_id'],
      ['beneficiaries', beneficiaryRecord(other.account, { beneficiaryId: randomUUID() }), 'unknown_account'],
      ['transactions', transactionRecord(other.account, 'a'), 'account_not_found'],
      ['transfers', transferRecord(other.account, unique('acc')), 'account_not_found'],
    ];
    for (const [kind, record, code] of cases) {
      const { body } = await me.rest.post<Result>(`/imports/${kind}`, { lines: linesOf(record) });
      expect([kind, body]).toEqual([kind, { ...NOTHING, read: 1, rejected: [expect.objectContaining({ code })] }]);
    }
    expect(await countOf('account', me.program)).toBe(0);
  });
});

test('who must approve what, and which clients there are, is not for the operators to import', async () => {
  const me = await operator();
  await gateway.given.programRecord(me.program, { approvals: { changingOwners: true } });
  const { body } = await me.rest.post<Result>('/imports/programs', {
    lines: linesOf({ programId: me.program, name: 'Cedar', clients: ['mine'] }),
  });
  expect(body.rejected.map(({ pointer, code }) => [pointer, code])).toEqual([['/clients', 'fixed']]);
  const record = { programId: me.program, name: 'Cedar', approvals: { changingOwners: true } };
  const named = await me.rest.post<Result>('/imports/programs', { lines: linesOf(record) });
  expect(named.body).toMatchObject({ written: 1 });
});

describe('a text', () => {
  test.each<[what: string, lines: string, status: number]>([
    ['of 1,000 lines is imported', '{}\n'.repeat(1000), 200],
    ['of 1,001 lines is refused', '{}\n'.repeat(1001), 422],
    ['of 262,144 bytes is imported', 'é'.repeat(131_072), 200],
    ['of one byte more is refused', `${'é'.repeat(131_072)}a`, 422],
    ['without a line is refused', '', 422],
  ])('%s', async (_what, lines, status) => {
    const answer = await (await operator()).rest.post('/imports/customers', { lines });
    expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([status, status === 200 ? undefined : '/lines']);
  });

  test('that is too long is refused over GraphQL at its place', async () => {
    const { errors } = await over(await operator(), { kind: 'ACCOUNTS', lines: '\n'.repeat(1002) });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'RULE_BROKEN', errors: [{ pointer: '/input/lines' }] });
  });
});

describe('CSV', () => {
  const MAP = {
    dates: 'DD.MM.YYYY',
    fields: [
      { field: 'customerId', column: 'Kundennummer' },
      { field: 'name.last', column: 'Name' },
      { field: 'dateOfBirth', column: 'Geburtstag' },
      { field: 'addresses.0.line1', column: 'Ort' },
      { field: 'addresses.0.city', column: 'Ort' },
      { field: 'addresses.0.country', default: 'DE' },
      { field: 'addresses.0.type', column: 'Art', words: [{ cell: 'G', is: 'BUSINESS' }] },
    ],
  };
  const HEADER = 'Kundennummer;Name;Geburtstag;Ort;Art';

  test('is imported by a map, alike over GraphQL and REST, and its faults have the lines of the file', async () => {
    const me = await operator();
    const lines = [
      HEADER,
      `${randomUUID()};"Weiß; Sohn";03.02.1970;Köln;G`,
      '',
      `${randomUUID()};"Two\nlines";1970-02-03;;`,
      `SECRET;Quill;31.02.1970;;`,
    ].join('\r\n');
    // The header stands for the line before the rows.
    const body = { lines, firstLine: 1000, map: MAP };
    const { data } = await over(me, { ...body, kind: 'CUSTOMERS' }, {}, true);
    const first = await me.rest.post('/imports/customers', body);
    expect(first.status).toBe(200);
    expect(first.body).toEqual(data.importRecords?.result);
    expect(first.body).toMatchObject({ read: 3, written: 1, unchanged: 0 });
    const date = { pointer: '/dateOfBirth', code: 'wrong_type', detail: 'Must be a date as DD.MM.YYYY.' };
    expect(first.body.rejected).toEqual(
      expect.arrayContaining([
        { line: 1003, ...date },
        expect.objectContaining({ line: 1003, pointer: '/name/last' }),
        { line: 1005, ...date },
        expect.objectContaining({ line: 1005, pointer: '/customerId' }),
      ]),
    );
    expect(first.text).not.toContain('SECRET');
    expect(await me.rest.post('/imports/customers', body)).toMatchObject({ body: { written: 0, unchanged: 1 } });
  });

  test('is imported by a map in a text, as files for the command line have it, alike over GraphQL and REST', async () => {
    const me = await operator();
    const mapText = `headerLine: 3
fields:
  - { field: customerId, column: Nr, makeId: UUID }
  - { field: name.last, column: Name, words: [{ cell: 007, is: Bond }] }`;
    const lines = 'Kunden "2026";\n\nNr;Name\n0815;007\n4711;';
    const { data } = await over(me, { lines, mapText, kind: 'CUSTOMERS' }, {}, true);
    const { body } = await me.rest.post<Result>('/imports/customers', { lines, mapText });
    expect(body).toEqual(data.importRecords?.result);
    expect(body).toMatchObject({ read: 2, written: 1, rejected: [{ line: 5, pointer: '/name' }] });
    const shown = await me.client.graphql(
      'query ($input: ImportTableInput!) { importTable(input: $input) { headerLine columns rows } }',
      { input: { kind: 'CUSTOMERS', lines, mapText } },
    );
    expect(shown.data.importTable).toEqual({
      headerLine: 3,
      columns: ['Nr', 'Name'],
      rows: [
        ['0815', '007'],
        ['4711', ''],
      ],
    });
  });

  test.each([
    ['that is no YAML', 'fields: [SECRET', /^The map is no YAML on line 1/],
    [
      'without fields',
      'SECRET: 1',
      /^The map: SECRET: This field is unknown.*\nThe map: fields: This field is required/,
    ],
    ['beside another map', 'fields: []', /^Send either map or mapText/],
  ])('is refused with a map in a text %s', async (what, mapText, detail) => {
    const me = await operator();
    const map = what === 'beside another map' ? { map: MAP } : {};
    const { status, body } = await me.rest.post('/imports/customers', { lines: HEADER, mapText, ...map });
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '/mapText', code: 'format', detail: expect.stringMatching(detail) }],
    ]);
  });

  test('of one key and another map is another request', async () => {
    const me = await operator();
    const body = { lines: `${HEADER}\n${randomUUID()};Quill;;;`, map: MAP };
    const headers = keyed(unique('csv'));
    expect((await me.rest.post('/imports/customers', body, headers)).status).toBe(200);
    const other = { ...body, map: { ...MAP, dates: 'YYYY-MM-DD' } };
    expect((await me.rest.post('/imports/customers', other, headers)).body.code).toBe('idempotency_key_reused');
  });

  test.each<[string, string, object, object[]]>([
    [
      'a map whose fields and columns are not there',
      `${HEADER};Ort`,
      { fields: [{ field: 'SECRET', column: 'Name' }, { field: 'taxId' }] },
      [
        { pointer: '/map/fields/0/field', code: 'format', detail: 'Must be a field of these records.' },
        { pointer: '/map/fields/1', code: 'required', detail: 'Needs a column or a default.' },
      ],
    ],
    [
      'a header without the columns',
      `${HEADER};Ort`,
      {
        fields: [
          { field: 'taxId', column: 'SECRET' },
          { field: 'name.last', column: 'Ort' },
        ],
      },
      [
        { pointer: '/map/fields/0/column', code: 'format', detail: 'Must be a column of the header.' },
        { pointer: '/map/fields/1/column', code: 'repeated', detail: 'Is in the header twice. Rename one.' },
      ],
    ],
    [
      'a form of dates that is none',
      HEADER,
      { dates: 'SECRET', fields: [{ field: 'dateOfBirth', column: 'Geburtstag' }] },
      [{ pointer: '/map', code: 'format', detail: expect.stringContaining('must be the order of YYYY') }],
    ],
    [
      'a header that is no CSV',
      `${HEADER};"SECRET"x\n`,
      MAP,
      [{ pointer: '/lines', code: 'format', detail: expect.stringContaining('The header on line 1 has text behind') }],
    ],
    [
      'a header with more columns than a record has fields',
      `${HEADER}${';'.repeat(2000)}`,
      MAP,
      [{ pointer: '/lines', code: 'format', detail: expect.stringContaining('more than 1000 cells') }],
    ],
  ])('with %s is refused, alike over GraphQL and REST', async (_what, lines, map, faults) => {
    const me = await operator();
    const { status, body, text } = await me.rest.post('/imports/customers', { lines, map });
    expect([status, body.code, body.errors]).toEqual([422, 'rule_broken', faults]);
    const answer = await over(me, { kind: 'CUSTOMERS', lines, map });
    const [error] = answer.errors ?? [];
    expect(error?.extensions.errors).toEqual(
      faults.map(fault => ({ ...fault, pointer: `/input${(fault as { pointer: string }).pointer}` })),
    );
    expect(text + answer.text).not.toContain('SECRET');
  });

  test('is shown with its first rows, and with the fields that it may have', async () => {
    const { client } = await operator();
    const rows = Array.from({ length: 12 }, (_, row) => `${row}\t"a, ${row}"\t03.02.1970`);
    const lines = ['Customer ID\tLast name\tBorn', ...rows].join('\n');
    const { data } = await client.graphql(
      'query ($input: ImportTableInput!) { importTable(input: $input) { columns rows fields { path isRequired form column } } }',
      { input: { kind: 'CUSTOMERS', lines } },
    );
    const { columns, rows: shown, fields } = data.importTable;
    expect([columns, shown.length, shown[9]]).toEqual([
      ['Customer ID', 'Last name', 'Born'],
      10,
      ['9', 'a, 9', '03.02.1970'],
    ]);
    expect(fields).toContainEqual({
      path: 'customerId',
      isRequired: true,
      form: 'Must be a UUID.',
      column: 'Customer ID',
    });
    expect(fields).toContainEqual(expect.objectContaining({ path: 'dateOfBirth', isRequired: false, column: null }));
    expect(fields.find(({ path }: { path: string }) => path === 'addresses.0.city')).toBeDefined();
  });

  test('of more columns than a record has fields is not shown, and each alias that asks for it is charged', async () => {
    const { client } = await operator();
    const aliases = Array.from({ length: 10 }, (_, n) => `a${n}: importTable(input: $input) { columns }`);
    const lines = Array.from({ length: 100_000 }, () => 'a').join(',');
    const document = `query ($input: ImportTableInput!) { ${aliases.join(' ')} }`;
    const unitsLeft = ({ headers }: { readonly headers: Record<string, unknown> }): number =>
      Number(/;r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    const before = unitsLeft(await client.graphql('{ __typename }'));
    const wide = await client.graphql(document, { input: { kind: 'CUSTOMERS', lines } });
    expect(wide.errors?.map(({ extensions }) => extensions['errors'])).toEqual(
      aliases.map(() => [{ pointer: '/input/lines', code: 'format', detail: expect.stringContaining('1000 cells') }]),
    );
    expect(before - unitsLeft(wide)).toBeGreaterThanOrEqual(10 * aliases.length);
  });

  test('has rows with a bad quote rejected, and the other rows are imported', async () => {
    const me = await operator();
    const row = (name: string): string => `${randomUUID()};${name};;;`;
    const names = ['Eins', 'Café "SECRET"', 'Zwei', '"Café "SECRET""', '"SECRET', 'Drei', '"Vier ""4"""'];
    const lines = `${HEADER}\r\n${names.map(row).join('\n')}`;
    const { status, body, text } = await me.rest.post<Result>('/imports/customers', { lines, map: MAP });
    expect([status, body.read, body.written]).toEqual([200, 7, 4]);
    expect(body.rejected).toEqual(
      [3, 5, 6].map(line => ({ line, pointer: '', code: 'not_csv', detail: expect.stringMatching(/^The row has /) })),
    );
    expect(text).not.toContain('SECRET');
  });

  test('is shown to operators alone', async () => {
    const client = gateway.as(await gateway.caller({ scopes: ['operations.read'] }));
    const { errors } = await client.graphql('{ importTable(input: { kind: CUSTOMERS, lines: "a" }) { columns } }');
    expect(errors?.[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
  });
});
