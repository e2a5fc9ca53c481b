import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '../support/answers.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { newBeneficiary, type GivenAccount } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FIELDS = `beneficiaryId name { first middle last } taxId taxIdType dateOfBirth
  addresses { line1 line2 line3 city state postalCode country type } emails { type email } phones { type country number }
  beneficiaryType relationship sharePercentage`;
const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { ${FIELDS} } } }`;
const UPDATE = `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) { updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary { ${FIELDS} } } }`;
const DELETE = `mutation ($account: ID!, $id: ID!) { deleteBeneficiary(input: { accountId: $account, beneficiaryId: $id }) { beneficiary { ${FIELDS} } } }`;
const ONE = `query ($account: ID!, $id: ID!) { account(accountId: $account) { beneficiary(beneficiaryId: $id) { ${FIELDS} } } }`;
const LIST = `query ($account: ID!, $first: Int, $after: String) { account(accountId: $account) { beneficiaries(first: $first, after: $after) {
  totalCount nodes { beneficiaryId } edges { cursor node { beneficiaryId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
} } }`;

test('a beneficiary is added, changed, read and deleted, and REST shows the same record all along', async () => {
  const { caller, account } = await gateway.given.account();
  const me = gateway.as(caller);
  const rest = async (id: string) => (await me.rest.get(`/accounts/${account}/beneficiaries/${id}`)).body;

  const input = newBeneficiary({ taxId: '123456789' });
  const added = (await me.graphql(ADD, { account, input })).data.addBeneficiary.beneficiary;
  const id = added.beneficiaryId;
  expect(added).toEqual({ ...input, beneficiaryId: id, taxId: '*****6789' });
  expect(await rest(id)).toEqual(added);

  const patch = { taxId: '*****6789', name: { last: 'Murray' }, phones: null, dateOfBirth: null };
  const changed = (await me.graphql(UPDATE, { account, id, input: patch })).data.updateBeneficiary.beneficiary;
  expect(changed).toEqual({ ...added, name: { ...added.name, last: 'Murray' }, phones: [], dateOfBirth: null });
  expect((await me.graphql(ONE, { account, id })).data.account.beneficiary).toEqual(changed);
  expect(await rest(id)).toEqual({ ...changed, dateOfBirth: '' });

  expect((await me.graphql(DELETE, { account, id: id.toUpperCase() })).data.deleteBeneficiary.beneficiary).toEqual(
    changed,
  );
  expect((await me.graphql(ONE, { account, id })).data.account.beneficiary).toBeNull();
  expect((await rest(id)).code).toBe('beneficiary_not_found');
});

test('literals in the document mean the same as variables', async () => {
  const { caller, account } = await gateway.given.account();
  const { data, errors } = await gateway.as(caller).graphql(
    `mutation ($first: String!) { addBeneficiary(input: { accountId: "${account}", beneficiary: {
      name: { first: $first, last: "B" }, beneficiaryType: PRIMARY, relationship: TRUST, sharePercentage: 7, emails: { type: HOME, email: "a@b.example" }
    } }) { beneficiary { ${FIELDS} } } }`,
    { first: 'A' },
  );
  expect(errors).toBeUndefined();
  expect(data.addBeneficiary.beneficiary).toMatchObject({
    name: { first: 'A', middle: null, last: 'B' },
    relationship: 'TRUST',
    emails: [{ type: 'HOME', email: 'a@b.example' }],
    addresses: [],
  });
  const update = await gateway
    .as(caller)
    .graphql(
      `mutation { updateBeneficiary(input: { accountId: "${account}", beneficiaryId: "${data.addBeneficiary.beneficiary.beneficiaryId}", patch: { emails: null, name: { middle: "M" } } }) { beneficiary { ${FIELDS} } } }`,
    );
  expect(update.data.updateBeneficiary.beneficiary).toEqual({
    ...data.addBeneficiary.beneficiary,
    emails: [],
    name: { first: 'A', middle: 'M', last: 'B' },
  });
});

type Beneficiaries = Connection<{ beneficiaryId: string }>;

async function listed({ caller, account }: GivenAccount, args: object): Promise<Beneficiaries> {
  const { data } = await gateway
    .as(caller)
    .graphql<{ account: { beneficiaries: Beneficiaries } }>(LIST, { account, ...args });
  return data.account.beneficiaries;
}

const idsOf = ({ nodes }: Beneficiaries) => nodes.map(({ beneficiaryId }) => beneficiaryId);

test('a list goes on from cursor to cursor', async () => {
  const account = await gateway.given.account();
  const ids = await gateway.given.beneficiaries(account, 12);
  const page = (args: object) => listed(account, args);

  const first = await page({});
  expect(idsOf(first)).toEqual(ids.slice(0, 10));
  expect(first.edges.map(({ node }) => node)).toEqual(first.nodes);
  expect(first.totalCount).toBe(12);
  expect(first.pageInfo).toEqual({
    hasNextPage: true,
    hasPreviousPage: false,
    startCursor: first.edges[0]?.cursor,
    endCursor: first.edges[9]?.cursor,
  });

  const rest = await page({ after: first.pageInfo.endCursor });
  expect(idsOf(rest)).toEqual(ids.slice(10));
  expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });

  expect(idsOf(await page({ after: first.edges[1]?.cursor, first: 2 }))).toEqual(ids.slice(2, 4));
  expect(idsOf(await page({ first: 1000 }))).toEqual(ids);
  expect(idsOf(await page({ first: null, after: null }))).toEqual(ids.slice(0, 10));

  const beyond = await page({ after: rest.pageInfo.endCursor });
  expect(beyond).toMatchObject({
    nodes: [],
    edges: [],
    totalCount: 12,
    pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
  });
});

test('a deleted element does not disturb the cursor after it', async () => {
  const account = await gateway.given.account();
  const ids = await gateway.given.beneficiaries(account, 4);
  const first = await listed(account, { first: 2 });
  await gateway.as(account.caller).rest.delete(`/accounts/${account.account}/beneficiaries/${ids[1]}`);
  expect(idsOf(await listed(account, { after: first.pageInfo.endCursor }))).toEqual(ids.slice(2));
});

test.each([
  ['first: 0', '/first'],
  ['first: -5', '/first'],
  ['after: "x"', '/after'],
  ['after: "MTIzNDU2Nzg5MDEyMzQ1"', '/after'],
])('beneficiaries(%s) is refused', async (args, pointer) => {
  const { caller, account } = await gateway.given.account();
  const { errors } = await gateway
    .as(caller)
    .graphql(`{ account(accountId: "${account}") { beneficiaries(${args}) { nodes { beneficiaryId } } } }`);
  expect(errors).toMatchObject([
    { path: ['account', 'beneficiaries'], extensions: { code: 'RULE_BROKEN', errors: [{ pointer }] } },
  ]);
});

test('a beneficiary of another account is null, though both accounts are seen', async () => {
  const one = await gateway.given.beneficiary();
  const other = await gateway.given.account({ program: one.program });
  const { data, errors } = await gateway.as(one.caller).graphql(ONE, { account: other.account, id: one.beneficiary });
  expect([data, errors]).toEqual([{ account: { beneficiary: null } }, undefined]);
  expect(
    (await gateway.as(one.caller).graphql(ONE, { account: one.account, id: randomUUID() })).data.account.beneficiary,
  ).toBeNull();
  expect((await gateway.as(one.caller).graphql(ONE, { account: randomUUID(), id: one.beneficiary })).data).toEqual({
    account: null,
  });
});

test('many accounts, lists and beneficiaries in one operation come each to its place', async () => {
  const program = gateway.given.program();
  const given = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const account = await gateway.given.account({ program, owners: index % 3 });
      return { ...account, ids: await gateway.given.beneficiaries(account, index % 4) };
    }),
  );
  const fields = given.map(
    ({ account }, index) =>
      `a${index}: account(accountId: "${account}") { accountId owners { customerId } beneficiaries { totalCount nodes { beneficiaryId } } }`,
  );
  const { data } = await gateway.as(await gateway.caller({ program })).graphql(`{ ${fields.join(' ')} }`);
  for (const [index, { account, owners, ids }] of given.entries()) {
    expect(data[`a${index}`]).toEqual({
      accountId: account,
      owners: owners.map(customerId => ({ customerId })),
      beneficiaries: { totalCount: ids.length, nodes: ids.map(beneficiaryId => ({ beneficiaryId })) },
    });
  }
});
