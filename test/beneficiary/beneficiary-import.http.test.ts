import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { beneficiaryRecord, importing, type RecordOutcome } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const beneficiaries = (program: string, records: readonly object[]): Promise<RecordOutcome[]> =>
  importing(gateway, 'beneficiaries', program, records);

interface Item {
  readonly beneficiaryId: string;
  readonly name: { readonly first: string };
}

async function listed(caller: string, account: string): Promise<Item[]> {
  const path = `/accounts/${account}/beneficiaries?limit=100`;
  return (await gateway.as(caller).rest.get<{ accountBeneficiaries: Item[] }>(path)).body.accountBeneficiaries;
}

test('beneficiaries come to the end of the list, in the order of the file, masked', async () => {
  const { program, account, caller, beneficiary } = await gateway.given.beneficiary();
  const names = ['Cleo', 'Anna', 'Bela'];
  const records = names.map(first => beneficiaryRecord(account, { name: { first, last: 'Nonesuch' } }));
  expect(await beneficiaries(program, records)).toEqual(['new', 'new', 'new']);
  const list = await listed(caller, account);
  expect(list[0]?.beneficiaryId).toBe(beneficiary);
  expect(list.slice(1).map(({ name }) => name.first)).toEqual(names);
  const { body } = await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries/${list[1]?.beneficiaryId}`);
  expect(body).toMatchObject({
    taxId: '*****8765',
    taxIdType: 'SSN',
    emails: [{ type: 'HOME', email: 'ben@example.test' }],
    sharePercentage: 40,
  });
});

test('without an id one is recognised by account, name, type and relationship', async () => {
  const { program, account, caller } = await gateway.given.account();
  const record = beneficiaryRecord(account, { name: { first: 'Zoë', last: 'Nonesuch' } });
  const sameName = beneficiaryRecord(account, {
    name: { first: 'Zoë'.normalize('NFD'), middle: null, last: 'Nonesuch' },
  });
  const asSpouse = { ...record, relationship: 'SPOUSE' };
  expect(await beneficiaries(program, [record, record, asSpouse])).toEqual(['new', 'unchanged', 'new']);
  expect(await beneficiaries(program, [{ ...sameName, name: record['name'] }, asSpouse])).toEqual([
    'unchanged',
    'unchanged',
  ]);
  // The same person whose name is typed with other code points: recognised, but not equal.
  expect(await beneficiaries(program, [sameName])).toEqual(['different_beneficiary']);
  const [first] = await listed(caller, account);
  expect(first?.beneficiaryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('an id that the bank gave is kept', async () => {
  const { program, account, caller } = await gateway.given.account();
  const beneficiaryId = randomUUID();
  const record = beneficiaryRecord(account, { beneficiaryId: beneficiaryId.toUpperCase() });
  expect(await beneficiaries(program, [record])).toEqual(['new']);
  expect(await listed(caller, account)).toMatchObject([{ beneficiaryId }]);
});

test('one that was changed through the API is refused, and the change stays', async () => {
  const { program, account, caller } = await gateway.given.account();
  const record = beneficiaryRecord(account);
  await beneficiaries(program, [record]);
  const [{ beneficiaryId }] = (await listed(caller, account)) as [Item];
  await gateway.as(caller).rest.patch(`/accounts/${account}/beneficiaries/${beneficiaryId}`, { sharePercentage: 10 });
  expect(await beneficiaries(program, [record])).toEqual(['different_beneficiary']);
  expect(await listed(caller, account)).toMatchObject([{ sharePercentage: 10 }]);
});

test('one that was deleted through the API comes back at the end of the list', async () => {
  const { program, account, caller } = await gateway.given.account();
  const [first, second] = ['Anna', 'Bela'].map(name =>
    beneficiaryRecord(account, { name: { first: name, last: 'Nonesuch' } }),
  ) as [object, object];
  await beneficiaries(program, [first, second]);
  const [{ beneficiaryId }] = (await listed(caller, account)) as [Item];
  await gateway.as(caller).rest.delete(`/accounts/${account}/beneficiaries/${beneficiaryId}`);
  expect(await beneficiaries(program, [first, second])).toEqual(['new', 'unchanged']);
  expect((await listed(caller, account)).map(({ name }) => name.first)).toEqual(['Bela', 'Anna']);
});

test('an account has at most 100, however they come', async () => {
  const { program, account } = await gateway.given.account();
  const records = Array.from({ length: 101 }, (_, n) =>
    beneficiaryRecord(account, { name: { first: `N${n}`, last: 'Nonesuch' } }),
  );
  const became = await beneficiaries(program, records);
  expect(became.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'new'));
  expect(became[100]).toBe('too_many_beneficiaries');
  expect(await beneficiaries(program, records.slice(99))).toEqual(['unchanged', 'too_many_beneficiaries']);
});

test('an account that the program does not have is refused, whosever it is', async () => {
  const [mine, theirs] = [await gateway.given.account(), await gateway.given.account()];
  const records = [beneficiaryRecord('nowhere'), beneficiaryRecord(theirs.account), beneficiaryRecord(mine.account)];
  expect(await beneficiaries(mine.program, records)).toEqual([
    ['/accountId unknown_account'],
    ['/accountId unknown_account'],
    'new',
  ]);
  expect(await listed(theirs.caller, theirs.account)).toEqual([]);
});

test.each([
  ['a share of 101 percent', { sharePercentage: 101 }, ['/sharePercentage range']],
  ['a tax id without its type', { taxIdType: null }, ['/taxId together']],
  ['a relationship that nobody knows', { relationship: 'ENEMY' }, ['/relationship wrong_type']],
  ['no account', { accountId: undefined }, ['/accountId required']],
  ['an id that is no UUID', { beneficiaryId: '1' }, ['/beneficiaryId wrong_type']],
])('a record with %s breaks the rules that the API has', async (_what, changes, reasons) => {
  const { program, account } = await gateway.given.account();
  expect(await beneficiaries(program, [beneficiaryRecord(account, changes)])).toEqual([reasons]);
});

test('an import and a command that add at once lose nothing', async () => {
  const { program, account, caller } = await gateway.given.account();
  const records = Array.from({ length: 20 }, (_, n) =>
    beneficiaryRecord(account, { name: { first: `N${n}`, last: 'Nonesuch' } }),
  );
  const { rest } = gateway.as(caller);
  const body = { ...beneficiaryRecord(account), accountId: undefined };
  const [became, ...answers] = await Promise.all([
    beneficiaries(program, records),
    ...Array.from({ length: 5 }, () => rest.post(`/accounts/${account}/beneficiaries`, body)),
  ]);
  expect(new Set(became)).toEqual(new Set(['new']));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(await listed(caller, account)).toHaveLength(25);
});
