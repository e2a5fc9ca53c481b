import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { restCode, type GraphqlError } from '../support/answers.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { digits, leastBeneficiary, newBeneficiary, type GivenBeneficiary } from '../support/given.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { beneficiaryId } } }`;
const UPDATE = `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) { updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary { beneficiaryId } } }`;
const DELETE = `mutation ($account: ID!, $id: ID!) { deleteBeneficiary(input: { accountId: $account, beneficiaryId: $id }) { beneficiary { beneficiaryId } } }`;
const OWNERS = `mutation ($account: ID!, $customerIds: [ID!]!) { addAccountOwners(input: { accountId: $account, customerIds: $customerIds }) { results { ownerStatus } } }`;

interface RefusalAnswer {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly { pointer: string; code: string; detail: string }[] | undefined;
  readonly message: string;
}

interface ApiCaller {
  readonly account: string;
  readonly beneficiary: string;
  readonly token: string | null;
  readonly headers?: Record<string, string>;
}

type ApiCall = (asking: ApiCaller, what: unknown) => Promise<RefusalAnswer>;

async function byRest(
  method: string,
  path: string,
  { token, headers }: ApiCaller,
  body?: unknown,
): Promise<RefusalAnswer> {
  const answer = await gateway.as(token).raw({
    method,
    path,
    body,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  const { type, title, status, detail, instance, code, requestId, errors, ...more } = answer.body;
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect([type, title, instance]).toEqual([`/problems#${code}`, expect.any(String), path]);
  expect(status).toBe(answer.status);
  expect(requestId).toBe(answer.headers['x-request-id']);
  expect(more).toEqual({});
  return { status, code, errors, message: detail };
}

async function byGraphql(query: string, variables: object, { token, headers = {} }: ApiCaller): Promise<RefusalAnswer> {
  const answer = await gateway.as(token).graphql(query, variables, { headers });
  expect(answer.errors).toHaveLength(1);
  const [{ message, extensions, path }] = answer.errors as [GraphqlError];
  expect(extensions.requestId).toBe(answer.headers['x-request-id']);
  // Before anything runs there is no data and no path; later the field is null.
  const isEarly = answer.data === undefined;
  expect(Object.values(answer.data ?? {})).toEqual(isEarly ? [] : [null]);
  expect(path).toEqual(isEarly ? undefined : Object.keys(answer.data));
  return { status: answer.status, code: restCode(extensions.code), errors: extensions.errors, message };
}

const client: Record<'add' | 'update' | 'delete' | 'owners', { rest: ApiCall; graphql: ApiCall }> = {
  add: {
    rest: (asking, input) => byRest('POST', `/accounts/${asking.account}/beneficiaries`, asking, input),
    graphql: (asking, input) => byGraphql(ADD, { account: asking.account, input }, asking),
  },
  update: {
    rest: (asking, input) =>
      byRest('PATCH', `/accounts/${asking.account}/beneficiaries/${asking.beneficiary}`, asking, input),
    graphql: (asking, input) => byGraphql(UPDATE, { account: asking.account, id: asking.beneficiary, input }, asking),
  },
  delete: {
    rest: asking => byRest('DELETE', `/accounts/${asking.account}/beneficiaries/${asking.beneficiary}`, asking),
    graphql: asking => byGraphql(DELETE, { account: asking.account, id: asking.beneficiary }, asking),
  },
  owners: {
    rest: (asking, ids) =>
      byRest('POST', `/accounts/${asking.account}/owners/add`, asking, {
        holders: Array.isArray(ids) ? ids.map(customerId => ({ customerId })) : ids,
      }),
    graphql: (asking, customerIds) => byGraphql(OWNERS, { account: asking.account, customerIds }, asking),
  },
};

type Problem = readonly [pointer: string, code: string];
type Row = readonly [
  what: string,
  api: keyof typeof client,
  input: unknown,
  status: number,
  code: string,
  problems?: readonly Problem[],
];

const long = 'x'.repeat(101);
const future = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

const shapes: readonly Row[] = [
  [
    'an empty object',
    'add',
    {},
    400,
    'invalid_input',
    [
      ['/name', 'required'],
      ['/beneficiaryType', 'required'],
      ['/relationship', 'required'],
      ['/sharePercentage', 'required'],
    ],
  ],
  [
    'required fields that are null',
    'add',
    leastBeneficiary({ relationship: null, sharePercentage: null }),
    400,
    'invalid_input',
    [
      ['/relationship', 'required'],
      ['/sharePercentage', 'required'],
    ],
  ],
  [
    'a text for a number',
    'add',
    leastBeneficiary({ sharePercentage: '50' }),
    400,
    'invalid_input',
    [['/sharePercentage', 'wrong_type']],
  ],
  [
    'a fraction',
    'add',
    leastBeneficiary({ sharePercentage: 33.3 }),
    400,
    'invalid_input',
    [['/sharePercentage', 'wrong_type']],
  ],
  [
    'a huge number',
    'add',
    leastBeneficiary({ sharePercentage: 1e99 }),
    400,
    'invalid_input',
    [['/sharePercentage', 'wrong_type']],
  ],
  [
    'a number for a text',
    'add',
    leastBeneficiary({ name: { first: 5, last: true } }),
    400,
    'invalid_input',
    [
      ['/name/first', 'wrong_type'],
      ['/name/last', 'wrong_type'],
    ],
  ],
  [
    'a text for an object',
    'add',
    leastBeneficiary({ name: 'Alan Turing' }),
    400,
    'invalid_input',
    [['/name', 'wrong_type']],
  ],
  ['a list for an object', 'add', leastBeneficiary({ name: [] }), 400, 'invalid_input', [['/name', 'wrong_type']]],
  [
    'words that are not in the list',
    'add',
    leastBeneficiary({ relationship: 'UNCLE', beneficiaryType: 'primary' }),
    400,
    'invalid_input',
    [
      ['/relationship', 'wrong_type'],
      ['/beneficiaryType', 'wrong_type'],
    ],
  ],
  [
    'words of the prototype',
    'add',
    leastBeneficiary({ relationship: 'toString', beneficiaryType: '__proto__' }),
    400,
    'invalid_input',
    [
      ['/relationship', 'wrong_type'],
      ['/beneficiaryType', 'wrong_type'],
    ],
  ],
  [
    'an unknown property',
    'add',
    leastBeneficiary({ nickname: 'x' }),
    400,
    'invalid_input',
    [['/nickname', 'unknown_field']],
  ],
  [
    'unknown properties further in',
    'add',
    leastBeneficiary({
      addresses: [{ line1: 'a', city: 'b', country: 'US', type: 'HOME', planet: 'Earth' }],
      emails: [{ type: 'HOME', email: 'a@b.example', x: 1 }],
    }),
    400,
    'invalid_input',
    [
      ['/addresses/0/planet', 'unknown_field'],
      ['/emails/0/x', 'unknown_field'],
    ],
  ],
  [
    'an id that the service gives',
    'add',
    leastBeneficiary({ beneficiaryId: randomUUID() }),
    400,
    'invalid_input',
    [['/beneficiaryId', 'unknown_field']],
  ],
  [
    'keys of the prototype',
    'add',
    JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1}}'),
    400,
    'invalid_input',
    [
      ['/constructor', 'unknown_field'],
      ['/__proto__', 'unknown_field'],
      ['/name', 'required'],
      ['/beneficiaryType', 'required'],
      ['/relationship', 'required'],
      ['/sharePercentage', 'required'],
    ],
  ],
  [
    'a day that no calendar has',
    'add',
    leastBeneficiary({ dateOfBirth: '2001-02-29' }),
    400,
    'invalid_input',
    [['/dateOfBirth', 'wrong_type']],
  ],
  [
    'a date with a time',
    'add',
    leastBeneficiary({ dateOfBirth: '2001-02-03T00:00:00Z' }),
    400,
    'invalid_input',
    [['/dateOfBirth', 'wrong_type']],
  ],
  [
    'a country of three letters',
    'add',
    leastBeneficiary({ addresses: [{ line1: 'a', city: 'b', country: 'USA', type: 'HOME' }] }),
    400,
    'invalid_input',
    [['/addresses/0/country', 'wrong_type']],
  ],
  ['null in a list', 'add', leastBeneficiary({ emails: [null] }), 400, 'invalid_input', [['/emails/0', 'required']]],
  [
    'a shape that is wrong and a rule that is broken',
    'add',
    leastBeneficiary({ sharePercentage: 101, relationship: 1 }),
    400,
    'invalid_input',
    [
      ['/relationship', 'wrong_type'],
      ['/sharePercentage', 'range'],
    ],
  ],
];

const rules: readonly Row[] = [
  [
    'a share of 101',
    'add',
    leastBeneficiary({ sharePercentage: 101 }),
    422,
    'rule_broken',
    [['/sharePercentage', 'range']],
  ],
  [
    'a share of -1',
    'add',
    leastBeneficiary({ sharePercentage: -1 }),
    422,
    'rule_broken',
    [['/sharePercentage', 'range']],
  ],
  [
    'a birth in the future',
    'add',
    leastBeneficiary({ dateOfBirth: future }),
    422,
    'rule_broken',
    [['/dateOfBirth', 'past_date']],
  ],
  [
    'a birth in another age',
    'add',
    leastBeneficiary({ dateOfBirth: '1066-10-14' }),
    422,
    'rule_broken',
    [['/dateOfBirth', 'past_date']],
  ],
  [
    'a tax id without its type',
    'add',
    leastBeneficiary({ taxId: digits(9) }),
    422,
    'rule_broken',
    [['/taxId', 'together']],
  ],
  [
    'a type without its tax id',
    'add',
    leastBeneficiary({ taxIdType: 'SSN' }),
    422,
    'rule_broken',
    [['/taxIdType', 'together']],
  ],
  [
    'a tax id with asterisks',
    'add',
    newBeneficiary({ taxId: '*****6789' }),
    422,
    'rule_broken',
    [['/taxId', 'format']],
  ],
  ['a tax id of eight digits', 'add', newBeneficiary({ taxId: digits(8) }), 422, 'rule_broken', [['/taxId', 'format']]],
  [
    'a tax id in other digits',
    'add',
    newBeneficiary({ taxId: '١٢٣٤٥٦٧٨٩' }),
    422,
    'rule_broken',
    [['/taxId', 'format']],
  ],
  [
    'names that show nothing',
    'add',
    leastBeneficiary({ name: { first: '\u00ad', last: '\u00ad' } }),
    422,
    'rule_broken',
    [
      ['/name/first', 'text'],
      ['/name/last', 'text'],
    ],
  ],
  [
    'long names',
    'add',
    leastBeneficiary({ name: { first: long, middle: long, last: long } }),
    422,
    'rule_broken',
    [
      ['/name/first', 'text'],
      ['/name/middle', 'text'],
      ['/name/last', 'text'],
    ],
  ],
  [
    'a NUL in a name',
    'add',
    leastBeneficiary({ name: { first: 'a\u0000b', last: 'B' } }),
    422,
    'rule_broken',
    [['/name/first', 'text']],
  ],
  [
    'half of a character in a name',
    'add',
    leastBeneficiary({ name: { first: 'a\ud83d', last: '\ude00' } }),
    422,
    'rule_broken',
    [
      ['/name/first', 'text'],
      ['/name/last', 'text'],
    ],
  ],
  [
    'a line break in an address',
    'add',
    leastBeneficiary({ addresses: [{ line1: 'a\nb', city: 'c\u2028', country: 'US', type: 'HOME' }] }),
    422,
    'rule_broken',
    [
      ['/addresses/0/line1', 'text'],
      ['/addresses/0/city', 'text'],
    ],
  ],
  [
    'something else than an e-mail address',
    'add',
    leastBeneficiary({ emails: [{ type: 'HOME', email: 'nobody' }] }),
    422,
    'rule_broken',
    [['/emails/0/email', 'format']],
  ],
  [
    'eleven telephones',
    'add',
    leastBeneficiary({ phones: Array.from({ length: 11 }, () => ({ type: 'CELL', number: '5' })) }),
    422,
    'rule_broken',
    [['/phones', 'size']],
  ],
  [
    'a required field that is cleared',
    'update',
    { sharePercentage: null, relationship: null, beneficiaryType: null, name: null },
    422,
    'rule_broken',
    [
      ['/name', 'required'],
      ['/beneficiaryType', 'required'],
      ['/relationship', 'required'],
      ['/sharePercentage', 'required'],
    ],
  ],
  [
    'a mask that is not the one on record',
    'update',
    { taxId: '*****0000' },
    422,
    'rule_broken',
    [['/taxId', 'masked']],
  ],
  ['an asterisk alone', 'update', { taxId: '*' }, 422, 'rule_broken', [['/taxId', 'masked']]],
  ['a mask of another length', 'update', { taxId: '****1111' }, 422, 'rule_broken', [['/taxId', 'masked']]],
  [
    'a tax id that is cleared without its type',
    'update',
    { taxId: null },
    422,
    'rule_broken',
    [['/taxIdType', 'together']],
  ],
  [
    'a type that is cleared without its tax id',
    'update',
    { taxIdType: null },
    422,
    'rule_broken',
    [['/taxId', 'together']],
  ],
  [
    'a patch with a share of 101',
    'update',
    { sharePercentage: 101 },
    422,
    'rule_broken',
    [['/sharePercentage', 'range']],
  ],
];

/**
 * REST and GraphQL refuse alike: GraphQL says a malformed request by its HTTP status, all that a field decides by its
 * code alone.
 */
async function expectRefusal(
  api: keyof typeof client,
  asking: ApiCaller,
  what: unknown,
  status: number,
  code: string,
): Promise<[RefusalAnswer, RefusalAnswer]> {
  const before = await gateway.rows();
  const rest = await client[api].rest(asking, what);
  const graphql = await client[api].graphql(asking, what);
  expect([rest.status, rest.code, graphql.code]).toEqual([status, code, code]);
  expect(graphql.message).toBe(rest.message);
  expect(await gateway.rows()).toEqual(before);
  return [rest, graphql];
}

/** REST points into the body, GraphQL from the arguments of the field. */
function inArgument(place: string, problems: RefusalAnswer['errors']): RefusalAnswer['errors'] {
  return problems?.map(problem => ({ ...problem, pointer: place + problem.pointer }));
}

function sorted(problems: RefusalAnswer['errors'] | readonly Problem[] = []): Problem[] {
  return problems
    .map((each): Problem => ('pointer' in each ? [each.pointer, each.code] : each))
    .sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

describe('input is refused alike over GraphQL and REST', () => {
  let given: GivenBeneficiary;
  beforeAll(async () => {
    given = await gateway.given.beneficiary({ taxId: '123451111' });
  });

  test.each([...shapes, ...rules])('%s', async (_what, api, input, status, code, problems) => {
    const asking = { ...given, token: given.caller };
    const [rest, graphql] = await expectRefusal(api, asking, input, status, code);
    expect(sorted(rest.errors)).toEqual(sorted(problems));
    expect(graphql.errors).toEqual(inArgument(api === 'add' ? '/input/beneficiary' : '/input/patch', rest.errors));
    expect(graphql.status).toBe(status === 422 ? 200 : 400);
  });
});

/** A field that is wrong, and what is said of it. */
type Said = readonly [pointer: string, code: string, detail: string];
const NOT_ONE_NAME =
  'Must be the name of a person or of an organisation. Send last, with first and middle if there are any, or organization alone.';
const NO_TEXT = 'Must be 1 to 100 printable characters, at least one of them a letter or a digit.';

describe('a name is that of a person in REST, as the contract has it, and in GraphQL that of a person or an organisation, so refused is', () => {
  test.each<
    [
      what: string,
      api: 'add' | 'update',
      name: object,
      rest: [status: number, code: string, said: readonly Said[]],
      graphql: [status: number, code: string, said: readonly Said[]],
    ]
  >([
    [
      'one without its parts',
      'add',
      {},
      [400, 'invalid_input', [['/name/last', 'required', 'This field is required.']]],
      [200, 'rule_broken', [['/name', 'alternatives', NOT_ONE_NAME]]],
    ],
    [
      'a part that there is not',
      'add',
      { first: 'A', last: 'B', title: 'Sir' },
      [
        400,
        'invalid_input',
        [['/name/title', 'unknown_field', 'This field is unknown. Use one of first, middle, last.']],
      ],
      [
        400,
        'invalid_input',
        [['/name/title', 'unknown_field', 'This field is unknown. Use one of first, middle, last, organization.']],
      ],
    ],
    [
      'a last name of spaces alone, which is none where it may be absent',
      'add',
      { first: '\u00ad', last: ' ' },
      [
        422,
        'rule_broken',
        [
          ['/name/first', 'text', NO_TEXT],
          ['/name/last', 'text', NO_TEXT],
        ],
      ],
      [
        200,
        'rule_broken',
        [
          ['/name/first', 'text', NO_TEXT],
          ['/name', 'alternatives', NOT_ONE_NAME],
        ],
      ],
    ],
    [
      'a last name that is cleared',
      'update',
      { first: null, last: null },
      [
        422,
        'rule_broken',
        [['/name/last', 'required', 'This field is required and cannot be cleared. Send a value, or leave it out.']],
      ],
      [200, 'rule_broken', [['/name', 'alternatives', NOT_ONE_NAME]]],
    ],
  ])('%s', async (_what, api, name, ofRest, ofGraphql) => {
    const given = await gateway.given.beneficiary();
    const asking = { ...given, token: given.caller };
    const input = api === 'add' ? leastBeneficiary({ name }) : { name };
    const before = await gateway.rows();
    const told = ({ status, code, errors }: RefusalAnswer) => [
      status,
      code,
      errors?.map(problem => [problem.pointer, problem.code, problem.detail]),
    ];
    const place = api === 'add' ? '/input/beneficiary' : '/input/patch';
    const [status, code, said] = ofGraphql;
    expect(told(await client[api].rest(asking, input))).toEqual(ofRest);
    expect(told(await client[api].graphql(asking, input))).toEqual([
      status,
      code,
      said.map(([pointer, ...more]) => [place + pointer, ...more]),
    ]);
    expect(await gateway.rows()).toEqual(before);
  });
});

test('a single value for a list is wrong in REST, and in GraphQL a list of one', async () => {
  const asking = await gateway.given.beneficiary().then(given => ({ ...given, token: given.caller }));
  const patch = { name: 1, emails: { type: 'HOME', email: 'x' }, sharePercentage: [] };
  const rest = await client.update.rest(asking, patch);
  expect(sorted(rest.errors)).toEqual([
    ['/emails', 'wrong_type'],
    ['/name', 'wrong_type'],
    ['/sharePercentage', 'wrong_type'],
  ]);
  const graphql = await client.update.graphql(asking, patch);
  expect(sorted(graphql.errors)).toEqual([
    ['/input/patch/emails/0/email', 'format'],
    ['/input/patch/name', 'wrong_type'],
    ['/input/patch/sharePercentage', 'wrong_type'],
  ]);
});

test('51 customers are too many and none is too few, alike over GraphQL and REST', async () => {
  const { account, caller } = await gateway.given.account();
  for (const count of [0, 51, 400]) {
    const asking = { account, beneficiary: '', token: caller };
    const [rest, graphql] = await expectRefusal(
      'owners',
      asking,
      Array.from({ length: count }, () => randomUUID()),
      422,
      'rule_broken',
    );
    expect([rest.errors, graphql.errors]).toMatchObject([
      [{ pointer: '/holders', code: 'size' }],
      [{ pointer: '/input/customerIds', code: 'size' }],
    ]);
  }
});

test('customers that are not ids are refused alike over GraphQL and REST', async () => {
  const { account, caller } = await gateway.given.account();
  const [rest, graphql] = await expectRefusal(
    'owners',
    { account, beneficiary: '', token: caller },
    [randomUUID(), 'x', null, 5],
    400,
    'invalid_input',
  );
  expect(sorted(rest.errors)).toEqual([
    ['/holders/1/customerId', 'wrong_type'],
    ['/holders/2/customerId', 'required'],
    ['/holders/3/customerId', 'wrong_type'],
  ]);
  expect(sorted(graphql.errors)).toEqual([
    ['/input/customerIds/1', 'wrong_type'],
    ['/input/customerIds/2', 'required'],
    ['/input/customerIds/3', 'wrong_type'],
  ]);
});

describe('what is not there is refused alike over GraphQL and REST', () => {
  test.each(['add', 'update', 'delete', 'owners'] as const)('%s on an unknown account', async api => {
    const token = await gateway.caller();
    const input = { add: leastBeneficiary(), update: {}, delete: undefined, owners: [randomUUID()] }[api];
    for (const account of ['no-such-account', 'x'.repeat(65), '%20', '%F0%9F%98%80']) {
      const rest = await client[api].rest({ account, beneficiary: randomUUID(), token }, input);
      const graphql = await client[api].graphql(
        { account: decodeURIComponent(account), beneficiary: randomUUID(), token },
        input,
      );
      expect([rest.status, rest.code, graphql.status, graphql.code]).toEqual([
        404,
        'account_not_found',
        200,
        'account_not_found',
      ]);
    }
  });

  test.each(['update', 'delete'] as const)('%s of an unknown beneficiary', async api => {
    const { account, caller } = await gateway.given.account();
    await expectRefusal(api, { account, beneficiary: randomUUID(), token: caller }, {}, 404, 'beneficiary_not_found');
  });
});

test('the 101st beneficiary is refused alike over GraphQL and REST', async () => {
  const account = await gateway.given.account();
  await gateway.given.beneficiaries(account, 100);
  await expectRefusal(
    'add',
    { account: account.account, beneficiary: '', token: account.caller },
    leastBeneficiary(),
    409,
    'too_many_beneficiaries',
  );
});

describe('who may not is refused alike over GraphQL and REST', () => {
  test.each([
    ['add', 'beneficiaries.write'],
    ['update', 'beneficiaries.write'],
    ['delete', 'beneficiaries.write'],
    ['owners', 'owners.write'],
  ] as const)('%s without the scope %s', async (api, scope) => {
    const { account, program, beneficiary } = await gateway.given.beneficiary();
    const others =
      'accounts.read beneficiaries.read statements.read pii.read ' +
      (scope === 'owners.write' ? 'beneficiaries.write' : 'owners.write');
    for (const scopes of ['', others, `${scope}s unknown ${scope.toUpperCase()}`]) {
      const token = await gateway.caller({ program, scopes });
      const input = { add: leastBeneficiary(), update: {}, delete: undefined, owners: [randomUUID()] }[api];
      const [, graphql] = await expectRefusal(api, { account, beneficiary, token }, input, 403, 'insufficient_scope');
      expect(graphql.status).toBe(403);
      const path = api === 'owners' ? 'owners/add' : 'beneficiaries';
      const { headers } = await gateway.as(token).rest.post(`/accounts/${account}/${path}`, {});
      expect(headers['www-authenticate']).toBe(
        `Bearer realm="tillgate", error="insufficient_scope", error_description="The access token lacks the scope ${scope}. Get a token with this scope.", scope="${scope}"`,
      );
    }
  });

  test('reads without their scopes', async () => {
    const { account, program, beneficiary } = await gateway.given.beneficiary();
    const token = await gateway.caller({ program, scopes: ['beneficiaries.write', 'owners.write', 'pii.read'] });
    for (const path of [`/accounts/${account}/beneficiaries`, `/accounts/${account}/beneficiaries/${beneficiary}`]) {
      const answer = await gateway.as(token).rest.get(path);
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_scope']);
      expect(answer.headers['www-authenticate']).toContain('scope="beneficiaries.read"');
    }
    const blind = await gateway.as(token).graphql(`{ account(accountId: "${account}") { accountId } }`);
    expect([blind.status, blind.errors?.[0].extensions.code, blind.headers['www-authenticate']]).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
      expect.stringContaining('scope="accounts.read"'),
    ]);
    const half = await gateway.caller({ program, scopes: ['accounts.read'] });
    for (const field of [
      'beneficiaries { totalCount }',
      'beneficiaries { nodes { beneficiaryId } }',
      `beneficiary(beneficiaryId: "${beneficiary}") { name { last } }`,
    ]) {
      const answer = await gateway.as(half).graphql(`{ account(accountId: "${account}") { accountId ${field} } }`);
      const [name] = field.split(/\W/) as [string];
      expect(answer.data).toEqual({ account: { accountId: account, [name]: null } });
      expect(answer.errors).toMatchObject([{ path: ['account', name], extensions: { code: 'INSUFFICIENT_SCOPE' } }]);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([200, undefined]);
    }
  });

  test('no token, and a bad one', async () => {
    const { account, program, beneficiary } = await gateway.given.beneficiary();
    const good = await gateway.caller({ program });
    const bad = [
      null,
      'garbage',
      `${good}x`,
      good.slice(0, -10),
      await gateway.caller({ program, ttlSeconds: -3600 }),
      await gateway.caller({ program: '' }),
      await gateway.caller({ program, customerId: 'x' }),
    ];
    for (const token of bad) {
      for (const [api, input] of [
        ['add', leastBeneficiary()],
        ['delete', undefined],
      ] as const) {
        const [, graphql] = await expectRefusal(api, { account, beneficiary, token }, input, 401, 'unauthenticated');
        expect(graphql.status).toBe(401);
      }
      for (const path of ['/graphql', `/accounts/${account}/beneficiaries`, '/nothing/here']) {
        const { status, headers } = await gateway.as(token).rest.get(path);
        expect([status, headers['www-authenticate']]).toEqual([
          401,
          token === null
            ? 'Bearer realm="tillgate"'
            : expect.stringMatching(/^Bearer realm="tillgate", error="invalid_token", /),
        ]);
      }
    }
  });
});

test('a key that was used for something else is refused alike over GraphQL and REST', async () => {
  const { account, beneficiary, caller } = await gateway.given.beneficiary();
  const headers = keyed(unique('key'));
  await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), headers);
  const [, graphql] = await expectRefusal(
    'delete',
    { account, beneficiary, token: caller, headers },
    undefined,
    422,
    'idempotency_key_reused',
  );
  expect(graphql.status).toBe(200);
  await expectRefusal(
    'add',
    { account, beneficiary, token: caller, headers },
    newBeneficiary(),
    422,
    'idempotency_key_reused',
  );
});

test.each<[string, Record<string, string | string[]>]>([
  ['of 1,025 bytes', { 'x-idempotency-key': 'x'.repeat(1025) }],
  ['of 513 characters that are 1,026 bytes', { 'x-idempotency-key': Buffer.from('é'.repeat(513)).toString('latin1') }],
  ['without a value', { 'x-idempotency-key': '' }],
  ['of white space', { 'idempotency-key': ' \t ' }],
  ['that its other name contradicts', { 'x-idempotency-key': 'a', 'idempotency-key': 'b' }],
  ['that is a part of its other name', { 'x-idempotency-key': 'a', 'idempotency-key': 'a a' }],
  ['twice', { 'idempotency-key': ['a', 'b'] }],
  ['twice the same', { 'x-idempotency-key': ['a', 'a'] }],
])('an idempotency key %s is refused alike over GraphQL and REST', async (_what, headers) => {
  const { account, beneficiary, caller } = await gateway.given.beneficiary();
  const [, graphql] = await expectRefusal(
    'delete',
    { account, beneficiary, token: caller, headers: headers as Record<string, string> },
    undefined,
    400,
    'malformed_request',
  );
  expect(graphql.status).toBe(400);
});
