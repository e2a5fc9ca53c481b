import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mask } from '../../src/shared/mask.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { newBeneficiary } from '../support/given.js';
import { rounds } from '../support/rounds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const word = fc
  .string({ unit: fc.constantFrom('a', 'B', 'é', '李', '😀', "'", '\\', '?', ' x'), maxLength: 8 })
  .map(text => `${text}b`);
const nineDigits = fc.integer({ min: 0, max: 999_999_999 }).map(number => String(number).padStart(9, '0'));
const optionalWord = fc.option(word);
const email = fc.record({
  type: fc.constantFrom('HOME', 'BUSINESS', 'PERSONAL'),
  email: fc.constantFrom('a@b.example', 'c+d@e.example'),
});
const phone = fc.record({
  type: fc.constantFrom('CELL', 'FAX'),
  country: fc.constantFrom('US', 'DE', null),
  number: word,
});
const address = fc.record({
  line1: word,
  line2: optionalWord,
  line3: optionalWord,
  city: word,
  state: optionalWord,
  postalCode: optionalWord,
  country: fc.constantFrom('US', 'FR'),
  type: fc.constantFrom('HOME', 'MAILING'),
});

/** Patches that are allowed; the tax id and its type are cleared or set together. */
const patch = fc
  .record(
    {
      name: fc.record({ first: word, middle: optionalWord, last: word }, { requiredKeys: [] }),
      tax: fc.oneof(
        fc.constant({ taxId: null, taxIdType: null }),
        fc.record({ taxId: nineDigits, taxIdType: fc.constantFrom('SSN', 'EIN') }),
      ),
      dateOfBirth: fc.option(fc.constantFrom('1850-01-01', '2000-02-29', '1999-12-31')),
      addresses: fc.option(fc.array(address, { maxLength: 3 })),
      emails: fc.option(fc.array(email, { maxLength: 3 })),
      phones: fc.option(fc.array(phone, { maxLength: 3 })),
      beneficiaryType: fc.constantFrom('PRIMARY', 'CONTINGENT'),
      relationship: fc.constantFrom('SPOUSE', 'TRUST'),
      sharePercentage: fc.integer({ min: 0, max: 100 }),
    },
    { requiredKeys: [] },
  )
  .map(({ tax, ...others }) => ({ ...tax, ...others }));

/** RFC 7396, section 2. */
function mergePatch(target: unknown, change: unknown): unknown {
  if (change === null || typeof change !== 'object' || Array.isArray(change)) return change;
  const merged: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** How the merged record is shown: what is not there is null or an empty list, and the tax id is masked. */
function shown(record: unknown): object {
  const { taxId, name, ...others } = record as { taxId?: string; name: object };
  const nothing = { taxIdType: null, dateOfBirth: null, addresses: [], emails: [], phones: [] };
  return { ...nothing, ...others, name: { middle: null, ...name }, taxId: taxId ? mask(taxId) : null };
}

/** The values as REST shows them: an empty text where there is none. */
function inRest(record: object): unknown {
  return JSON.parse(JSON.stringify(record), (_, value: unknown) => value ?? '');
}

const UPDATE = `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) { updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary {
  beneficiaryId name { first middle last } taxId taxIdType dateOfBirth addresses { line1 line2 line3 city state postalCode country type }
  emails { type email } phones { type country number } beneficiaryType relationship sharePercentage
} } }`;

test.each(['rest', 'graphql'] as const)('patches over %s one after another make what RFC 7396 says', async api => {
  const { caller, account } = await gateway.given.account();
  const me = gateway.as(caller);
  await fc.assert(
    fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 5 }), async patches => {
      const input = newBeneficiary();
      const added = (await me.rest.post(`/accounts/${account}/beneficiaries`, input)).body;
      const path = `/accounts/${account}/beneficiaries/${added.beneficiaryId}`;
      let model: unknown = { beneficiaryId: added.beneficiaryId, ...input };
      for (const change of patches) {
        // Null within a list of records is not for RFC 7396 to merge: lists replace.
        model = mergePatch(model, change);
        const answer =
          api === 'rest'
            ? (await me.rest.patch(path, change)).body
            : (await me.graphql(UPDATE, { account, id: added.beneficiaryId, input: change })).data.updateBeneficiary
                .beneficiary;
        expect(answer).toEqual(api === 'rest' ? inRest(shown(model)) : shown(model));
      }
      expect((await me.rest.get(path)).body).toEqual(inRest(shown(model)));
      await me.rest.delete(path);
    }),
    { numRuns: rounds(25) },
  );
});

test('an empty patch changes nothing and is done', async () => {
  const given = await gateway.given.beneficiary();
  const path = `/accounts/${given.account}/beneficiaries/${given.beneficiary}`;
  const before = (await gateway.as(given.caller).rest.get(path)).body;
  expect(await gateway.as(given.caller).rest.patch(path, {})).toMatchObject({ status: 200, body: before });
});

test('a mask sent back keeps the whole number, also when its type changes', async () => {
  const given = await gateway.given.beneficiary({ taxId: '123456789' });
  const path = `/accounts/${given.account}/beneficiaries/${given.beneficiary}`;
  const rest = gateway.as(given.caller).rest;
  expect((await rest.patch(path, { taxId: '*****6789', taxIdType: 'EIN' })).body).toMatchObject({
    taxId: '*****6789',
    taxIdType: 'EIN',
  });
  // The number on record is still whole: the type of a number that is not would be refused.
  expect((await rest.patch(path, { taxIdType: 'SSN' })).body).toMatchObject({ taxId: '*****6789', taxIdType: 'SSN' });
});

test('two patches at once of different fields are both kept', async () => {
  const given = await gateway.given.beneficiary();
  const path = `/accounts/${given.account}/beneficiaries/${given.beneficiary}`;
  const rest = gateway.as(given.caller).rest;
  await Promise.all([
    rest.patch(path, { sharePercentage: 3 }),
    rest.patch(path, { name: { last: 'New' } }),
    rest.patch(path, { emails: [] }),
    rest.patch(path, { relationship: 'TRUST' }),
  ]);
  expect((await rest.get(path)).body).toMatchObject({
    sharePercentage: 3,
    name: { last: 'New' },
    emails: [],
    relationship: 'TRUST',
  });
});
