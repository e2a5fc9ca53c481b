import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { startTestGateway, type Answer, type GraphqlAnswer, type TestGateway } from '../support/gateway.js';
import type { GivenBeneficiary } from '../support/given.js';
import { graphqlSettings } from '../platform/graphql/settings.js';

// What the OWASP GraphQL Cheat Sheet tells to defend against, each item under its name there or in the tools that try
// it.

/** More often than it takes for a query to be compiled. */
const TIMES = 5;

let gateway: TestGateway;
/** Set as production is without a word. */
let closed: TestGateway;
let given: GivenBeneficiary;
beforeAll(async () => {
  gateway = await startTestGateway();
  closed = await startTestGateway(graphqlSettings({ GRAPHQL_INTROSPECTION: 'false', GRAPHQL_EXPLORER: 'false' }));
  given = await gateway.given.beneficiary();
});
afterAll(async () => {
  await gateway.stop();
  await closed.stop();
});

const ask = (query: string, variables?: object): Promise<GraphqlAnswer> =>
  gateway.as(given.caller).graphql(query, variables);

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/**
 * Refused as a whole, every time, for one reason. Nobody can read an account meanwhile, so whatever did would wait and
 * be another refusal.
 */
async function expectRefused(query: string, extensions: object, variables?: object): Promise<void> {
  const unlock = await gateway.lockTable('account');
  try {
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const { status, data, errors } = await ask(query, variables);
      expect([status, data, errors]).toEqual([
        400,
        undefined,
        [expect.objectContaining({ extensions: expect.objectContaining(extensions) })],
      ]);
    }
  } finally {
    await unlock();
  }
}

async function expectAnswered(query: string, variables?: object): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    await gateway.compiled();
    const { status, errors } = await ask(query, variables);
    expect([status, errors]).toEqual([200, undefined]);
  }
}

describe('depth limiting', () => {
  let shallow: TestGateway;
  let caller: string;
  beforeAll(async () => {
    shallow = await startTestGateway(graphqlSettings({ GRAPHQL_MAX_DEPTH: '3' }));
    caller = await shallow.caller();
  });
  afterAll(() => shallow.stop());
  const extensionsOf = async (query: string) => (await shallow.as(caller).graphql(query)).errors?.[0]?.extensions;

  test.each([
    '{ accounts { nodes { owners { customerId } } } }',
    '{ accounts { nodes { ...F } } } fragment F on Account { owners { customerId } }',
    '{ accounts { ... { nodes { ... on Account { owners { customerId } } } } } }',
    '{ ...A } fragment A on Query { accounts { ...B } } fragment B on AccountConnection { nodes { owners { customerId } } }',
    '{ accounts { nodes { owners @include(if: false) { customerId } } } }',
    '{ accounts { nodes { accountId } } accounts { nodes { owners { customerId } } } }',
    'query A { accounts { nodes { owners { customerId } } } }',
  ])('fields beyond the limit are refused wherever they are written: %s', async query => {
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      expect(await extensionsOf(query)).toMatchObject({ code: 'QUERY_TOO_DEEP', limit: 3 });
    }
  });

  test('fields within the limit are answered, and fragments are no level', async () => {
    const query =
      '{ ...A } fragment A on Query { accounts { ... { ...B } } } fragment B on AccountConnection { nodes { accountId } }';
    for (let time = 0; time < TIMES; time++) expect(await extensionsOf(query)).toBeUndefined();
  });

  test('questions about the schema have a limit of their own, which the usual tools keep', async () => {
    expect((await shallow.as(caller).graphql(getIntrospectionQuery())).errors).toBeUndefined();
    const types = `{ __schema { types { fields { type ${'{ ofType '.repeat(30)}{ name }${' }'.repeat(30)} } } } }`;
    expect(await extensionsOf(types)).toMatchObject({ code: 'QUERY_TOO_DEEP', limit: 20 });
    const circular = `{ __schema { types ${'{ fields { type '.repeat(5)}{ name }${' } }'.repeat(5)} } }`;
    expect(await extensionsOf(circular)).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });
});

describe('amount limiting by cost', () => {
  const NESTED = `query ($accounts: Int, $inner: Int) { accounts(first: $accounts) { nodes { accountId
    beneficiaries(first: $inner) { nodes { beneficiaryId } } transactions(first: $inner) { nodes { amount } } } } }`;

  test('what ordinary clients ask for is answered', async () => {
    await expectAnswered(NESTED, { accounts: 20, inner: 5 });
    await expectAnswered(NESTED, {});
  });

  test('a hundred accounts with a hundred transactions each are not', async () => {
    const query = '{ accounts(first: 100) { nodes { transactions(first: 100) { nodes { amount } } } } }';
    await expectRefused(query, { code: 'QUERY_TOO_COSTLY', cost: 10_201, limit: 1000 });
  });

  test('a query that is compiled already is held to its cost by the variables of each request', async () => {
    await expectAnswered(NESTED, { accounts: 2, inner: 2 });
    await expectRefused(NESTED, { code: 'QUERY_TOO_COSTLY', cost: 20_301 }, { accounts: 100, inner: 100 });
    await expectRefused(NESTED, { code: 'QUERY_TOO_COSTLY', cost: 20_301 }, { accounts: 2_147_483_647, inner: 1000 });
    await expectRefused(NESTED, { code: 'QUERY_TOO_COSTLY', cost: 2301 }, { accounts: 100, inner: null });
    await expectAnswered(NESTED, { accounts: 2, inner: 2 });
  });
});

describe('aliases', () => {
  const aliased = (count: number) => `{ account(accountId: "x") { ${repeat(count, index => `a${index}: currency`)} } }`;

  test('fifteen of one field are answered, sixteen are refused', async () => {
    await expectAnswered(aliased(15));
    await expectRefused(aliased(16), { code: 'TOO_MANY_ALIASES', limit: 15 });
  });

  test('fragments do not hide them', async () => {
    const halves = [0, 1].map(
      half => `fragment F${half} on Account { ${repeat(8, index => `a${half}${index}: currency`)} }`,
    );
    await expectRefused(`{ account(accountId: "x") { ...F0 ... { ...F1 } } } ${halves.join(' ')}`, {
      code: 'TOO_MANY_ALIASES',
    });
    await expectRefused(`{ ${repeat(16, index => `a${index}: __typename`)} }`, { code: 'TOO_MANY_ALIASES' });
  });
});

describe('batching', () => {
  test('an array of operations is refused', async () => {
    const body = Array.from({ length: 2 }, () => ({ query: '{ __typename }' }));
    const answer = await gateway.as(given.caller).rest.post('/graphql', body);
    expect([answer.status, answer.body.data, answer.body.errors?.length]).toEqual([400, undefined, 1]);
  });

  test('ten fields at the root are answered, eleven are refused, of a mutation as well', async () => {
    const roots = (count: number) => repeat(count, index => `a${index}: account(accountId: "x") { currency }`);
    await expectAnswered(`{ ${roots(10)} __typename }`);
    await expectRefused(`{ ${roots(11)} }`, { code: 'TOO_MANY_ROOT_FIELDS', limit: 10 });
    await expectRefused(`{ ...F } fragment F on Query { ${roots(11)} }`, { code: 'TOO_MANY_ROOT_FIELDS' });
    const freeze = repeat(
      11,
      index => `a${index}: freezeCard(input: { accountId: "x", cardId: "y" }) { card { cardId } }`,
    );
    await expectRefused(`mutation { ${freeze} }`, { code: 'TOO_MANY_ROOT_FIELDS' });
  });
});

describe('fragments', () => {
  test.each([
    'fragment A on Account { ...A }',
    'fragment A on Account { ...B } fragment B on Account { ...A }',
    'fragment A on Account { beneficiaries { nodes { ...B } } } fragment B on Beneficiary { ...C } fragment C on Beneficiary { ...B }',
  ])('that spread each other in a circle are refused: %s', async fragments => {
    await expectRefused(`{ account(accountId: "x") { ...A } } ${fragments}`, { code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('twenty in a document are answered, twenty-one are refused', async () => {
    const chain = (count: number) =>
      `{ account(accountId: "x") { ...F1 } } ${repeat(count, index => `fragment F${index + 1} on Account { currency ${index + 1 < count ? `...F${index + 2}` : ''} }`)}`;
    await expectAnswered(chain(20));
    await expectRefused(chain(21), { code: 'TOO_MANY_FRAGMENTS', limit: 20 });
  });

  test('that multiply each other are refused before anybody counts them out', async () => {
    const nest = (index: number) =>
      `fragment I${index} on __Type { ${repeat(9, alias => `x${alias}: ofType { ...I${index + 1} }`)} }`;
    await expectRefused(`{ __type(name: "Account") { ...I0 } } ${repeat(9, nest)} fragment I9 on __Type { name }`, {
      code: 'TOO_MANY_SELECTIONS',
    });
  });
});

test('field duplication: a field that is written thousands of times is refused', async () => {
  const query = `{ account(accountId: "x") { ${repeat(6000, () => 'currency')} } }`;
  await expectRefused(query, { code: 'GRAPHQL_VALIDATION_FAILED' });
  expect((await ask(query)).errors).toMatchObject([{ message: expect.stringContaining('repeats fields') }]);
});

test('directive overloading: a directive stands once at one place, and an unknown one nowhere', async () => {
  for (const directive of ['@skip(if: false)', '@aa']) {
    const { status, data, errors } = await ask(`{ __typename ${directive.repeat(1000)} }`);
    expect([status, data]).toEqual([400, undefined]);
    expect(errors?.length).toBeLessThanOrEqual(101);
  }
});

test('query length: a document of more tokens than any honest one is not read to its end', async () => {
  const { status, errors } = await ask(`{ ${repeat(10_001, () => 'a')} }`);
  expect([status, errors?.map(({ message }) => message)]).toEqual([
    400,
    ['The document has more than 10000 tokens. Send a shorter document.'],
  ]);
});

test('timeouts: an operation that takes too long is ended', async () => {
  const quick = await startTestGateway(graphqlSettings({ GRAPHQL_TIMEOUT_MS: '100' }));
  const { account, caller } = await quick.given.account();
  const unlock = await quick.lockAccount(account);
  const answer = await quick
    .as(caller)
    .graphql(`mutation { freezeCard(input: { accountId: "${account}", cardId: "c" }) { card { cardId } } }`);
  expect([answer.status, answer.errors?.[0]?.extensions.code]).toEqual([503, 'TIMED_OUT']);
  await unlock();
  await quick.stop();
});

describe('introspection in production', () => {
  test.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "Account") { name } }',
    '{ ... { ...F } } fragment F on Query { x: __schema { queryType { name } } }',
  ])('is refused however often it is tried: %s', async query => {
    const me = closed.as(await closed.caller());
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const { status, text, data } = await me.graphql(query);
      expect([status, data]).toEqual([400, undefined]);
      expect(text).not.toContain('AccountConnection');
    }
    expect((await me.graphql('{ __typename }')).data).toEqual({ __typename: 'Query' });
  });

  test('no name is suggested to those who guess', async () => {
    for (const query of [
      '{ acount(accountId: "x") { currency } }',
      '{ account(acountId: "x") { currency } }',
      '{ account(accountId: "x") { curency } }',
    ]) {
      const text = (await closed.as(await closed.caller()).graphql(query)).text;
      expect(text).toContain('GRAPHQL_VALIDATION_FAILED');
      expect(text).not.toMatch(/did you mean/i);
      expect((await ask(query)).text).toMatch(/Did you mean/);
    }
  });

  test('a browser gets no explorer', async () => {
    const page = (of: TestGateway): Promise<Answer> => of.as(null).rest.get('/graphql', { accept: 'text/html' });
    expect((await page(closed)).status).toBe(401);
    expect((await page(gateway)).headers['content-type']).toContain('text/html');
  });
});

describe('cross-site request forgery', () => {
  const MUTATION = () =>
    `mutation { deleteBeneficiary(input: { accountId: "${given.account}", beneficiaryId: "${given.beneficiary}" }) { beneficiary { beneficiaryId } } }`;
  const isThere = async (): Promise<boolean> => {
    const { rows } = await gateway.sql.query('SELECT FROM beneficiary WHERE beneficiary_id = $1', [given.beneficiary]);
    return rows.length === 1;
  };

  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
  ])('a form of type %s changes nothing', async type => {
    for (const body of [JSON.stringify({ query: MUTATION() }), `query=${encodeURIComponent(MUTATION())}`]) {
      const answer = await gateway
        .as(given.caller)
        .raw({ method: 'POST', path: '/graphql', headers: { 'content-type': type }, body });
      expect(answer.status).toBe(415);
    }
    expect(await isThere()).toBe(true);
  });

  test('a link is answered only to those who send a header that no browser sends by itself', async () => {
    const path = `/graphql?query=${encodeURIComponent('{ __typename }')}`;
    const me = gateway.as(given.caller);
    expect((await me.rest.get(path)).status).toBe(200);
    expect((await me.rest.get(path, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await me.rest.get(path, { 'apollo-require-preflight': '1' })).status).toBe(200);
  });

  test('a mutation by GET is refused, with that header too', async () => {
    const path = `/graphql?query=${encodeURIComponent(MUTATION())}`;
    const answer = await gateway.as(given.caller).rest.get(path, { 'apollo-require-preflight': '1' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect(await isThere()).toBe(true);
  });
});
