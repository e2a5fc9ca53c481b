import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SCOPES } from '../../../src/shared/caller.js';
import type { GraphqlError } from '../../support/answers.js';
import { keyed, startTestGateway, unique, USUAL_SCOPES, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** More often than it takes for a query to be compiled, and once more when it is. */
const TIMES = 6;

const FIELDS = `fragment Fields on Account { accountId status owners { customerId name { first last } taxId isPrimary } }`;

/** An error as it is every time: all but the id of its request. */
function withoutRequestId(error: GraphqlError): object {
  const { requestId: _, ...extensions } = error.extensions;
  return { ...error, extensions };
}

test.each<[string, string, Record<string, unknown>]>([
  ['plain fields', 'query ($id: ID!) { account(accountId: $id) { accountId currency availableBalance } }', {}],
  [
    'aliases',
    'query ($id: ID!) { a: account(accountId: $id) { x: accountId y: accountId } b: account(accountId: "none") { accountId } }',
    {},
  ],
  ['fragments', `query ($id: ID!) { account(accountId: $id) { ...Fields ... on Account { openedOn } } } ${FIELDS}`, {}],
  [
    'a directive that includes',
    'query ($id: ID!, $with: Boolean!) { account(accountId: $id) { accountId owners @include(if: $with) { customerId } } }',
    { with: true },
  ],
  [
    'a directive that skips',
    'query ($id: ID!, $not: Boolean = true) { account(accountId: $id) { accountId owners @skip(if: $not) { customerId } } }',
    {},
  ],
  [
    'a default and an absent variable',
    'query ($id: ID!, $first: Int = 1, $after: String) { account(accountId: $id) { beneficiaries(first: $first, after: $after) { totalCount edges { cursor node { taxId name { first } } } pageInfo { hasNextPage endCursor } } } }',
    {},
  ],
  [
    'a default of a variable that may not be null',
    'query ($id: ID!, $first: Int! = 1) { account(accountId: $id) { beneficiaries(first: $first) { nodes { taxId } } } }',
    {},
  ],
  [
    'what is not there',
    'query ($id: ID!) { account(accountId: $id) { beneficiary(beneficiaryId: "7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11") { taxId } card(cardId: "c") { last4 } } }',
    {},
  ],
  ['the type of an object', 'query ($id: ID!) { account(accountId: $id) { __typename owners { __typename } } }', {}],
  ['the schema', '{ __type(name: "Account") { name fields { name type { name kind } } } __typename }', {}],
  [
    'a page that cannot be',
    'query ($id: ID!) { account(accountId: $id) { beneficiaries(first: 0) { nodes { taxId } totalCount } } }',
    {},
  ],
  [
    'a null where the list is required',
    'query ($id: ID!) { account(accountId: $id) { accountId transactions(filter: { minAmount: "2.00", maxAmount: "1.00" }) { nodes { amount } } } }',
    {},
  ],
])('a query answers alike however often it comes: %s', async (_what, query, variables) => {
  const { caller, account } = await gateway.given.beneficiary();
  const answers: unknown[] = [];
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { status, data, errors } = await gateway.as(caller).graphql(query, { id: account, ...variables });
    answers.push({ status, data, errors: errors?.map(withoutRequestId) });
  }
  expect(answers).toEqual(Array.from({ length: TIMES }, () => answers[0]));
});

test('a document of several operations runs the one that is named', async () => {
  const { caller, account } = await gateway.given.account();
  const query = `query A { account(accountId: "${account}") { accountId } } query B { account(accountId: "${account}") { currency } }`;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    for (const [operationName, shown] of [
      ['A', { accountId: account }],
      ['B', { currency: 'USD' }],
    ] as const) {
      const { body } = await gateway.as(caller).rest.post('/graphql', { query, operationName });
      expect(body).toEqual({ data: { account: shown } });
    }
  }
});

const PAGE = 'beneficiaries(first: 1) { nodes { ...B @skip(if: $b) } edges { node { ...B } } }';

test.each([
  [
    'a fragment that is spread with a condition and without',
    'query ($id: ID!, $b: Boolean!) { account(accountId: $id) { ...F @include(if: $b) ...F accountId } } fragment F on Account { currency }',
    () => ({ account: { currency: 'USD', accountId: expect.any(String) } }),
  ],
  [
    'a fragment in two lists, of which one may leave it out',
    `query ($id: ID!, $b: Boolean!) { account(accountId: $id) { ${PAGE} } } fragment B on Beneficiary { taxId }`,
    (b: boolean) => {
      const node = { taxId: expect.stringMatching(/^\*+\d{4}$/) };
      return { account: { beneficiaries: { nodes: [b ? {} : node], edges: [{ node }] } } };
    },
  ],
  [
    'an object that is left out at one place and asked for at another',
    'query ($id: ID!, $b: Boolean!) { account(accountId: $id) { owners @skip(if: true) { ...F } owners { customerId } } x: __typename @skip(if: $b) } fragment F on Owner { taxId governmentId }',
    (b: boolean) => ({ account: { owners: [{ customerId: expect.any(String) }] }, ...(!b && { x: 'Query' }) }),
  ],
])('fields come and go with their conditions at every use: %s', async (_what, query, shown) => {
  const { caller, account } = await gateway.given.beneficiary();
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    for (const b of [true, false]) {
      const { data, errors } = await gateway.as(caller).graphql(query, { id: account, b });
      expect(errors).toBeUndefined();
      expect(data).toEqual(shown(b));
    }
  }
});

test('operations of one document that share a fragment are compiled each for itself', async () => {
  const { caller, account } = await gateway.given.account();
  const query = `query A { account(accountId: "${account}") { ...F @include(if: false) accountId } }
    query B { account(accountId: "${account}") { ...F } } fragment F on Account { currency }`;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    for (const [operationName, shown] of [
      ['A', { accountId: account }],
      ['B', { currency: 'USD' }],
    ] as const) {
      const { body } = await gateway.as(caller).rest.post('/graphql', { query, operationName });
      expect(body).toEqual({ data: { account: shown } });
    }
  }
});

test('a field may be named __proto__ or constructor', async () => {
  const { caller, account } = await gateway.given.account();
  const query = 'query ($id: ID!) { account(accountId: $id) { __proto__: accountId constructor: currency } }';
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { text } = await gateway.as(caller).graphql(query, { id: account });
    expect(text).toBe(`{"data":{"account":{"__proto__":"${account}","constructor":"USD"}}}\n`);
  }
});

test.each([[0], [false], [[]], [{}]])('operationName %j is refused at every use', async operationName => {
  const { caller, account } = await gateway.given.account();
  const query = `query A { account(accountId: "${account}") { accountId } }`;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    expect((await gateway.as(caller).graphql(query)).status).toBe(200);
    expect((await gateway.as(caller).rest.post('/graphql', { query, operationName })).status).toBe(400);
  }
});

test('a document whose comment has the name of an operation and a NUL is taken for no other', async () => {
  const { caller, account } = await gateway.given.account();
  const other = `query A { account(accountId: "${account}") { currency } }`;
  const query = `#\u0000${other}\nquery A { account(accountId: "${account}") { accountId } }`;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const named = await gateway.as(caller).rest.post('/graphql', { query: `\u0000${other}`, operationName: '#' });
    expect(named.status).toBe(400);
    expect((await gateway.as(caller).graphql(query)).data).toEqual({ account: { accountId: account } });
  }
});

test('one error stands for all inside of the list that is null for them', async () => {
  const given = await gateway.given.account();
  await gateway.given.beneficiaries(given, 3);
  const query = `query ($id: ID!) { account(accountId: $id) { accountId beneficiaries { nodes { addresses { city } } } } }`;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    expect((await gateway.as(given.caller).graphql(query, { id: given.account })).errors).toBeUndefined();
  }
  await gateway.sql.query('UPDATE beneficiary SET sealed = substring(sealed FROM 1 FOR 40) WHERE account_id = $1', [
    given.account,
  ]);
  const { errors } = await gateway.as(given.caller).graphql(query, { id: given.account });
  expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_ERROR' } }]);
});

test('callers of different programs who send the same compiled query at the same moment see each their own', async () => {
  const mine = await gateway.given.beneficiary();
  const theirs = await gateway.given.beneficiary();
  const ids = [mine.account, theirs.account];
  const query = `query ($ids: [ID!]!) { accounts(filter: { accountIds: $ids }) { totalCount nodes { accountId beneficiaries { nodes { beneficiaryId } } } } }`;
  const limited = await gateway.caller({ program: mine.program, scopes: ['accounts.read'] });
  const sees = async (caller: string) => (await gateway.as(caller).graphql(query, { ids })).data?.accounts;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const [one, two, three] = await Promise.all([sees(mine.caller), sees(theirs.caller), sees(limited)]);
    expect(one.nodes).toEqual([
      { accountId: mine.account, beneficiaries: { nodes: [{ beneficiaryId: mine.beneficiary }] } },
    ]);
    expect(two.nodes).toEqual([
      { accountId: theirs.account, beneficiaries: { nodes: [{ beneficiaryId: theirs.beneficiary }] } },
    ]);
    expect(three).toEqual({ totalCount: 1, nodes: [{ accountId: mine.account, beneficiaries: null }] });
  }
});

test.each([
  ['owners { contact { email } }', 'customer', 'program'],
  ['owners { governmentId }', 'customer', 'program'],
  ['beneficiaries { nodes { dateOfBirth } }', 'beneficiary', 'account_id'],
  ['beneficiaries { nodes { addresses { city } } }', 'beneficiary', 'account_id'],
  ['beneficiaries { edges { node { emails { email } } } }', 'beneficiary', 'account_id'],
  ['beneficiaries { nodes { phones { number } } }', 'beneficiary', 'account_id'],
])(
  'what breaks inside a compiled query is told as an internal error, and logged with its request id: %s',
  async (fields, table, column) => {
    const { program, account } = await gateway.given.beneficiary();
    const caller = gateway.as(await gateway.caller({ program, scopes: SCOPES }));
    const query = `query ($id: ID!) { account(accountId: $id) { ${fields} } }`;
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      expect((await caller.graphql(query, { id: account })).errors).toBeUndefined();
    }
    await gateway.sql.query(`UPDATE ${table} SET sealed = substring(sealed FROM 1 FOR 40) WHERE ${column} = $1`, [
      column === 'program' ? program : account,
    ]);
    const { errors } = await caller.graphql(query, { id: account });
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL_ERROR' } }]);
    const requestId = errors?.[0].extensions.requestId ?? 'no error';
    expect(gateway.log.filter(line => line.includes(requestId) && line.includes('"level":"error"'))).toHaveLength(1);
  },
);

const ADD = `mutation ($id: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $id, beneficiary: $input }) { beneficiary { beneficiaryId } } }`;

test('a write that comes again and again is done once for each key, and replayed for it', async () => {
  const { caller, account } = await gateway.given.account();
  const variables = { id: account, input: leastBeneficiary() };
  const added: unknown[] = [];
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const headers = keyed(unique('key'));
    const first = await gateway.as(caller).graphql(ADD, variables, { headers });
    const second = await gateway.as(caller).graphql(ADD, variables, { headers });
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(second.text).toBe(first.text);
    added.push(first.data?.addBeneficiary.beneficiary.beneficiaryId);
  }
  const { rows } = await gateway.sql.query(
    'SELECT beneficiary_id FROM beneficiary WHERE account_id = $1 ORDER BY position',
    [account],
  );
  expect(rows.map(row => row.beneficiary_id)).toEqual(added);
});

test('a write that is refused is tried once, and refused alike however often it comes', async () => {
  const { program, account } = await gateway.given.account();
  const scopes = USUAL_SCOPES.filter(scope => scope !== 'beneficiaries.write');
  const caller = gateway.as(await gateway.caller({ program, scopes, subject: unique('subject') }));
  const answers: unknown[] = [];
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { status, headers, data, errors } = await caller.graphql(ADD, { id: account, input: leastBeneficiary() });
    answers.push({ status, challenge: headers['www-authenticate'], data, errors: errors?.map(withoutRequestId) });
  }
  expect(answers).toEqual(Array.from({ length: TIMES }, () => answers[0]));
  expect(answers[0]).toMatchObject({ status: 403, errors: [{ extensions: { code: 'INSUFFICIENT_SCOPE' } }] });
  await gateway.recorded();
  const { rows } = await gateway.sql.query(`SELECT count(*)::int AS denied FROM event WHERE account_id = $1`, [
    account,
  ]);
  expect(rows).toEqual([{ denied: TIMES }]);
});

test('several writes in one operation run one after another, each under its own key, however often they come', async () => {
  const { caller, account } = await gateway.given.account();
  const both = `mutation ($id: ID!, $input: BeneficiaryInput!) { one: addBeneficiary(input: { accountId: $id, beneficiary: $input }) { beneficiary { beneficiaryId } } two: addBeneficiary(input: { accountId: $id, beneficiary: $input }) { beneficiary { beneficiaryId } } }`;
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { data } = await gateway
      .as(caller)
      .graphql(both, { id: account, input: leastBeneficiary() }, { headers: keyed(unique('key')) });
    const { rows } = await gateway.sql.query(
      'SELECT beneficiary_id FROM beneficiary WHERE account_id = $1 ORDER BY position DESC LIMIT 2',
      [account],
    );
    expect([data?.two.beneficiary.beneficiaryId, data?.one.beneficiary.beneficiaryId]).toEqual(
      rows.map(row => row.beneficiary_id),
    );
  }
});
