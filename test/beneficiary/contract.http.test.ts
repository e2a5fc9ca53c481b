import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RestPage } from '../support/answers.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { digits, leastBeneficiary, newBeneficiary } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** The keys of the contract's record, section 2.1. */
const RECORD = [
  'beneficiaryId',
  'name',
  'taxId',
  'taxIdType',
  'dateOfBirth',
  'addresses',
  'emails',
  'phones',
  'beneficiaryType',
  'relationship',
  'sharePercentage',
];
const LIST_ITEM = ['beneficiaryId', 'name', 'taxId', 'beneficiaryType', 'relationship', 'sharePercentage'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Beneficiary {
  readonly beneficiaryId: string;
  readonly name: { readonly first: string; readonly middle: string; readonly last: string };
  readonly taxId: string;
  readonly sharePercentage: number;
}

interface List extends RestPage {
  readonly accountBeneficiaries: readonly Beneficiary[];
}

function expectRecord(record: Beneficiary): void {
  expect(Object.keys(record)).toEqual(RECORD);
  expect(record.beneficiaryId).toMatch(UUID);
  expect(Object.keys(record.name)).toEqual(['first', 'middle', 'last']);
  expect(Number.isInteger(record.sharePercentage)).toBe(true);
}

test('an added beneficiary is answered with 201, its address, and every field of the contract', async () => {
  const { caller, account } = await gateway.given.account();
  const input = newBeneficiary({ taxId: '123-45-6789' });
  const { status, headers, body } = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input);
  expect(status).toBe(201);
  expect(headers['content-type']).toMatch(/^application\/json\b/);
  expect(headers.location).toBe(`/accounts/${account}/beneficiaries/${body.beneficiaryId}`);
  expectRecord(body);
  expect(body).toEqual({ ...input, beneficiaryId: body.beneficiaryId, taxId: '*****6789' });

  const shown = await gateway.as(caller).rest.get(headers.location as string);
  expect([shown.status, shown.body]).toEqual([200, body]);
});

test('a beneficiary with the least fields has empty texts for the absent ones and empty lists', async () => {
  const { caller, account } = await gateway.given.account();
  const { body } = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
  expectRecord(body);
  expect(body).toEqual({
    beneficiaryId: body.beneficiaryId,
    name: {
      first: 'Alan',
      middle: '',
      last: 'Turing',
    },
    taxId: '',
    taxIdType: '',
    dateOfBirth: '',
    addresses: [],
    emails: [],
    phones: [],
    beneficiaryType: 'CONTINGENT',
    relationship: 'FRIEND',
    sharePercentage: 0,
  });
});

test('parts of addresses and phones that were not given are empty', async () => {
  const { caller, account } = await gateway.given.account();
  const input = leastBeneficiary({
    addresses: [{ line1: '1 A', city: 'B', country: 'DE', type: 'MAILING' }],
    phones: [{ type: 'FAX', number: '5' }],
  });
  const { body } = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, input);
  expect(body.addresses).toEqual([
    {
      line1: '1 A',
      line2: '',
      line3: '',
      city: 'B',
      state: '',
      postalCode: '',
      country: 'DE',
      type: 'MAILING',
    },
  ]);
  expect(body.phones).toEqual([{ type: 'FAX', country: '', number: '5' }]);
});

test('a changed beneficiary is answered with its whole record, the tax id masked', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
  const before = (await gateway.as(caller).rest.get(path)).body;
  const { status, body } = await gateway
    .as(caller)
    .rest.patch(path, { sharePercentage: 99, name: { middle: null }, taxId: '987654321', emails: [] });
  expect(status).toBe(200);
  expectRecord(body);
  expect(body).toEqual({
    ...before,
    sharePercentage: 99,
    name: { ...before.name, middle: '' },
    taxId: '*****4321',
    emails: [],
  });
  expect((await gateway.as(caller).rest.get(path)).body).toEqual(body);
});

/** Everything that a beneficiary may have, and the least. */
const RECORDS = [
  ['whole', newBeneficiary()],
  ['least', leastBeneficiary()],
  [
    'in part',
    leastBeneficiary({
      addresses: [{ line1: '1 A', city: 'B', country: 'DE', type: 'MAILING' }],
      phones: [{ type: 'FAX', number: '5' }],
    }),
  ],
] as const;

test.each(RECORDS)('a record that is given %s, sent back as it was shown, changes nothing', async (_, input) => {
  const { caller, account } = await gateway.given.account();
  const { rest } = gateway.as(caller);
  const path = (await rest.post(`/accounts/${account}/beneficiaries`, input)).headers.location as string;
  const shown = (await rest.get(path)).body;
  expect(JSON.stringify(shown)).not.toContain('null');
  const stored = () =>
    gateway.sql.query('SELECT name_middle, tax_id, tax_id_type FROM beneficiary WHERE account_id = $1', [account]);
  const before = (await stored()).rows;
  for (const type of ['application/json', 'application/merge-patch+json']) {
    const { status, body } = await rest.patch(path, shown, { 'content-type': type });
    expect([status, body]).toEqual([200, shown]);
  }
  expect((await stored()).rows).toEqual(before);
});

test('a record that is sent back with the id of another one is refused, and nothing changes', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const { rest } = gateway.as(caller);
  const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
  const shown = (await rest.get(path)).body;
  const other = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
  const refused = await rest.patch(path, { ...shown, beneficiaryId: other, sharePercentage: 7 });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [
      {
        pointer: '/beneficiaryId',
        code: 'other_beneficiary',
        detail:
          'beneficiaryId differs from the beneficiary id in the path. Send the id of the path, or leave beneficiaryId out.',
      },
    ],
  ]);
  expect((await rest.get(path)).body).toEqual(shown);
  const inCapitals = await rest.patch(path, { beneficiaryId: beneficiary.toUpperCase(), sharePercentage: 7 });
  expect([inCapitals.status, inCapitals.body.sharePercentage]).toEqual([200, 7]);
});

test('an unknown property of a change is refused', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
  const { status, body } = await gateway.as(caller).rest.patch(path, { position: 3 });
  expect([status, body.errors]).toMatchObject([400, [{ pointer: '/position', code: 'unknown_field' }]]);
});

test('an empty text clears what is optional, and nothing that is required', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const { rest } = gateway.as(caller);
  const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
  const cleared = { name: { middle: '' }, taxId: '', taxIdType: '', dateOfBirth: '' };
  const { status, body } = await rest.patch(path, cleared);
  expect([status, body]).toMatchObject([200, { name: { middle: '' }, taxId: '', taxIdType: '', dateOfBirth: '' }]);
  const query = `{ account(accountId: "${account}") { beneficiary(beneficiaryId: "${beneficiary}") { name { middle } taxId taxIdType dateOfBirth } } }`;
  const { data } = await gateway.as(caller).graphql(query);
  expect(data.account.beneficiary).toEqual({ name: { middle: null }, taxId: null, taxIdType: null, dateOfBirth: null });
  const refused = await rest.patch(path, { name: { last: '' }, relationship: '', sharePercentage: '' });
  expect([refused.status, refused.body.errors.map((each: { pointer: string }) => each.pointer)]).toEqual([
    400,
    ['/sharePercentage', '/name/last', '/relationship'],
  ]);
  const added = await rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary({ relationship: '' }));
  expect([added.status, added.body.errors[0].pointer]).toEqual([400, '/relationship']);
});

test('a replayed answer has empty texts, too', async () => {
  const { caller, account } = await gateway.given.account();
  const add = () =>
    gateway
      .as(caller)
      .rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), { 'x-idempotency-key': 'k' });
  const [first, again] = [await add(), await add()];
  expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text]);
  expect(first.text).not.toContain('null');
});

test('a deleted beneficiary is answered once more as it was, then it is gone', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const path = `/accounts/${account}/beneficiaries/${beneficiary}`;
  const before = (await gateway.as(caller).rest.get(path)).body;
  const deleted = await gateway.as(caller).rest.delete(path);
  expect([deleted.status, deleted.body]).toEqual([200, before]);
  expectRecord(deleted.body);
  for (const again of [await gateway.as(caller).rest.get(path), await gateway.as(caller).rest.delete(path)]) {
    expect([again.status, again.body.code]).toEqual([404, 'beneficiary_not_found']);
  }
});

test('an id means the same in capitals', async () => {
  const { caller, account, beneficiary } = await gateway.given.beneficiary();
  const path = `/accounts/${account}/beneficiaries/${beneficiary.toUpperCase()}`;
  expect((await gateway.as(caller).rest.get(path)).body.beneficiaryId).toBe(beneficiary);
  expect((await gateway.as(caller).rest.patch(path, { sharePercentage: 1 })).body).toMatchObject({
    beneficiaryId: beneficiary,
    sharePercentage: 1,
  });
  expect((await gateway.as(caller).rest.delete(path)).body.beneficiaryId).toBe(beneficiary);
});

test('a list goes on from link to link to its end and back, in the order of adding', async () => {
  const account = await gateway.given.account();
  const ids = await gateway.given.beneficiaries(account, 23);
  const pages = await gateway.as(account.caller).pages<List>(`/accounts/${account.account}/beneficiaries`);
  for (const page of pages) expect(Object.keys(page)).toEqual(['accountBeneficiaries', 'page', 'links']);
  const items = pages.flatMap(({ accountBeneficiaries }) => accountBeneficiaries);
  for (const item of items) {
    expect(Object.keys(item)).toEqual(LIST_ITEM);
    expect(item.taxId).toMatch(/^\*{5}\d{4}$/);
  }
  expect(items.map(({ beneficiaryId }) => beneficiaryId)).toEqual(ids);
  expect(pages.map(({ page }) => page)).toEqual([
    { nextOffset: '10', totalElements: 23 },
    { nextOffset: '20', prevOffset: '0', totalElements: 23 },
    { prevOffset: '10', totalElements: 23 },
  ]);
  expect(pages.map(({ links }) => links)).toEqual([
    {
      next: {
        href: `/accounts/${account.account}/beneficiaries?offSet=10&limit=10`,
        action: 'GET',
        rel: 'next',
        types: ['application/json'],
      },
    },
    {
      next: {
        href: `/accounts/${account.account}/beneficiaries?offSet=20&limit=10`,
        action: 'GET',
        rel: 'next',
        types: ['application/json'],
      },
    },
    {},
  ]);
});

test.each([
  ['?limit=2', [0, 2], '2', undefined],
  ['?offSet=3&limit=2', [3, 5], '5', '1'],
  ['?offset=3&limit=2', [3, 5], '5', '1'],
  ['?offSet=1&limit=3', [1, 4], '4', '0'],
  ['?offSet=5&limit=2', [5, 7], undefined, '3'],
  ['?limit=7', [0, 7], undefined, undefined],
  ['?offSet=7', [7, 7], undefined, '0'],
  ['?offSet=9&limit=3', [7, 7], undefined, '4'],
  ['?offSet=2147483647&limit=1', [7, 7], undefined, '6'],
] as const)('the page %s of seven', async (query, [from, to], nextOffset, prevOffset) => {
  const account = await gateway.given.account();
  const ids = await gateway.given.beneficiaries(account, 7);
  const { status, body } = await gateway
    .as(account.caller)
    .rest.get<List>(`/accounts/${account.account}/beneficiaries${query}`);
  expect(status).toBe(200);
  expect(body.accountBeneficiaries.map(({ beneficiaryId }) => beneficiaryId)).toEqual(ids.slice(from, to));
  expect(body.page).toEqual({ ...(nextOffset && { nextOffset }), ...(prevOffset && { prevOffset }), totalElements: 7 });
});

test('a limit beyond 100 means 100, and the next link says so', async () => {
  const account = await gateway.given.account();
  await gateway.given.beneficiaries(account, 101);
  const { body } = await gateway.as(account.caller).rest.get(`/accounts/${account.account}/beneficiaries?limit=5000`);
  expect(body.accountBeneficiaries).toHaveLength(100);
  expect(body.links.next.href).toBe(`/accounts/${account.account}/beneficiaries?offSet=100&limit=100`);
});

test('an empty list is a list', async () => {
  const { caller, account } = await gateway.given.account();
  const { body } = await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries`);
  expect(body).toEqual({ accountBeneficiaries: [], page: { totalElements: 0 }, links: {} });
});

test('an account whose id needs encoding has links that work', async () => {
  const account = await gateway.given.account({ accountId: `a/b?c&d=%25#${digits(6)}` });
  await gateway.given.beneficiaries(account, 3);
  const path = `/accounts/${encodeURIComponent(account.account)}/beneficiaries`;
  const first = await gateway.as(account.caller).rest.get(`${path}?limit=2`);
  const second = await gateway.as(account.caller).rest.get(first.body.links.next.href);
  expect(second.body.accountBeneficiaries).toHaveLength(1);
  const added = await gateway.as(account.caller).rest.post(path, leastBeneficiary());
  expect((await gateway.as(account.caller).rest.get(added.headers.location as string)).body).toEqual(added.body);
});

test('the 101st beneficiary is a conflict until one is deleted', async () => {
  const account = await gateway.given.account();
  const [first] = await gateway.given.beneficiaries(account, 99);
  const { rest } = gateway.as(account.caller);
  const path = `/accounts/${account.account}/beneficiaries`;
  // Two at once for the last place: the account is locked, so one gets it.
  const both = await Promise.all([rest.post(path, leastBeneficiary()), rest.post(path, leastBeneficiary())]);
  expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)?.body.code).toBe('too_many_beneficiaries');
  await rest.delete(`${path}/${first}`);
  expect((await rest.post(path, leastBeneficiary())).status).toBe(201);
});

test('many added at once are all there, each in a place of its own', async () => {
  const { caller, account } = await gateway.given.account();
  const { rest } = gateway.as(caller);
  const added = await Promise.all(
    Array.from({ length: 20 }, () => rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary())),
  );
  expect(added.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
  const { body } = await rest.get<List>(`/accounts/${account}/beneficiaries?limit=100`);
  expect(new Set(body.accountBeneficiaries.map(({ beneficiaryId }) => beneficiaryId))).toEqual(
    new Set(added.map(each => each.body.beneficiaryId)),
  );
});

test('the words of the contract are all taken, and unusual names come back as they were', async () => {
  const { caller, account } = await gateway.given.account();
  const first = `Zoë-O'Brien \\ "x" ? $1 😀 ${'é'.repeat(20)}`;
  const choices = {
    taxIdType: ['SSN', 'ITIN', 'ATIN', 'EIN'],
    beneficiaryType: ['PRIMARY', 'CONTINGENT'],
    relationship: [
      'SPOUSE',
      'CHILD',
      'PARENT',
      'SIBLING',
      'FAMILY_RELATIVE',
      'FRIEND',
      'TRUST',
      'CHARITY',
      'ESTATE',
      'OTHERS',
    ],
    sharePercentage: [0, 1, 100],
  };
  const each = Object.entries(choices).flatMap(([name, values]) => values.map(value => ({ [name]: value })));
  await Promise.all(
    each.map(async change => {
      const { status, body } = await gateway
        .as(caller)
        .rest.post(
          `/accounts/${account}/beneficiaries`,
          newBeneficiary({ ...change, name: { first, middle: '', last: '李' } }),
        );
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({ ...change, name: { first, middle: '', last: '李' } }),
      ]);
    }),
  );
});
