import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importing } from '../cli/importing.js';
import { HIDING, NAMES, ORGANIZATIONS, SHOW_NOTHING } from '../support/awkward-people.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary {
  beneficiaryId name { first middle last organization } } } }`;
const LIST = `query ($account: ID!) { account(accountId: $account) { beneficiaries(first: 100) { nodes {
  name { first middle last organization } } } } }`;
const SHARE = { beneficiaryType: 'PRIMARY', relationship: 'FRIEND', sharePercentage: 1 };

/** A name as GraphQL shows it. */
function shown({ first = '', middle, last }: { first?: string; middle?: string; last: string }) {
  return { first, middle: middle ?? null, last, organization: null };
}

async function namesOf({ caller, account }: { caller: string; account: string }): Promise<unknown[]> {
  const { data } = await gateway.as(caller).graphql(LIST, { account });
  return data.account.beneficiaries.nodes.map(({ name }: { name: unknown }) => name);
}

test('names of people come out as they came in, over GraphQL, REST and by import', async () => {
  const [overGraphql, overRest, imported] = [
    await gateway.given.account(),
    await gateway.given.account(),
    await gateway.given.account(),
  ];
  for (const { first, middle, last } of NAMES) {
    const name = { first, middle, last };
    const input = { ...SHARE, name };
    const { errors } = await gateway.as(overGraphql.caller).graphql(ADD, { account: overGraphql.account, input });
    expect(errors).toBeUndefined();
    const { status, body } = await gateway
      .as(overRest.caller)
      .rest.post(`/accounts/${overRest.account}/beneficiaries`, input);
    expect([status, body.name]).toEqual([201, { first: first ?? '', middle: middle ?? '', last }]);
  }
  const lines = NAMES.map(({ first, middle, last }) => ({
    accountId: imported.account,
    name: { first, middle, last },
    ...SHARE,
  }));
  const became = await importing(gateway, 'beneficiaries', imported.program, lines);
  expect(new Set(became)).toEqual(new Set(['new']));
  const expected = NAMES.map(shown);
  expect(await namesOf(overGraphql)).toEqual(expected);
  expect(await namesOf(overRest)).toEqual(expected);
  expect(await namesOf(imported)).toEqual(expected);
});

test('texts that show nothing, or hide something, are refused over GraphQL, REST and by import', async () => {
  const { caller, account, program } = await gateway.given.account();
  const me = gateway.as(caller);
  const texts = [...SHOW_NOTHING, ...HIDING].map(({ text }) => text);
  for (const last of texts) {
    const input = { ...SHARE, name: { first: 'Ada', last } };
    const { errors } = await me.graphql(ADD, { account, input });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'RULE_BROKEN',
      // Words of spaces alone are none.
      errors: [
        /^[ \p{Zs}]*$/u.test(last)
          ? { pointer: '/input/beneficiary/name', code: 'alternatives' }
          : { pointer: '/input/beneficiary/name/last', code: 'text' },
      ],
    });
    const { status, body } = await me.rest.post(`/accounts/${account}/beneficiaries`, input);
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/name/last']);
  }
  const lines = texts.map(last => ({ accountId: account, name: { first: 'Ada', last }, ...SHARE }));
  const became = await importing(gateway, 'beneficiaries', program, lines);
  expect(became).toEqual(texts.map(() => ['/name/last text']));
});

test('an optional text of spaces alone is absent over GraphQL, REST and by import', async () => {
  const [overGraphql, overRest, imported] = [
    await gateway.given.account(),
    await gateway.given.account(),
    await gateway.given.account(),
  ];
  const input = {
    ...SHARE,
    name: { first: '  ', middle: '\u3000', last: 'Sukarno' },
    addresses: [{ type: 'HOME', line1: '1 Elm Street', line2: ' ', city: 'Springfield', state: ' ', country: 'US' }],
  };
  await gateway.as(overGraphql.caller).graphql(ADD, { account: overGraphql.account, input });
  const { rest } = gateway.as(overRest.caller);
  const { status, body } = await rest.post(`/accounts/${overRest.account}/beneficiaries`, input);
  expect([status, body]).toMatchObject([
    201,
    { name: { first: '', middle: '' }, addresses: [{ line2: '', state: '' }] },
  ]);
  const line = { accountId: imported.account, ...input, taxId: ' ' };
  expect(await importing(gateway, 'beneficiaries', imported.program, [line])).toEqual(['new']);
  for (const where of [overGraphql, overRest, imported]) {
    expect(await namesOf(where)).toEqual([shown({ last: 'Sukarno' })]);
  }
});

test('an organisation has one name: in GraphQL as organization, in REST as last', async () => {
  const { caller, account } = await gateway.given.account();
  const me = gateway.as(caller);
  for (const { relationship, name } of ORGANIZATIONS) {
    const input = { ...SHARE, relationship, name: { last: name } };
    const { data } = await me.graphql(ADD, { account, input });
    expect(data.addBeneficiary.beneficiary.name).toEqual({ first: '', middle: null, last: name, organization: name });
    const path = `/accounts/${account}/beneficiaries/${data.addBeneficiary.beneficiary.beneficiaryId}`;
    const read = await me.rest.get(path);
    expect(read.body.name).toEqual({ first: '', middle: '', last: name });
    // What GraphQL and REST show can be sent back.
    expect((await me.rest.patch(path, read.body)).status).toBe(200);
  }
  const person = { ...SHARE, relationship: 'TRUST', name: { first: 'Ada', last: 'Trustee' } };
  expect(
    (await me.graphql(ADD, { account, input: person })).data.addBeneficiary.beneficiary.name.organization,
  ).toBeNull();
  const empty = { ...SHARE, name: { first: '', middle: '', last: 'Sukarno' } };
  expect((await me.graphql(ADD, { account, input: empty })).data.addBeneficiary.beneficiary.name).toEqual(
    shown({ last: 'Sukarno' }),
  );
});

test('absent, empty and null mean the same for a new customer under a key, over REST and GraphQL alike', async () => {
  const { program } = await gateway.given.account();
  const me = gateway.as(await gateway.caller({ program, scopes: 'operations' }));
  const create = `mutation ($input: CustomerInput!) { createCustomer(input: { customer: $input }) { customer { customerId } } }`;
  const key = keyed(unique('customer'));
  const spellings = [
    { name: { last: 'Sukarno' } },
    { name: { first: '', middle: '', last: 'Sukarno' }, governmentId: '', addresses: [] },
    { name: { first: null, middle: null, last: 'Sukarno' }, taxId: null, addresses: null, contact: null },
    { name: { last: 'Sukarno' }, contact: {} },
  ];
  const ids = new Set<string>();
  for (const input of spellings) {
    const { status, body } = await me.rest.post('/customers', input, key);
    expect(status).toBe(201);
    const { data, errors } = await me.graphql(create, { input }, { headers: key });
    expect(errors).toBeUndefined();
    ids.add(body.customerId).add(data.createCustomer.customer.customerId);
  }
  expect(ids.size).toBe(1);
  const path = `/customers/${[...ids][0]}`;
  expect((await me.rest.patch(path, { dateOfBirth: '1970-02-03' })).status).toBe(200);
});

test('an organisation is written by its one name over GraphQL, and a name is one of both', async () => {
  const { account, caller } = await gateway.given.account();
  const me = gateway.as(caller);
  const add = async (name: object, relationship = 'CHARITY') => {
    const { data, errors } = await me.graphql(ADD, { account, input: { ...SHARE, relationship, name } });
    return errors?.[0].extensions.errors ?? data.addBeneficiary.beneficiary;
  };
  const organization = 'Harbor Relief Fund';
  const added = await add({ organization });
  expect(added.name).toEqual({ first: '', middle: null, last: organization, organization });
  const path = `/accounts/${account}/beneficiaries/${added.beneficiaryId}`;
  expect((await me.rest.get(path)).body.name).toEqual({ first: '', middle: '', last: organization });
  const changed = await me.graphql(
    `mutation ($account: ID!, $id: ID!, $name: NamePatch!) {
      updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: { name: $name } }) {
        beneficiary { name { organization last } } } }`,
    { account, id: added.beneficiaryId, name: { organization: 'Harbor Relief' } },
  );
  expect(changed.data.updateBeneficiary.beneficiary.name).toEqual({
    organization: 'Harbor Relief',
    last: 'Harbor Relief',
  });
  const atName = [{ pointer: '/input/beneficiary/name', code: 'alternatives' }];
  for (const name of [{}, { first: 'Ada' }, { organization, last: 'Quill' }, { organization, middle: 'K' }]) {
    expect(await add(name)).toMatchObject(atName);
  }
  expect(await add({ organization }, 'SPOUSE')).toMatchObject([
    { pointer: '/input/beneficiary/name/organization', code: 'alternatives' },
  ]);
  // The contract has no such field.
  expect((await me.rest.patch(path, { name: { organization } })).body.errors).toMatchObject([
    { pointer: '/name/organization', code: 'unknown_field' },
  ]);
});
