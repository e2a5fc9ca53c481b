import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountRecord, beneficiaryRecord, customerRecord, importing } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

interface Event {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const IMPORT = `mutation ($input: ImportRecordsInput!) { importRecords(input: $input) { result { written: writtenCount rejected { line code } } } }`;

type Import = (kind: string, ...records: readonly object[]) => Promise<void>;

/** Somebody who imports into a program of his own, in one of the ways there are. */
async function importer(way: string): Promise<{ program: string; imports: Import; events: () => Promise<Event[]> }> {
  const program = gateway.given.program();
  const client = gateway.as(await gateway.caller({ program }));
  const lines = (records: readonly object[]) => records.map(record => `${JSON.stringify(record)}\n`).join('');
  const ways: Record<string, Import> = {
    'over REST': async (kind, ...records) => {
      const { status, body } = await client.rest.post(`/imports/${kind}`, { lines: lines(records) });
      expect([status, body]).toMatchObject([200, { rejected: [] }]);
    },
    'over GraphQL': async (kind, ...records) => {
      const input = { kind: kind.toUpperCase(), lines: lines(records) };
      const { errors, data } = await client.graphql<{ importRecords: { result: object } }>(IMPORT, { input });
      expect([errors, data?.importRecords.result]).toMatchObject([undefined, { rejected: [] }]);
    },
    'on the command line': async (kind, ...records) => {
      const became = await importing(gateway, kind as 'customers', program, records);
      expect(became.filter(one => typeof one !== 'string')).toEqual([]);
    },
  };
  const events = async (): Promise<Event[]> => {
    const { rows } = await gateway.sql.query('SELECT FROM event WHERE program = $1', [program]);
    let read: Event[] = [];
    await until(async () => {
      const { body } = await client.rest.get<{ events: Event[] }>('/events?limit=100');
      read = body.events;
      return read.length === rows.length;
    });
    // What a request of the API is as a whole is an event of its own.
    return read.filter(({ type }) => type !== 'records.imported');
  };
  return { program, imports: ways[way] as Import, events };
}

function told(events: readonly Event[]): [string, object][] {
  return events.map(({ type, data: { sequence: _sequence, ...data } }) => [type, data]);
}

describe.each(['over REST', 'over GraphQL', 'on the command line'])('what is imported %s', way => {
  test('is an event for each customer that is created or changed, with the names of the fields', async () => {
    const { imports, events } = await importer(way);
    const [one, other] = [customerRecord(), customerRecord()];
    await imports('customers', one, other);
    await imports('customers', { ...one, taxId: '900-00-9999' }, other);
    await imports('customers', { ...one, taxId: '900-00-9999', contact: null, name: { first: 'Eda', last: 'Else' } });
    const { customerId } = one;
    const seen = await events();
    expect(told(seen).slice(0, 2)).toEqual(
      expect.arrayContaining([
        ['customer.created', { customerId }],
        ['customer.created', { customerId: other.customerId }],
      ]),
    );
    expect(told(seen).slice(2)).toEqual([
      ['customer.updated', { customerId, changed: ['taxId'] }],
      ['customer.updated', { customerId, changed: ['name', 'contact'] }],
    ]);
    // A UUID may have any four digits.
    expect(JSON.stringify(seen).replaceAll(/[\da-f-]{36}/g, '')).not.toMatch(/9999|4321|Eda|Ada|example\.test/);
  });

  test('is an event in the chain of each account that is opened or changed, as a request leaves it', async () => {
    const { imports, events } = await importer(way);
    const customer = customerRecord();
    const account = accountRecord([customer.customerId], { overdraftLimit: 100 });
    const { accountId, accountType, currency, interestBearing, openedOn, timeZone } = account;
    await imports('customers', customer);
    await imports('accounts', account);
    await imports('accounts', { ...account, overdraftLimit: 1_000_000 });
    await imports('accounts', { ...account, accountType: 'SAVINGS', interestBearing: true, overdraftLimit: 1_000_000 });
    const { rows } = await gateway.sql.query(
      'SELECT chain_seq::int, action, data FROM account_event WHERE account_id = $1 ORDER BY chain_seq',
      [accountId],
    );
    const opened = { accountType, currency, interestBearing, openedOn, status: 'OPEN' };
    const customerIds = [customer.customerId];
    const turned = { accountType: 'SAVINGS', interestBearing: true, timeZone, overdraftLimit: '1000000.00' };
    expect(rows).toEqual([
      { chain_seq: 1, action: 'account.open', data: { ...opened, customerIds, overdraftLimit: '100.00' } },
      {
        chain_seq: 2,
        action: 'account.update',
        data: {
          changed: ['overdraftLimit'],
          before: { overdraftLimit: '100.00' },
          accountType,
          interestBearing,
          timeZone,
          overdraftLimit: '1000000.00',
        },
      },
      {
        chain_seq: 3,
        action: 'account.update',
        data: {
          changed: ['accountType', 'interestBearing'],
          before: { accountType: 'CHECKING', interestBearing: false },
          ...turned,
        },
      },
    ]);
    expect(told(await events()).slice(1)).toEqual([
      ['account.opened', { accountId, ...opened }],
      ['account.updated', { accountId, changed: ['overdraftLimit'], accountType, interestBearing, timeZone }],
      [
        'account.updated',
        {
          accountId,
          changed: ['accountType', 'interestBearing'],
          accountType: 'SAVINGS',
          interestBearing: true,
          timeZone,
        },
      ],
    ]);
  });

  test('is an event for each beneficiary, in the order of the lines', async () => {
    const { program, imports, events } = await importer(way);
    const { account: accountId } = await gateway.given.account({ program });
    const records = Array.from({ length: 3 }, (_, n) =>
      beneficiaryRecord(accountId, { beneficiaryId: randomUUID(), sharePercentage: 10 + n }),
    );
    await imports('beneficiaries', ...records);
    expect(told(await events())).toEqual(
      records.map(({ beneficiaryId, beneficiaryType, relationship, sharePercentage }) => [
        'beneficiary.added',
        { accountId, beneficiaryId, beneficiaryType, relationship, sharePercentage },
      ]),
    );
  });

  test('is no event the second time, and lines about one record are one event of what they come to', async () => {
    const { program, imports, events } = await importer(way);
    const customer = customerRecord();
    const account = accountRecord([customer.customerId]);
    const files: [string, object[]][] = [
      ['programs', [{ programId: program, name: 'Cedar' }]],
      ['customers', [{ ...customer, taxId: '900-00-1111' }, customer]],
      ['accounts', [{ ...account, accountType: 'SAVINGS' }, account]],
      ['beneficiaries', [beneficiaryRecord(account.accountId), beneficiaryRecord(account.accountId)]],
      ['transactions', [transactionRecord(account.accountId, 'a'), transactionRecord(account.accountId, 'b')]],
    ];
    for (const [kind, records] of files) await imports(kind, ...records);
    const first = await events();
    expect(first.map(({ type }) => type)).toEqual([
      'program.created',
      'customer.created',
      'account.opened',
      'beneficiary.added',
      'transactions.imported',
    ]);
    expect(first[2]?.data).toMatchObject({ accountType: 'CHECKING' });
    for (const [kind, records] of files) await imports(kind, ...records.slice(-1));
    // The lines of an account and of a customer that change it and change it back leave it as it is.
    await imports('customers', { ...customer, governmentId: null }, customer);
    await imports('accounts', { ...account, interestBearing: true }, account);
    expect(await events()).toEqual(first);
  });
});

function transactionRecord(accountId: string, transactionId: string): object {
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
    },
  };
}

test('a customer that is imported while requests change customers of the program keeps nobody waiting in a circle', async () => {
  const { program } = await importer('over REST');
  const client = gateway.as(await gateway.caller({ program }));
  const customers = Array.from({ length: 60 }, () => customerRecord());
  await importing(gateway, 'customers', program, customers);
  const changed = customers.map(record => ({ ...record, governmentId: `Z${randomUUID().slice(0, 8)}` }));
  const [became, ...answers] = await Promise.all([
    importing(gateway, 'customers', program, changed),
    ...customers
      .toReversed()
      .map(({ customerId }) => client.rest.patch(`/customers/${customerId}`, { dateOfBirth: '1971-02-03' })),
  ]);
  expect(became).toEqual(customers.map(() => 'updated'));
  expect(answers.map(({ status }) => status)).toEqual(customers.map(() => 200));
});

test('a dry run of customers leaves no event, and does not keep the other changes of the program waiting', async () => {
  const { program, events } = await importer('over REST');
  const client = gateway.as(await gateway.caller({ program }));
  const lines = `${JSON.stringify(customerRecord())}\n`;
  const { body } = await client.rest.post('/imports/customers?dryRun=true', { lines });
  expect(body).toMatchObject({ written: 1 });
  expect(await events()).toEqual([]);
});

test('the chains of what was imported hold when they are verified', async () => {
  const { program, imports } = await importer('over REST');
  const customers = Array.from({ length: 120 }, () => customerRecord());
  const accounts = customers.map(({ customerId }) => accountRecord([customerId]));
  await imports('customers', ...customers);
  await imports('accounts', ...accounts);
  await imports('beneficiaries', ...accounts.slice(0, 40).map(({ accountId }) => beneficiaryRecord(accountId)));
  expect((await gateway.verified()).broken).toEqual([]);
  // Each customer, and each request.
  const { rows } = await gateway.sql.query('SELECT FROM program_event WHERE program = $1', [program]);
  expect(rows).toHaveLength(123);
});
