import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parseValue,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLObjectType,
} from 'graphql';
import { isUuidArg } from '../../../src/platform/graphql/uuid-arg.js';
import { readTypeOf } from '../../../src/platform/input/uuid-type.js';
import { buildGraphqlSchema } from '../../../src/app/schema.js';
import { SCOPES } from '../../../src/shared/caller.js';
import { keyed, startTestGateway, unique, type GraphqlAnswer, type TestGateway } from '../../support/gateway.js';
import { rounds } from '../../support/rounds.js';
import { leastBeneficiary, type GivenBeneficiary } from '../../support/given.js';

// A value may come by a variable or by a literal: what is wrong with it is told in the same way. See docs/graphql.md,
// 'Errors'.

let gateway: TestGateway;
let given: GivenBeneficiary;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  given = await gateway.given.beneficiary({ taxId: '123456789' });
});

const ask = (query: string, variables?: object): Promise<GraphqlAnswer> =>
  gateway.as(given.caller).graphql(query, variables);

const problemsOf = ({ errors = [] as never }: GraphqlAnswer): string[] =>
  [...errors].flatMap(({ extensions }) => extensions.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);

describe('a value that does not fit its type is refused before anything runs, at its place, and not repeated:', () => {
  const schema = buildGraphqlSchema(undefined, true);
  const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;
  const fieldsWithArguments = (name: string) =>
    Object.values(typeOf(name).getFields()).filter(({ args }) => args.length > 0);

  interface Bad {
    readonly literal: string;
    /** Undefined for what JSON does not have. */
    readonly json: unknown;
  }
  const BAD: Record<string, Bad> = {
    'a text': { literal: '"CANARY-4242"', json: 'CANARY-4242' },
    'a text with all that separates words of a message': {
      literal: '"CANARY: 4242; CANARY, found 4242"',
      json: 'CANARY: 4242; CANARY, found 4242',
    },
    'an instant that no calendar has': { literal: '"2042-13-42T42:42:42Z"', json: '2042-13-42T42:42:42Z' },
    'a number': { literal: '42424242424', json: 42_424_242_424 },
    'a number with decimals': { literal: '4242.4242', json: 4242.4242 },
    'a word': { literal: 'CANARY4242', json: undefined },
    true: { literal: 'true', json: true },
    'an object': { literal: '{ CANARY: "CANARY-4242" }', json: { CANARY: 'CANARY-4242' } },
    'a list': { literal: '["CANARY-4242"]', json: ['CANARY-4242'] },
  };
  const LEAKS = /CANARY|4242|2042|42:42/;
  // Ids of requests are random, and places in a document are numbers.
  const said = ({ text }: GraphqlAnswer) => text.replaceAll(/"(requestId|line|column)":[^,}]*/g, '');

  const fits = (type: GraphQLLeafType, { literal, json }: Bad, by: 'literal' | 'variable'): boolean => {
    try {
      const value: unknown = by === 'literal' ? type.parseLiteral(parseValue(literal), {}) : type.parseValue(json);
      return value !== undefined;
    } catch {
      return false;
    }
  };

  /**
   * The value at every leaf of a type, as a literal and as JSON, and the places of those leaves that do not take it.
   */
  function everywhere(
    type: GraphQLInputType,
    bad: Bad,
    place: string,
    isUuid = false,
  ): { literal: string; json: unknown; places: Record<'literal' | 'variable', string[]> } {
    if (isNonNullType(type)) return everywhere(type.ofType, bad, place, isUuid);
    if (isListType(type)) {
      const item = everywhere(type.ofType, bad, `${place}/0`, isUuid);
      return { literal: `[${item.literal}]`, json: [item.json], places: item.places };
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).map(
        field =>
          [
            field.name,
            everywhere(field.type, bad, `${place}/${field.name}`, readTypeOf(type, field) !== field.type),
          ] as const,
      );
      return {
        literal: `{ ${fields.map(([name, { literal }]) => `${name}: ${literal}`).join(', ')} }`,
        json: Object.fromEntries(fields.map(([name, { json }]) => [name, json])),
        places: {
          literal: fields.flatMap(([, { places }]) => places.literal),
          variable: fields.flatMap(([, { places }]) => places.variable),
        },
      };
    }
    // To GraphQL an id of ours is any text, so a literal of it is refused by its field alone.
    const isRefused = (by: 'literal' | 'variable') => !fits(type, bad, by) || (isUuid && by === 'variable');
    const placesBy = (by: 'literal' | 'variable') => (isRefused(by) ? [place] : []);
    return { ...bad, places: { literal: placesBy('literal'), variable: placesBy('variable') } };
  }

  const whole = (parent: string, field: string): string =>
    parent === 'Account' ? `{ account(accountId: "a") { ${field} } }` : `{ ${field} }`;
  const selection = ({ type }: GraphQLField<unknown, unknown>) =>
    isCompositeType(getNamedType(type)) ? '{ __typename }' : '';

  const FIELDS = ['Query', 'Mutation', 'Account'].flatMap(parent =>
    fieldsWithArguments(parent).map(field => [`${parent}.${field.name}`, parent, field] as const),
  );
  test('all fields with arguments are tried', () => expect(FIELDS.length).toBeGreaterThan(20));

  const KINDS = Object.values(BAD);
  /** Neighbours take turns, so that few rounds try each kind of value as well. */
  const COUNT = rounds(KINDS.length, 3);
  const valuesFor = (index: number): Bad[] =>
    Array.from({ length: COUNT }, (_, n) => KINDS[(index * COUNT + n) % KINDS.length] as Bad);

  test.each(FIELDS)('%s', async (tried, parent, field) => {
    const caller = gateway.as(await gateway.caller({ program: given.program, scopes: SCOPES }));
    const head = parent === 'Mutation' ? 'mutation' : 'query';
    for (const bad of valuesFor(FIELDS.findIndex(([one]) => one === tried))) {
      const args = field.args.map(arg => {
        const { name, type } = arg;
        return { name, type, ...everywhere(type, bad, `/${name}`, isUuidArg(field, name)) };
      });
      const expected = (by: 'literal' | 'variable') => args.flatMap(({ places }) => places[by]).sort();
      if (expected('literal').length > 0) {
        const asked = args.map(({ name, literal }) => `${name}: ${literal}`).join(', ');
        const answer = await caller.graphql(`${head} ${whole(parent, `${field.name}(${asked}) ${selection(field)}`)}`);
        expect([answer.status, answer.data]).toEqual([400, undefined]);
        expect(new Set(answer.errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['INVALID_INPUT']));
        expect(problemsOf(answer).sort()).toEqual(expected('literal').map(place => `${place} wrong_type`));
        expect(said(answer)).not.toMatch(LEAKS);
      }
      if (bad.json === undefined || expected('variable').length === 0) continue;
      const declared = args.map(({ name, type }) => `$v_${name}: ${String(type)}`).join(', ');
      const asked = args.map(({ name }) => `${name}: $v_${name}`).join(', ');
      const answer = await caller.graphql(
        `${head} (${declared}) ${whole(parent, `${field.name}(${asked}) ${selection(field)}`)}`,
        Object.fromEntries(args.map(({ name, json }) => [`v_${name}`, json])),
      );
      expect([answer.status, answer.data, answer.errors?.length]).toEqual([400, undefined, 1]);
      expect(answer.errors?.[0].extensions.code).toBe('INVALID_INPUT');
      // Rules that are broken besides are told, too: to GraphQL some times are texts, and how they are written is a
      // rule.
      const isOther = (problem: string) => problem.endsWith(' wrong_type') && !/(start|end)Time/.test(problem);
      const places = expected('variable').map(place => `${place} wrong_type`);
      expect(problemsOf(answer).filter(isOther).sort()).toEqual(places.filter(isOther));
      expect(said(answer)).not.toMatch(LEAKS);
    }
  });

  const ADD = (account: string, input: string) =>
    `{ addBeneficiary(input: { accountId: ${account}, beneficiary: ${input} }) { beneficiary { beneficiaryId } } }`;

  test.each([
    [
      'what an input does not have',
      `mutation ${ADD('"a"', '{ name: { first: "a", last: "b", nick: "CANARY" } }')}`,
      {},
    ],
    [
      'the same by a variable',
      `mutation ($input: BeneficiaryInput!) ${ADD('"a"', '$input')}`,
      { input: { name: { first: 'a', last: 'b', nick: 'CANARY' } } },
    ],
  ])('%s, and what it lacks', async (_what, query, variables) => {
    const answer = await ask(query, variables);
    expect(answer.status).toBe(400);
    expect(problemsOf(answer).sort()).toEqual([
      '/input/beneficiary/beneficiaryType required',
      '/input/beneficiary/name/nick unknown_field',
      '/input/beneficiary/relationship required',
      '/input/beneficiary/sharePercentage required',
    ]);
    expect(answer.text).not.toContain('CANARY');
  });

  test.each([
    ['an argument that is missing', '{ account { accountId } }', {}, '/accountId required'],
    ['a null', '{ account(accountId: null) { accountId } }', {}, '/accountId required'],
    [
      'a variable that is missing',
      'query ($a: ID!) { account(accountId: $a) { accountId } }',
      {},
      '/accountId required',
    ],
    [
      'a default',
      'query ($f: AccountFilter = { statuses: [CANARY] }) { accounts(filter: $f) { totalCount } }',
      {},
      '/filter/statuses/0 wrong_type',
    ],
    [
      'a variable in a literal',
      'query ($id: [ID!]) { accounts(filter: { accountIds: $id }) { totalCount } }',
      { id: [{ CANARY: 1 }] },
      '/filter/accountIds/0 wrong_type',
    ],
    [
      'a variable in a list',
      'query ($id: ID!) { accounts(filter: { accountIds: ["a", $id] }) { totalCount } }',
      { id: ['CANARY'] },
      '/filter/accountIds/1 wrong_type',
    ],
    [
      'a variable in a fragment',
      'query ($n: Int) { ...F } fragment F on Query { account(accountId: "a") { ...G } } fragment G on Account { transactions(first: $n) { totalCount } }',
      { n: 'CANARY' },
      '/first wrong_type',
    ],
    [
      'a variable of another operation, too',
      'query A($n: Int) { accounts(first: $n) { totalCount } } query B($n: String) { accounts(after: $n) { totalCount } }',
      { n: { CANARY: 1 } },
      '/after wrong_type',
    ],
    [
      'a variable of a directive',
      'query ($x: Boolean!) { __typename @skip(if: $x) }',
      { x: 'CANARY' },
      '/if wrong_type',
    ],
    ['a literal of a directive', '{ __typename @skip(if: "CANARY") }', {}, '/if wrong_type'],
    [
      'a variable that is used twice, at its first place',
      'query ($n: Int) { one: account(accountId: "a") { transactions(last: $n) { totalCount } } accounts(first: $n) { totalCount } }',
      { n: 'CANARY' },
      '/last wrong_type',
    ],
  ])('%s', async (_what, query, variables, problem) => {
    const answer = await gateway
      .as(given.caller)
      .rest.post('/graphql', { query, variables, ...(query.includes('query B') && { operationName: 'B' }) });
    const { data, errors } = answer.body;
    expect([answer.status, data]).toEqual([400, undefined]);
    expect(errors).toHaveLength(1);
    expect([errors[0].extensions.code, problemsOf(answer.body)]).toEqual(['INVALID_INPUT', [problem]]);
    expect(answer.text).not.toContain('CANARY');
  });
});

test.each([
  ['query ($id: ID!) { customer(customerId: $id) { customerId } }', '/customerId wrong_type'],
  ['query ($id: ID!) { accounts(filter: { customerId: $id }) { totalCount } }', '/filter/customerId wrong_type'],
  [
    'mutation ($id: ID!) { addAccountOwners(input: { accountId: "a", customerIds: ["7C0D5B1E-93A4-4F0E-9D0E-2F5B0F3C6A11", $id] }) { results { reason } } }',
    '/input/customerIds/1 wrong_type',
  ],
])('an id that the gateway never gives is refused by its field: %s', async (query, problem) => {
  for (const document of [query, query.replace(/ \(\$id: ID!\)/, '').replace('$id', '"CANARY"')]) {
    const answer = await ask(document, document === query ? { id: 'CANARY' } : {});
    expect([answer.errors?.[0].extensions.code, problemsOf(answer)]).toEqual(['INVALID_INPUT', [problem]]);
    expect(answer.text).not.toContain('CANARY');
  }
});

test('a null that only the default of its variable lets in is refused by the field, if that runs', async () => {
  const query =
    'query ($a: ID = "x", $run: Boolean!) { account(accountId: $a) @include(if: $run) { accountId } accounts { __typename } }';
  const refused = await ask(query, { a: null, run: true });
  expect([refused.status, refused.data.account]).toEqual([200, null]);
  expect(refused.errors).toMatchObject([{ path: ['account'], extensions: { code: 'INVALID_INPUT' } }]);
  expect(problemsOf(refused)).toEqual(['/accountId required']);
  expect((await ask(query, { a: null, run: false })).errors).toBeUndefined();
});

describe('a value that breaks a rule is refused by the field that is given it, by variable and by literal alike:', () => {
  const NAME = 'name: { first: "a", last: "b" }, beneficiaryType: PRIMARY, relationship: CHILD';
  const rows: [what: string, field: string, declared: string, variables: object, literal: string, problem: string][] = [
    [
      'of an input',
      'addBeneficiary(input: { accountId: "ACCOUNT", beneficiary: $v }) { beneficiary { beneficiaryId } }',
      '$v: BeneficiaryInput!',
      { v: leastBeneficiary({ sharePercentage: 101 }) },
      `{ ${NAME}, sharePercentage: 101 }`,
      '/input/beneficiary/sharePercentage range',
    ],
    [
      'of an object in an input',
      'addBeneficiary(input: { accountId: "ACCOUNT", beneficiary: $v }) { beneficiary { beneficiaryId } }',
      '$v: BeneficiaryInput!',
      { v: leastBeneficiary({ emails: [{ type: 'HOME', email: 'x' }] }) },
      `{ ${NAME}, sharePercentage: 1, emails: [{ type: HOME, email: "x" }] }`,
      '/input/beneficiary/emails/0/email format',
    ],
    [
      'of the record on file',
      'updateBeneficiary(input: { accountId: "ACCOUNT", beneficiaryId: "BENEFICIARY", patch: $v }) { beneficiary { beneficiaryId } }',
      '$v: BeneficiaryPatch!',
      { v: { taxId: null } },
      '{ taxId: null }',
      '/input/patch/taxIdType together',
    ],
    [
      'that only the database tells',
      'updateBeneficiary(input: { accountId: "ACCOUNT", beneficiaryId: "BENEFICIARY", patch: $v }) { beneficiary { beneficiaryId } }',
      '$v: BeneficiaryPatch!',
      { v: { taxId: '***' } },
      '{ taxId: "***" }',
      '/input/patch/taxId masked',
    ],
    [
      'of a list',
      'addAccountOwners(input: { accountId: "ACCOUNT", customerIds: $v }) { results { customerId } }',
      '$v: [ID!]!',
      { v: [] },
      '[]',
      '/input/customerIds size',
    ],
    [
      'of a list of inputs',
      'postAccountTransactions(input: { accountId: "ACCOUNT", transactions: $v }) { transactions { transactionId } }',
      '$v: [TransactionInput!]!',
      {
        v: {
          transactionId: 'a b',
          amount: '1',
          direction: 'DEBIT',
          category: 'x',
          transactionType: 'x',
          status: 'PENDING',
          transactedAt: '2026-01-01T00:00:00Z',
        },
      },
      '{ transactionId: "a b", amount: "1", direction: DEBIT, category: "x", transactionType: "x", status: PENDING, transactedAt: "2026-01-01T00:00:00Z" }',
      '/input/transactions/0/transactionId format',
    ],
  ];

  test.each(rows)('%s', async (_what, field, declared, variables, literal, problem) => {
    const before = await gateway.rows();
    const text = field.replace('ACCOUNT', given.account).replace('BENEFICIARY', given.beneficiary);
    const [name = ''] = text.split('(');
    // The operation is compiled meanwhile.
    for (let time = 0; time < 5; time++) {
      for (const [query, values] of [
        [`mutation (${declared}) { ${text} }`, variables],
        [`mutation { ${text.replace('$v', literal)} }`, {}],
      ] as const) {
        const answer = await ask(query, values);
        expect([answer.status, answer.data, answer.errors?.length]).toEqual([200, { [name]: null }, 1]);
        expect(answer.errors).toMatchObject([{ path: [name], extensions: { code: 'RULE_BROKEN' } }]);
        expect(problemsOf(answer)).toEqual([problem]);
      }
    }
    expect(await gateway.rows()).toEqual(before);
  });

  test('its neighbours are carried out, and each field tells of its own', async () => {
    const query = `mutation ($good: Int!, $bad: Int!) {
      one: addBeneficiary(input: { accountId: "${given.account}", beneficiary: { ${NAME}, sharePercentage: $good } }) { beneficiary { sharePercentage } }
      two: addBeneficiary(input: { accountId: "${given.account}", beneficiary: { ${NAME}, sharePercentage: $bad } }) { beneficiary { sharePercentage } }
      three: addBeneficiary(input: { accountId: "${given.account}", beneficiary: { ${NAME}, sharePercentage: 102 } }) { beneficiary { sharePercentage } }
      four: addBeneficiary(input: { accountId: "${given.account}", beneficiary: { ${NAME}, sharePercentage: 4 } }) { beneficiary { sharePercentage } }
    }`;
    const answer = await gateway
      .as(given.caller)
      .graphql(query, { good: 1, bad: 101 }, { headers: keyed(unique('key')) });
    const { status, data, errors } = answer;
    expect([status, data]).toEqual([
      200,
      {
        one: { beneficiary: { sharePercentage: 1 } },
        two: null,
        three: null,
        four: { beneficiary: { sharePercentage: 4 } },
      },
    ]);
    expect(errors).toMatchObject([{ path: ['two'] }, { path: ['three'] }]);
    expect(problemsOf(answer)).toEqual([
      '/input/beneficiary/sharePercentage range',
      '/input/beneficiary/sharePercentage range',
    ]);
  });

  test('nothing runs where another value does not fit its type, and all that is wrong is told at once', async () => {
    const before = await gateway.rows();
    const answer = await ask(
      `mutation ($input: BeneficiaryInput!) { one: addBeneficiary(input: { accountId: "${given.account}", beneficiary: { ${NAME}, sharePercentage: 1 } }) { beneficiary { taxId } } addBeneficiary(input: { accountId: "a", beneficiary: $input }) { beneficiary { taxId } } }`,
      { input: leastBeneficiary({ sharePercentage: 101, relationship: 1 }) },
    );
    expect([answer.status, answer.data]).toEqual([400, undefined]);
    expect(problemsOf(answer)).toEqual([
      '/input/beneficiary/relationship wrong_type',
      '/input/beneficiary/sharePercentage range',
    ]);
    expect(await gateway.rows()).toEqual(before);
  });

  test('a list that is too long is a broken rule, and one of wrong elements is malformed however long it is', async () => {
    const query = `mutation ($input: BeneficiaryPatch!) { updateBeneficiary(input: { accountId: "${given.account}", beneficiaryId: "${given.beneficiary}", patch: $input }) { beneficiary { taxId } } }`;
    const phones = (phone: object) => ({ input: { phones: Array.from({ length: 11 }, () => phone) } });
    const long = await ask(query, phones({ type: 'CELL', number: '5' }));
    expect([long.status, problemsOf(long)]).toEqual([200, ['/input/patch/phones size']]);
    const wrong = await ask(query, phones({ type: 'CELL', number: 5 }));
    expect([wrong.status, wrong.errors?.[0].extensions.code]).toEqual([400, 'INVALID_INPUT']);
    expect(problemsOf(wrong)).toContain('/input/patch/phones/10/number wrong_type');
  });
});

describe('a scope that is missing', () => {
  const QUERY = `query ($id: ID!) { account(accountId: $id) { accountId owners { customerId }
    beneficiaries { totalCount nodes { taxId } pageInfo { hasNextPage } } cards { cardId } transactions { totalCount edges { cursor } }
    statements { nodes { statementId } } beneficiary(beneficiaryId: "7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11") { taxId }
    card(cardId: "c") { cardId } transaction(transactionId: "t") { amount } statement(statementId: "s") { sha256 } } }`;
  const NESTED = [
    'beneficiaries',
    'cards',
    'transactions',
    'statements',
    'beneficiary',
    'card',
    'transaction',
    'statement',
  ];

  test('for fields of an object costs those fields alone', async () => {
    const limited = gateway.as(await gateway.caller({ program: given.program, scopes: ['accounts.read'] }));
    for (let time = 0; time < 5; time++) {
      const { status, headers, data, errors } = await limited.graphql(QUERY, { id: given.account });
      expect(data.account).toEqual({
        accountId: given.account,
        owners: given.owners.map(customerId => ({ customerId })),
        ...Object.fromEntries(NESTED.map(name => [name, null])),
      });
      expect(errors?.map(({ path }) => path?.join('.')).sort()).toEqual(NESTED.map(name => `account.${name}`).sort());
      expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(['INSUFFICIENT_SCOPE']));
      expect([status, headers['www-authenticate']]).toEqual([200, undefined]);
    }
  });

  test('for a field at the root costs that field alone, and is 403 where nothing else was asked for', async () => {
    const limited = gateway.as(await gateway.caller({ program: given.program, scopes: ['accounts.read'] }));
    const part = await limited.graphql('{ accounts { totalCount } transactions { totalCount } events { totalCount } }');
    expect([part.status, part.headers['www-authenticate']]).toEqual([200, undefined]);
    expect(part.data).toEqual({ accounts: { totalCount: 1 }, transactions: null, events: null });
    expect(part.errors?.map(({ path }) => path)).toEqual([['transactions'], ['events']]);
    const nothing = await limited.graphql('{ transactions { totalCount } events { totalCount } }');
    expect([nothing.status, nothing.data]).toEqual([403, { transactions: null, events: null }]);
    expect(nothing.headers['www-authenticate']).toContain('error="insufficient_scope"');
    const write = await limited.graphql(
      `mutation { freezeCard(input: { accountId: "${given.account}", cardId: "c" }) { card { cardId } } closeCard(input: { accountId: "${given.account}", cardId: "c" }) { card { cardId } } }`,
    );
    expect([write.status, write.data]).toEqual([403, { freezeCard: null, closeCard: null }]);
  });
});
