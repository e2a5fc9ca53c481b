import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { accountRecord, customerRecord, importing, type RecordOutcome } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let program: string;
let customers: string[];

beforeAll(async () => {
  gateway = await startTestGateway();
  program = gateway.given.program();
  const records = Array.from({ length: 5 }, () => customerRecord());
  await importing(gateway, 'customers', program, records);
  customers = records.map(({ customerId }) => customerId);
});
afterAll(() => gateway.stop());

const accounts = (records: readonly object[], into = program): Promise<RecordOutcome[]> =>
  importing(gateway, 'accounts', into, records);

const ACCOUNT = `query ($accountId: ID!) { account(accountId: $accountId) {
  accountType currency status openedOn interestBearing availableBalance owners { customerId isPrimary } } }`;

interface OwnersAnswer {
  readonly owners: readonly { readonly customerId: string }[];
}

async function shown(accountId: string): Promise<OwnersAnswer | null> {
  const caller = await gateway.caller({ program });
  return (await gateway.as(caller).graphql<{ account: OwnersAnswer | null }>(ACCOUNT, { accountId })).data.account;
}

async function ownersOf(accountId: string): Promise<string[] | undefined> {
  return (await shown(accountId))?.owners.map(({ customerId }) => customerId);
}

test('a new account is open and empty, its first owner is the primary one', async () => {
  const owners = [customers[2], customers[0], customers[1]] as string[];
  const record = accountRecord(owners, {
    accountType: 'SAVINGS',
    currency: 'KWD',
    timeZone: 'Asia/Kuwait',
    interestBearing: true,
  });
  expect(await accounts([record])).toEqual(['new']);
  expect(await shown(record.accountId)).toEqual({
    accountType: 'SAVINGS',
    currency: 'KWD',
    status: 'OPEN',
    openedOn: '2020-02-29',
    interestBearing: true,
    availableBalance: '0.000',
    owners: owners.map((customerId, index) => ({
      customerId,
      isPrimary: index === 0,
    })),
  });
});

test('the overdraft limit follows the file where the file has one', async () => {
  const record = accountRecord([customers[0] as string], { currency: 'KWD', overdraftLimit: 12.345 });
  const { overdraftLimit: _, ...without } = record as typeof record & { overdraftLimit: number };
  const limit = async () => {
    const { rest } = gateway.as(await gateway.caller({ program }));
    return (await rest.get(`/accounts/${record.accountId}`)).body.balances.overdraftLimit;
  };
  expect(await accounts([record, record])).toEqual(['new', 'unchanged']);
  expect(await limit()).toBe(12.345);
  expect(await accounts([without])).toEqual(['unchanged']);
  expect(await accounts([{ ...record, overdraftLimit: 1 }])).toEqual(['updated']);
  expect(await accounts([{ ...without, overdraftLimit: null }])).toEqual(['unchanged']);
  expect(await limit()).toBe(1);
  for (const [overdraftLimit, code] of [
    [-1, 'range'],
    [0.0001, 'currency_digits'],
    ['1', 'wrong_type'],
  ]) {
    expect(await accounts([{ ...record, overdraftLimit }])).toEqual([[`/overdraftLimit ${code}`]]);
  }
});

test('a closed account may be imported as it is, and not be changed', async () => {
  const record = accountRecord([customers[0] as string]);
  await accounts([record]);
  const { rest } = gateway.as(await gateway.caller({ program }));
  await rest.post(`/accounts/${record.accountId}/close`, { reason: 'Because' });
  expect(await accounts([record, { ...record, accountType: 'CD' }])).toEqual(['unchanged', 'account_closed']);
  expect(await shown(record.accountId)).toMatchObject({ status: 'CLOSED', accountType: record['accountType'] });
  const transaction = {
    accountId: record.accountId,
    transactionId: 't-1',
    amount: 1,
    debitCreditMemo: 'CREDIT',
    category: 'ACH',
    transactionType: 'FEE',
    status: 'POSTED',
    transactionTimestamp: '2026-01-02T15:00:00Z',
    postedTimestamp: '2026-01-02T15:00:00Z',
  };
  const lines = [{ depositTransaction: transaction }];
  expect(await importing(gateway, 'transactions', program, lines)).toEqual(['account_closed']);
});

test('type and interest follow the file; importing the same again changes nothing', async () => {
  const record = accountRecord(customers.slice(0, 1));
  const changed = { ...record, accountType: 'MONEY_MARKET', interestBearing: true };
  expect(await accounts([record])).toEqual(['new']);
  expect(await accounts([record, changed, changed])).toEqual(['unchanged', 'updated', 'unchanged']);
  expect(await shown(record.accountId)).toMatchObject({ accountType: 'MONEY_MARKET', interestBearing: true });
});

test('currency, time zone and opening day of an account never change', async () => {
  const record = accountRecord(customers.slice(0, 1));
  await accounts([record]);
  const other = { ...record, accountType: 'CD', currency: 'EUR', timeZone: 'Europe/Berlin', openedOn: '2021-01-01' };
  expect(await accounts([other])).toEqual([['/currency fixed', '/timeZone fixed', '/openedOn fixed']]);
  expect(await shown(record.accountId)).toMatchObject({
    accountType: 'CHECKING',
    currency: 'USD',
    openedOn: '2020-02-29',
  });
});

test('owners that were added and removed by commands stay so when the file is imported again', async () => {
  const [first, second, third] = customers as [string, string, string];
  const record = accountRecord([first, second]);
  await accounts([record]);
  const { rest } = gateway.as(await gateway.caller({ program }));
  await rest.post(`/accounts/${record.accountId}/owners/remove`, { holders: [{ customerId: first }] });
  await rest.post(`/accounts/${record.accountId}/owners/add`, { holders: [{ customerId: third }] });

  expect(await accounts([record])).toEqual(['unchanged']);
  expect(await ownersOf(record.accountId)).toEqual([second, third]);
});

test('an owner that the program does not have is named by its position, and the account is not made', async () => {
  const elsewhere = customerRecord();
  await importing(gateway, 'customers', gateway.given.program(), [elsewhere]);
  const record = accountRecord([customers[0] as string, randomUUID(), elsewhere.customerId]);
  const good = accountRecord(customers);
  expect(await accounts([record, good])).toEqual([['/owners/1 unknown_customer', '/owners/2 unknown_customer'], 'new']);
  expect(await shown(record.accountId)).toBeNull();
  expect(await ownersOf(good.accountId)).toEqual(customers);
});

test('an account of another program is refused', async () => {
  const record = accountRecord(customers.slice(0, 1));
  await accounts([record]);
  const other = gateway.given.program();
  const customer = customerRecord();
  await importing(gateway, 'customers', other, [customer]);
  expect(await accounts([{ ...record, owners: [customer.customerId] }], other)).toEqual([['/accountId unusable_id']]);
});

test.each([
  ['no owners', { owners: [] }, ['/owners size']],
  ['101 owners', { owners: Array.from({ length: 101 }, () => randomUUID()) }, ['/owners size']],
  [
    'an owner twice, in another case',
    { owners: ['0000d001-0000-4000-8000-00000000000a', '0000D001-0000-4000-8000-00000000000A'] },
    ['/owners/1 distinct'],
  ],
  ['a time zone that is none', { timeZone: 'Mars/Olympus' }, ['/timeZone time_zone']],
  ['an offset for a time zone', { timeZone: '+01:00' }, ['/timeZone time_zone']],
  ['a space in its id', { accountId: 'a b' }, ['/accountId format']],
  ['an id of 65 characters', { accountId: 'a'.repeat(65) }, ['/accountId format']],
  ['a day that does not exist', { openedOn: '2021-02-29' }, ['/openedOn wrong_type']],
  ['a day before banks', { openedOn: '0001-01-01' }, ['/openedOn format']],
  ['a currency that does not exist', { currency: 'XYZ' }, ['/currency wrong_type']],
  [
    'a currency in small letters, whose digits would be those of no currency',
    { currency: 'jpy' },
    ['/currency wrong_type'],
  ],
  ['a text for a yes', { interestBearing: 'yes' }, ['/interestBearing wrong_type']],
])('a record with %s is refused', async (_what, changes, reasons) => {
  expect(await accounts([accountRecord(customers, changes)])).toEqual([reasons]);
});

test.each(['America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Etc/GMT+5', 'America/Port-au-Prince', 'UTC'])(
  'the time zone %s is one to us and to the database',
  async timeZone => {
    const record = accountRecord(customers.slice(0, 1), { timeZone });
    expect(await accounts([record])).toEqual(['new']);
    const { rows } = await gateway.sql.query(
      'SELECT now() AT TIME ZONE time_zone AS here FROM account WHERE account_id = $1',
      [record.accountId],
    );
    expect(rows).toHaveLength(1);
  },
);

test('an import waits for the command that holds the account', async () => {
  const record = accountRecord(customers.slice(0, 1));
  await accounts([record]);
  const release = await gateway.lockAccount(record.accountId);
  const importingNow = accounts([{ ...record, accountType: 'CD' }]);
  await gateway.waiting();
  await release();
  expect(await importingNow).toEqual(['updated']);
});

test('two imports of the same accounts at once make each account once', async () => {
  const records = Array.from({ length: 200 }, () => accountRecord(customers));
  const became = await Promise.all([accounts(records), accounts(records.toReversed()), accounts(records)]);
  const counts = became.flat().reduce((count, outcome) => count + (outcome === 'new' ? 1 : 0), 0);
  expect(counts).toBe(200);
  expect(new Set(became.flat())).toEqual(new Set(['new', 'unchanged']));
  expect(await ownersOf((records[7] as { accountId: string }).accountId)).toEqual(customers);
});
