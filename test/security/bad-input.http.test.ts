import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { USUAL_SCOPES, startTestGateway, unique, type Answer, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, newBeneficiary, type GivenBeneficiary } from '../support/given.js';
import type { HttpRequest } from '../support/http.js';

let gateway: TestGateway;
let given: GivenBeneficiary;
let before: Record<string, number>;
let logged: number;
beforeAll(async () => {
  gateway = await startTestGateway();
  given = await gateway.given.beneficiary();
});
afterAll(() => gateway.stop());

beforeEach(async () => {
  before = await gateway.rows();
  logged = gateway.log.length;
});
// Whatever came in: nothing was written, nothing broke inside, and what was sent is not in the log.
afterEach(async () => {
  expect(await gateway.rows()).toEqual(before);
  const log = gateway.log.slice(logged);
  expect(log.filter(line => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  expect(log.join('')).not.toMatch(/CANARY/i);
  expect((await gateway.as(null).rest.get('/livez')).status).toBe(200);
});

/** No text like this is anywhere but in what the tests send. */
const CANARY = 'CANARY-4242';

/** A clear refusal: a code, a request id, and nothing of what was sent. */
function expectClear(answer: Answer, statuses: readonly number[]): void {
  expect(statuses).toContain(answer.status);
  expect(answer.text).not.toMatch(/CANARY/i);
  expect(answer.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
  const { code, requestId, message } = answer.body.errors?.[0].extensions
    ? { ...answer.body.errors[0], ...answer.body.errors[0].extensions }
    : { message: answer.body.detail, ...answer.body };
  expect(code).toMatch(/^\w+$/);
  expect(code).not.toMatch(/internal/i);
  expect(requestId).toBe(answer.headers['x-request-id']);
  expect(typeof message).toBe('string');
  expect(answer.headers['content-type']).toBe(
    answer.body.errors?.[0].extensions ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8',
  );
}

const JSON_TYPE = { 'content-type': 'application/json' };

function toBothApis(asking: Omit<HttpRequest, 'path'>, caller = given.caller): Promise<Answer[]> {
  const paths = [`/accounts/${given.account}/beneficiaries`, `/accounts/${given.account}/owners/add`, '/graphql'];
  return Promise.all(
    paths.map(path => gateway.as(caller).raw({ method: 'POST', headers: JSON_TYPE, ...asking, path })),
  );
}

const deep = (open: string, close: string, depth = 10_000) => open.repeat(depth) + close.repeat(depth);

describe('a body', () => {
  test.each([
    ['that is empty', ''],
    ['that is cut', `{"query":"${CANARY}`],
    ['of words', CANARY],
    ['with a comma too many', `{"name":"${CANARY}",}`],
    ['with single quotes', `{'query':'${CANARY}'}`],
    ['that is a text', JSON.stringify(CANARY)],
    ['that is a number', '4242'],
    ['that is null', 'null'],
    ['that is a list', `["${CANARY}"]`],
    ['that is an empty object', '{}'],
    ['with NaN', '{"sharePercentage":NaN}'],
    ['in another encoding', Buffer.from(`{"query":"${CANARY} \u00e9"}`, 'latin1')],
    ['in UTF-16', Buffer.from(`{"query":"${CANARY}"}`, 'utf16le')],
    ['that is ten thousand lists deep', deep('[', ']')],
    ['that is ten thousand objects deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    [
      'with deep lists in its fields',
      `{"query":"{__typename}","variables":${deep('[', ']')},"name":${deep('[', ']')},"holders":${deep('[', ']')},"sharePercentage":${deep('[', ']')}}`,
    ],
    [
      'with deep lists in deep places',
      `{"query":${deep('[', ']')},"addresses":[{"country":${deep('[', ']')}}],"holders":[{"customerId":${deep('[', ']')}}]}`,
    ],
    [
      'with keys of the prototype',
      `{"__proto__":{"query":"${CANARY}"},"constructor":{"prototype":{}},"toString":"${CANARY}"}`,
    ],
    ['that names a key twice', `{"holders":"${CANARY}","holders":5,"query":5,"query":6,"name":1,"name":2}`],
  ])('%s is 400, or 413 for too many values', async (_what, body) => {
    for (const answer of await toBothApis({ body })) expectClear(answer, [400, 413]);
  });

  test.each([
    ['a text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['XML', 'application/xml'],
    ['a GraphQL document', 'application/graphql'],
    ['something like JSON', 'application/jsonx'],
    ['nothing', ''],
    ['something broken', ';;;'],
  ])('of the type %s is 415', async (_what, type) => {
    for (const answer of await toBothApis({
      headers: { 'content-type': type },
      body: JSON.stringify({ query: CANARY }),
    })) {
      expectClear(answer, [415]);
    }
  });

  test('without a type is 415', async () => {
    for (const answer of await toBothApis({ headers: {}, body: '{}' })) expectClear(answer, [415]);
  });

  test.each(['gzip', 'deflate', 'br', 'identity, gzip', 'x'])('compressed with %s is 415', async coding => {
    const body = gzipSync(JSON.stringify({ query: '{ __typename }' }));
    for (const answer of await toBothApis({ headers: { ...JSON_TYPE, 'content-encoding': coding }, body })) {
      expectClear(answer, [415]);
    }
  });

  test.each([
    ['of one byte more than 1 MiB', 1024 * 1024 + 1, false],
    ['of one byte more than 1 MiB, without a length', 1024 * 1024 + 1, true],
    ['of 8 MiB', 8 * 1024 * 1024, false],
    ['of 8 MiB, without a length', 8 * 1024 * 1024, true],
  ])('%s is 413', async (_what, length, chunked) => {
    const body = Buffer.from(`{"query":"${CANARY}${'x'.repeat(length - 23)}"}`);
    expect(body.length).toBe(length);
    const scopes = USUAL_SCOPES.filter(scope => scope !== 'operations');
    const caller = await gateway.caller({ program: given.program, scopes });
    for (const answer of await toBothApis({ body, chunked }, caller)) expectClear(answer, [413]);
  });

  test.each([
    ['of one byte more than 15 MiB', 15 * 1024 * 1024 + 1, false, [413, 413, 413]],
    ['of one byte more than 15 MiB, without a length', 15 * 1024 * 1024 + 1, true, [413, 413, 413]],
    // Those who may upload documents by GraphQL may send what a document needs; it is no GraphQL document all the same.
    ['of 15 MiB and no more', 15 * 1024 * 1024, false, [413, 413, 413]],
  ])('%s is refused to those who may upload documents, too', async (_what, length, chunked, statuses) => {
    const body = Buffer.from(`{"query":"${CANARY}${'x'.repeat(length - 23)}"}`);
    const answers = await toBothApis({ body, chunked });
    for (const [index, answer] of answers.entries()) expectClear(answer, [statuses[index] as number]);
  });

  test('of 1 MiB and no more is read', async () => {
    const body = Buffer.alloc(1024 * 1024, ' ');
    body.write('{"query":"{ __typename }"}');
    const [one, two, graphql] = await toBothApis({ body, chunked: true });
    expect([one?.status, two?.status, graphql?.body]).toEqual([400, 400, { data: { __typename: 'Query' } }]);
  });

  // Checking each of its elements took seconds, during which nobody else was served.
  test.each([
    ['empty objects', '{}'],
    ['lists', '[]'],
    ['numbers', '1'],
    ['unknown fields', '{"a":1,"b":2}'],
    ['good ones', '{"type":"FAX","number":"1","country":"US"}'],
  ])('of a list of as many %s as fit into 1 MiB is refused, with few words', async (_what, element) => {
    const list = `[${Array.from({ length: Math.floor(1_048_000 / (element.length + 1)) }, () => element).join(',')}]`;
    const bodies = {
      [`/accounts/${given.account}/beneficiaries`]: `{"phones":${list}}`,
      [`/accounts/${given.account}/owners/add`]: `{"holders":${list}}`,
    };
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await gateway.as(given.caller).raw({ method: 'POST', path, headers: JSON_TYPE, body });
      expectClear(answer, [413]);
    }
    const query =
      'mutation ($phones: [PhoneInput!], $ids: [ID!]!) { addAccountOwners(input: { accountId: "a", customerIds: $ids }) { results { reason } } updateBeneficiary(input: { accountId: "a", beneficiaryId: "b", patch: { phones: $phones } }) { beneficiary { taxId } } }';
    const answer = await gateway.as(given.caller).raw({
      method: 'POST',
      path: '/graphql',
      headers: JSON_TYPE,
      body: `{"query":${JSON.stringify(query)},"variables":{"phones":${list},"ids":[]}}`.slice(0, 1_048_576),
    });
    expectClear(answer, [413]);
  });

  test('of six thousand unknown fields is refused, with few words', async () => {
    const body = `{${Array.from({ length: 6_000 }, (_, index) => `"k${index}":1`).join(',')}}`;
    const [one] = await toBothApis({ body });
    expectClear(one as Answer, [400]);
    expect(one?.body.errors).toHaveLength(50);
  });

  test('that ends before its length is 400', async () => {
    for (const path of ['/graphql', `/accounts/${given.account}/beneficiaries`]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${given.caller}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n`;
      const answer = await gateway.http.sendBytes(`${head}{"name":"${CANARY}`, { end: true });
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).not.toContain(CANARY);
    }
  });
});

describe('a value', () => {
  const wrong: [string, Record<string, unknown>][] = [
    [
      'texts where there are none',
      newBeneficiary({
        sharePercentage: CANARY,
        dateOfBirth: CANARY,
        relationship: CANARY,
        beneficiaryType: CANARY,
        taxIdType: CANARY,
      }),
    ],
    ['texts for objects', newBeneficiary({ name: CANARY, addresses: CANARY, emails: CANARY, phones: [CANARY] })],
    [
      'objects for texts',
      newBeneficiary({
        name: { first: { a: CANARY }, last: [CANARY] },
        taxId: { toString: CANARY },
        dateOfBirth: { valueOf: CANARY },
      }),
    ],
    [
      'bad parts',
      newBeneficiary({
        addresses: [{ line1: 'a', city: 'b', country: CANARY, type: CANARY }],
        phones: [{ type: CANARY, number: 5 }],
      }),
    ],
    ['a bad tax id', newBeneficiary({ taxId: CANARY })],
    ['a masked tax id', newBeneficiary({ taxId: `***${CANARY}` })],
    ['a bad address', newBeneficiary({ emails: [{ type: 'HOME', email: CANARY }] })],
    ['a NUL', newBeneficiary({ name: { first: `${CANARY}\u0000`, last: 'x' } })],
    [
      'lone surrogates',
      newBeneficiary({
        name: { first: `${CANARY}\ud800`, last: '\udfff' },
        phones: [{ type: 'FAX', number: '\ud83d' }],
      }),
    ],
    ['an escape character', newBeneficiary({ name: { first: `\u001b[2J${CANARY}`, last: 'x' } })],
    ['a long text', newBeneficiary({ name: { first: CANARY.repeat(5000), last: 'x' } })],
    [
      'a proto',
      JSON.parse(
        `{"__proto__":"${CANARY}","name":{"__proto__":{"first":"${CANARY}"},"first":"a","last":"b"}}`,
      ) as Record<string, unknown>,
    ],
  ];

  test.each(wrong)('is refused over REST: %s', async (_what, input) => {
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${given.beneficiary}`],
    ]) {
      const answer = await gateway
        .as(given.caller)
        .raw({ method, path: `/accounts/${given.account}/beneficiaries${path}`, headers: JSON_TYPE, body: input });
      expectClear(answer, [400, 422]);
      for (const { pointer, code, detail } of answer.body.errors) {
        expect([pointer, code, detail]).toEqual([
          expect.any(String),
          expect.stringMatching(/^\w+$/),
          expect.any(String),
        ]);
      }
    }
  });

  test.each(wrong)('is refused as a GraphQL variable: %s', async (_what, input) => {
    const query =
      'mutation ($a: ID!, $i: BeneficiaryInput!) { addBeneficiary(input: { accountId: $a, beneficiary: $i }) { beneficiary { taxId } } }';
    const answer = await gateway.as(given.caller).raw({
      method: 'POST',
      path: '/graphql',
      headers: JSON_TYPE,
      body: { query, variables: { a: given.account, i: input } },
    });
    // What fits its type and breaks a rule is refused by the field, and GraphQL answers with 200.
    expectClear(answer, [200, 400]);
    expect(answer.body.data?.addBeneficiary ?? null).toBeNull();
  });

  test.each([
    ['accountId', { a: { x: CANARY }, b: randomUUID() }],
    ['accountId in a list', { a: [CANARY], b: randomUUID() }],
    ['beneficiaryId', { a: 'x', b: CANARY }],
    ['beneficiaryId of a wrong type', { a: 'x', b: { toString: CANARY } }],
    ['absent', { c: CANARY }],
    ['of the prototype', JSON.parse(`{"__proto__":{"a":"${CANARY}"},"constructor":"${CANARY}"}`) as object],
  ])('is refused as a GraphQL variable for an id: %s', async (_what, variables) => {
    const query =
      'mutation ($a: ID!, $b: ID!) { deleteBeneficiary(input: { accountId: $a, beneficiaryId: $b }) { beneficiary { taxId } } }';
    expectClear(
      await gateway
        .as(given.caller)
        .raw({ method: 'POST', path: '/graphql', headers: JSON_TYPE, body: { query, variables } }),
      [400],
    );
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'that a variable named %s does not have is missed',
    async name => {
      const answer = await gateway.as(given.caller).raw({
        method: 'POST',
        path: '/graphql',
        headers: JSON_TYPE,
        body: { query: `query ($${name}: ID!) { account(accountId: $${name}) { accountId } }` },
      });
      expectClear(answer, [400]);
    },
  );
});

describe('a GraphQL document', () => {
  const input = (changes: string) =>
    `mutation { addBeneficiary(input: { accountId: "x", beneficiary: { name: { first: "a", last: "b" }, beneficiaryType: PRIMARY, relationship: CHILD, ${changes} } }) { beneficiary { taxId } } }`;
  test.each([
    ['a text for a number', input(`sharePercentage: "${CANARY}"`)],
    [
      'a number for a text',
      input(`sharePercentage: 1, taxId: 42424242424242424242`).replace('42424242424242424242', '4242'),
    ],
    ['an object for a text', input(`sharePercentage: 1, taxId: { x: "${CANARY}" }`)],
    ['a list for a text', input(`sharePercentage: 1, taxId: ["${CANARY}"]`)],
    ['an object for an id', `{ account(accountId: { x: "${CANARY}" }) { accountId } }`],
    [
      'an object for a scalar of ours',
      `mutation { deleteBeneficiary(input: { accountId: "x", beneficiaryId: { x: "${CANARY}" } }) { beneficiary { taxId } } }`,
    ],
    ['a bad date', input(`sharePercentage: 1, dateOfBirth: "${CANARY}"`)],
    [
      'a bad country',
      input(`sharePercentage: 1, addresses: [{ line1: "a", city: "b", country: "${CANARY}", type: HOME }]`),
    ],
    ['a bad word', input(`sharePercentage: 1, taxIdType: ${CANARY.replace('-', '')}`)],
    ['a text for a word', input(`sharePercentage: 1, taxIdType: "${CANARY}"`)],
    ['a huge number', input(`sharePercentage: 99999999999999999999`)],
    [
      'a text for an object',
      `mutation { addBeneficiary(input: { accountId: "x", beneficiary: "${CANARY}" }) { beneficiary { taxId } } }`,
    ],
    ['a bad default', `query ($a: Int = "${CANARY}") { accounts(first: $a) { totalCount } }`],
    [
      'a bad default of an input',
      `query ($a: AccountFilter = { statuses: ["${CANARY}"] }) { accounts(filter: $a) { totalCount } }`,
    ],
    ['a bad directive', `{ account(accountId: "x") @skip(if: "${CANARY}") { accountId } }`],
    ['an unterminated text', `{ account(accountId: "${CANARY}`],
    ['a broken escape', `{ account(accountId: "\\q${CANARY}") { accountId } }`],
    ['something that is no document', CANARY],
    ['too many words', `{ ${'a '.repeat(10_001)} }`],
    ['a definition that cannot run', `type A { a(b: String = "${CANARY}"): Int }`],
    ['nothing but a comment', `# ${CANARY}`],
    ['ten thousand fields deep', deep('{a', '}')],
    ['ten thousand lists deep', `{ account(accountId: ${deep('[', ']')}) { accountId } }`],
    ['ten thousand objects deep', `{ accounts(filter: ${deep('{a:', '}')}) { totalCount } }`],
    ['deep behind a comment that a carriage return ends', `#\r${deep('{a', '}', 4900)}`],
    ['deep behind a block text with quotes in it', `{ account(accountId: """\\""" """) ${deep('{a', '}', 4900)} }`],
    ['deep behind a text with a quote in it', `{ account(accountId: "\\"#") ${deep('{a', '}', 4900)} }`],
    ['a fragment that spreads itself', `{ ...a } fragment a on Query { ...a }`],
    ['a null for what has a default', `query ($a: ID = "${CANARY}") { account(accountId: $a) { accountId } }`],
  ])('with %s is refused without its words', async (_what, query) => {
    // What a variable lacks is found only when the operation runs, which GraphQL answers with 200.
    const runs = query.startsWith('query ($a: ID');
    const answer = await gateway.as(given.caller).raw({
      method: 'POST',
      path: '/graphql',
      headers: JSON_TYPE,
      body: { query, variables: runs ? { a: null } : {} },
    });
    expectClear(answer, runs || query.startsWith('subscription') ? [200, 400] : [400]);
  });

  test.each([
    ['an unknown operation', { query: 'query a { __typename }', operationName: CANARY }],
    ['no choice among several', { query: 'query a { __typename } query b { __typename }' }],
    ['a name that is no text', { query: '{ __typename }', operationName: { x: CANARY } }],
    ['a query that is no text', { query: { x: CANARY } }],
    ['variables that are a text', { query: '{ __typename }', variables: CANARY }],
    ['variables that are a list', { query: '{ __typename }', variables: [CANARY] }],
    ['extensions that are a text', { query: '{ __typename }', extensions: CANARY }],
    ['several operations at once', [{ query: '{ __typename }' }]],
  ])('in a request with %s is refused without its words', async (_what, body) => {
    expectClear(
      await gateway.as(given.caller).raw({ method: 'POST', path: '/graphql', headers: JSON_TYPE, body }),
      [400],
    );
  });

  test('of fragments that double each other is answered as soon as any', async () => {
    const fragments = Array.from(
      { length: 19 },
      (_, index) => `fragment f${index} on Mutation { ...f${index + 1} ...f${index + 1} }`,
    );
    const { data } = await gateway
      .as(given.caller)
      .graphql(`mutation { ...f0 } ${fragments.join(' ')} fragment f19 on Mutation { __typename }`);
    expect(data).toEqual({ __typename: 'Mutation' });
  });

  test('by GET is read alone, and not by a browser that was tricked into it', async () => {
    const me = gateway.as(given.caller);
    const preflight = { 'apollo-require-preflight': '1' };
    const query = (text: string) => `/graphql?query=${encodeURIComponent(text)}`;
    expect((await me.rest.get(query('{ __typename }'), preflight)).body).toEqual({ data: { __typename: 'Query' } });
    expectClear(await gateway.as(null).rest.get(query('{ __typename }')), [401]);
    expectClear(await me.rest.get('/graphql', preflight), [400]);
    expectClear(await me.rest.get(`${query('{ __typename }')}&variables=${CANARY}`, preflight), [400]);
    expectClear(
      await me.rest.get(
        query(
          `mutation { deleteBeneficiary(input: { accountId: "${given.account}", beneficiaryId: "${given.beneficiary}" }) { beneficiary { taxId } } }`,
        ),
        preflight,
      ),
      [405],
    );
    expectClear(await me.rest.get(query(deep('{a', '}')), preflight), [400, 431]);
    // A question mark is a part of the query behind the first one.
    const account = await gateway.given.account({ program: given.program, accountId: `${unique('acc')}?x` });
    before = await gateway.rows();
    const seen = await me.rest.get(`/graphql?query={account(accountId:"${account.account}"){accountId}}`, preflight);
    expect(seen.body).toEqual({ data: { account: { accountId: account.account } } });
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('by %s is not allowed', async method => {
    const answer = await gateway
      .as(given.caller)
      .raw({ method, path: '/graphql', headers: JSON_TYPE, body: { query: '{ __typename }' } });
    expectClear(answer, [405]);
    expect(answer.headers.allow).toBe('GET, HEAD, POST, QUERY, OPTIONS');
  });

  test('is for callers with a token, whatever a browser accepts', async () => {
    const paths = [
      '/graphql',
      '/graphql?quer%79=%7B__typename%7D',
      '/graphql?query=%7B__typename%7D',
      '/graphql?x=query=',
    ];
    for (const path of paths) {
      for (const accept of ['application/json, text/html', '*/*', 'text/html;q=0.1, application/json']) {
        expectClear(await gateway.as(null).rest.get(path, { accept, 'apollo-require-preflight': '1' }), [401]);
      }
    }
    const page = await gateway.as(null).rest.get('/graphql', { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  });
});

describe('an address', () => {
  const list = () => `/accounts/${given.account}/beneficiaries`;
  const queries = [
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=1e99',
    'limit=1.5',
    'limit=',
    'limit=%00',
    'limit=%zz',
    'limit=+1',
    'limit=0x10',
    'limit=١',
    'limit=5&limit=5',
    'limit=5?x=1',
  ];
  const offsets = [
    'offSet=-1',
    'offSet=abc',
    'offSet=1e99',
    'offSet=2147483648',
    'offSet=',
    'offSet=1&offSet=1',
    'offSet=1&offset=1',
    'offset=abc',
  ];
  const unknown = [
    `x=${CANARY}`,
    `${CANARY}=1`,
    'LIMIT=1',
    'offSet=1&__proto__=1',
    'constructor=1',
    'page[size]=1',
    '=1',
  ];

  test.each([...queries, ...offsets, ...unknown])('with the query %s is 400', async query => {
    const answer = await gateway
      .as(given.caller)
      .raw({ path: `${list()}?${encodeURI(decodeURIComponent(encodeURIComponent(query))).replaceAll('%25', '%')}` });
    expectClear(answer, [400]);
    expect(answer.body).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: expect.any(String), code: expect.stringMatching(/^(range|repeated|unknown_parameter)$/) }],
    });
  });

  test.each(['', '/:id'])('with a query at a route that takes none (%s) is 400', async suffix => {
    const path = `${list()}${suffix.replace(':id', given.beneficiary)}?x=${CANARY}`;
    const methods = suffix ? ['GET', 'PATCH', 'DELETE'] : ['POST'];
    for (const method of methods) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : leastBeneficiary();
      expectClear(await gateway.as(given.caller).raw({ method, path, headers: body ? JSON_TYPE : {}, body }), [400]);
    }
    expectClear(
      await gateway.as(given.caller).rest.post(`/accounts/${given.account}/owners/remove?dryRun=true`, {
        holders: [{ customerId: given.owners[0] }],
      }),
      [400],
    );
  });

  test.each([
    ['%00', 404],
    ['a%00b', 404],
    ['%2F', 404],
    ['..%2F..', 404],
    ['%20', 404],
    ['%F0%9F%98%80', 404],
    ['%ED%A0%80', 400],
    ['%zz', 400],
    ['%', 400],
    ['%FF', 400],
    ['%C0%AF', 400],
    ['__proto__', 404],
    ["' OR 1=1 --".replaceAll(' ', '%20'), 404],
    ['x'.repeat(65), 404],
    ['x'.repeat(6000), 404],
  ])('with an account like %s is refused', async (account, status) => {
    for (const path of [
      `/accounts/${account}/beneficiaries`,
      `/accounts/${account}/beneficiaries/${given.beneficiary}`,
      `/accounts/${account}/statements`,
      `/accounts/${account}/1099/${given.beneficiary}`,
    ]) {
      const answer = await gateway.as(given.caller).raw({ path });
      expectClear(answer, [status]);
    }
    for (const [path, body] of [
      [`/accounts/${account}/beneficiaries`, leastBeneficiary()],
      [`/accounts/${account}/owners/add`, { holders: [{ customerId: given.owners[0] }] }],
      [`/accounts/${account}/owners/remove`, { holders: [{ customerId: given.owners[0] }] }],
    ] as const) {
      expectClear(await gateway.as(given.caller).raw({ method: 'POST', path, headers: JSON_TYPE, body }), [status]);
    }
  });

  test.each(['%00', '%2F', '%zz', 'x', '%F0%9F%98%80', 'constructor', '00000000-0000-0000-0000-00000000000g'])(
    'with a beneficiary like %s is refused',
    async id => {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const headers = method === 'PATCH' ? JSON_TYPE : {};
        const answer = await gateway.as(given.caller).raw({
          method,
          path: `/accounts/${given.account}/beneficiaries/${id}`,
          headers,
          body: method === 'PATCH' ? {} : undefined,
        });
        expectClear(answer, [400, 404]);
      }
    },
  );

  test.each([
    '/',
    '/nothing',
    `/accounts/x`,
    '/accounts//beneficiaries',
    '/graphql/',
    '/graphql%00',
    '/livez/x',
    '/../etc/passwd',
    '//',
    '/%2e%2e',
    '*',
  ])('like %s leads nowhere', async path => {
    expectClear(await gateway.as(given.caller).raw({ path }), [404]);
  });

  test.each(['PUT', 'DELETE', 'PROPFIND', 'PURGE'])('does not take %s where it is not served', async method => {
    const answer = await gateway.as(given.caller).raw({ method, path: list() });
    expectClear(answer, [405]);
    expect([answer.body.code, answer.headers.allow]).toEqual(['method_not_allowed', 'GET, HEAD, POST, OPTIONS']);
  });
});

describe('headers', () => {
  const head = (lines: string) =>
    `GET /accounts/${given.account}/beneficiaries HTTP/1.1\r\nConnection: close\r\n${lines}\r\n\r\n`;
  const statusOf = async (request: string) =>
    Number(/^HTTP\/1\.1 (\d+)/.exec(await gateway.http.sendBytes(request))?.[1]);

  test('that are broken are refused by 4xx', async () => {
    const bearer = `Authorization: Bearer ${given.caller}`;
    expect(await statusOf(head(`Host: x\r\n${bearer}`))).toBe(200);
    expect(await statusOf(head(bearer))).toBe(400);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nBad Header: ${CANARY}`))).toBe(400);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nX: a\u0000b`))).toBe(400);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nX: ${'x'.repeat(20_000)}`))).toBe(431);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nX-Idempotency-Key: a\u0001b`))).toBe(400);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nX-Idempotency-Key: a\r\nX-Idempotency-Key: b`))).toBe(400);
    expect(await statusOf(head(`Host: x\r\nAuthorization: Bearer ${CANARY}\r\n${bearer}`))).toBe(401);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nContent-Length: 1\r\nContent-Length: 2`))).toBe(400);
    expect(await statusOf(head(`Host: x\r\n${bearer}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked`))).toBe(400);
    const [answerHead, body] = (await gateway.http.sendBytes(`${CANARY}\r\n\r\n`)).split('\r\n\r\n');
    const { requestId, ...problem } = JSON.parse(body as string) as Record<string, unknown>;
    expect(problem).toEqual({
      type: '/problems#malformed_request',
      title: 'Bad Request',
      status: 400,
      code: 'malformed_request',
      detail: 'The request is not valid HTTP.',
    });
    expect(answerHead).toContain(`X-Request-Id: ${String(requestId)}\r\n`);
  });

  test('of authorization that are no token are 401', async () => {
    for (const authorization of [
      CANARY,
      'Bearer',
      'Bearer  ',
      `Bearer ${CANARY}`,
      `Basic ${Buffer.from(`a:${CANARY}`).toString('base64')}`,
      `Bearer ${'x'.repeat(9000)}`,
      `Bearer a.b.c ${CANARY}`,
    ]) {
      for (const path of [`/accounts/${given.account}/beneficiaries`, '/graphql']) {
        const answer = await gateway.as(null).rest.get(path, { authorization });
        expectClear(answer, [401]);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="tillgate"/);
      }
    }
  });
});

test('an emoji, a quote and a backslash are no bad input at all', async () => {
  const { account, caller } = await gateway.given.account();
  const first = `😀'"\\ ?? $1 %s`;
  const { body } = await gateway
    .as(caller)
    .rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary({ name: { first, last: '}{a' } }));
  expect(body.name).toEqual({ first, middle: '', last: '}{a' });
  const { data } = await gateway
    .as(caller)
    .graphql(`{ account(accountId: "${account}") { beneficiaries { nodes { name { first last } } } } }`);
  expect(data.account.beneficiaries.nodes).toEqual([{ name: { first, last: '}{a' } }]);
  before = await gateway.rows();
});
