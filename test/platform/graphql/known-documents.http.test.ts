import { createHash } from 'node:crypto';
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, unique, type Answer, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';
import { until } from '../../support/until.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = (text: string): object => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } });
/** A document that no other test sends. */
const fresh = (): string =>
  `query ${unique('Q').replace(/\d/g, 'x').replace('-', '_')}($id: ID!) { account(accountId: $id) { status } }`;

/** Enough for a query to be compiled. */
const TIMES = 6;
const OPEN = '{"data":{"account":{"status":"OPEN"}}}\n';

let gateway: TestGateway;
let caller: string;
let account: string;
let program: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  ({ caller, account, program } = await gateway.given.account());
});
afterAll(() => gateway.stop());

const post = (body: object, token = caller): Promise<Answer> => gateway.as(token).rest.post('/graphql', body);
const PREFLIGHT = { 'apollo-require-preflight': '1' };
function get(parameters: Record<string, unknown>, headers: Record<string, string> = {}, method = 'GET') {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const path = `/graphql?${search.toString()}`;
  return gateway.as(caller).raw({ method, path, headers: { ...PREFLIGHT, ...headers } });
}

describe('automatic persisted queries', () => {
  test('a hash is answered once the gateway has seen the text, however often it comes', async () => {
    const query = fresh();
    const variables = { id: account };
    const missed = await post({ extensions: hashOf(query), variables });
    expect([missed.status, missed.body]).toEqual([
      200,
      {
        errors: [
          {
            message: 'PersistedQueryNotFound',
            extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: missed.headers['x-request-id'] },
          },
        ],
      },
    ]);
    expect((await post({ query, extensions: hashOf(query), variables })).text).toBe(OPEN);
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      for (const answer of [
        await post({ extensions: hashOf(query), variables }),
        await get({ extensions: hashOf(query), variables }),
      ]) {
        expect([answer.status, answer.text]).toEqual([200, OPEN]);
      }
    }
  });

  test('a text that was sent without its hash is known as well, to every client of the program', async () => {
    const query = fresh();
    await post({ query, variables: { id: account } });
    const colleague = await gateway.caller({ program, clientId: unique('colleague') });
    expect((await post({ extensions: hashOf(query), variables: { id: account } }, colleague)).text).toBe(OPEN);
  });

  test('a hash says nothing of what other programs have sent', async () => {
    const query = fresh();
    const stranger = await gateway.caller({ program: unique('other') });
    const byHash = { extensions: hashOf(query), variables: { id: account } };
    for (let time = 0; time < TIMES; time++) {
      await post({ query, variables: { id: account } });
      await gateway.compiled();
      expect((await post(byHash, stranger)).body.errors[0].message).toBe('PersistedQueryNotFound');
    }
    expect((await post({ query, variables: { id: account } }, stranger)).body).toEqual({ data: { account: null } });
    expect((await post(byHash, stranger)).body).toEqual({ data: { account: null } });
  });

  test('a long text is answered and not kept', async () => {
    const query = `${fresh()} #${'x'.repeat(20_000)}`;
    for (const _time of [1, 2]) expect((await post({ query, variables: { id: account } })).text).toBe(OPEN);
    const { body } = await post({ extensions: hashOf(query), variables: { id: account } });
    expect(body.errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('a document of more than 256 Ki characters is refused before it is parsed', async () => {
    const { status, body } = await post({ query: `{ viewer { clientId } } #${'x'.repeat(256 * 1024)}` });
    expect([status, body.errors[0].extensions.code]).toEqual([413, 'TOO_LARGE']);
  });

  test.each<[string, (query: string) => object, string]>([
    ['the hash of another text', query => hashOf(`${query} `), 'provided sha does not match query'],
    ['a hash that is none', () => ({ persistedQuery: { version: 1 } }), 'provided sha does not match query'],
    [
      'another version',
      query => ({ persistedQuery: { version: 2, sha256Hash: sha256(query) } }),
      'Unsupported persisted query version',
    ],
    ['no object', () => ({ persistedQuery: 'x' }), 'Unsupported persisted query version'],
  ])('%s is refused in the words of Apollo, and teaches the gateway nothing', async (_what, extensionsOf, message) => {
    const query = fresh();
    const answer = await post({ query, extensions: extensionsOf(query), variables: { id: account } });
    expect([answer.status, answer.body.errors[0]]).toMatchObject([
      400,
      { message, extensions: { code: 'BAD_REQUEST' } },
    ]);
    for (const text of [query, `${query} `]) {
      const { body } = await post({ extensions: hashOf(text), variables: { id: account } });
      expect(body.errors[0].message).toBe('PersistedQueryNotFound');
    }
  });

  test('a document that is not valid is never known', async () => {
    const query = '{ nothingOfTheKind }';
    for (const _time of [1, 2]) {
      const { body } = await post({ query, extensions: hashOf(query) });
      expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
    expect((await post({ extensions: hashOf(query) })).body.errors[0].message).toBe('PersistedQueryNotFound');
  });

  test('a text is charged for when it comes first, and its hash never', async () => {
    const token = await gateway.caller({ clientId: unique('charged') });
    const query = `{ viewer { clientId } } #${'x'.repeat(12_000)}${unique('long')}`;
    const remaining = ({ headers }: Answer) => Number(/;r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
    const first = remaining(await post({ query, extensions: hashOf(query) }, token));
    const second = remaining(await post({ extensions: hashOf(query) }, token));
    expect(first).toBeLessThanOrEqual(1_000_000 - 23);
    expect(second).toBeGreaterThanOrEqual(first - 2);
  });

  test("Apollo's client sends the hash by GET, and the text once", async () => {
    const requests: { method: string; hasText: boolean }[] = [];
    const http = new HttpLink({
      uri: `${gateway.url}/graphql`,
      headers: { authorization: `Bearer ${caller}`, ...PREFLIGHT },
      fetch: async (address, options) => {
        const { method = 'GET', body } = options ?? {};
        requests.push({ method, hasText: JSON.stringify([address, body]).includes('availableBalance') });
        return fetch(address, options);
      },
    });
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(http);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const query = gql`
      query ByHash($id: ID!) {
        account(accountId: $id) {
          availableBalance
        }
      }
    `;
    for (const _time of [1, 2]) {
      const { data } = await client.query({ query, variables: { id: account }, fetchPolicy: 'no-cache' });
      expect(data).toMatchObject({ account: { availableBalance: '0.00' } });
    }
    expect(requests).toEqual([
      { method: 'GET', hasText: false },
      { method: 'POST', hasText: true },
      { method: 'GET', hasText: false },
    ]);
  });
});

describe('queries by GET', () => {
  const QUERY = 'query Status($id: ID!) { account(accountId: $id) { status } } query Other { viewer { clientId } }';
  const asked = () => ({ query: QUERY, operationName: 'Status', variables: { id: account } });

  test('the answer has a tag, by which a client learns that its copy is current, compiled or not', async () => {
    const tags = new Set<unknown>();
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const answer = await get(asked());
      expect([answer.status, answer.text]).toEqual([200, OPEN]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: expect.stringContaining('Accept'),
      });
      const tag = String(answer.headers.etag);
      tags.add(tag);
      for (const headers of [{ 'if-none-match': tag }, { 'if-none-match': `"other", ${tag}` }]) {
        const current = await get(asked(), headers);
        expect([current.status, current.text, current.headers.etag]).toEqual([304, '', tag]);
        expect(current.headers).toMatchObject({
          'cache-control': 'private, no-cache',
          vary: 'Accept, Accept-Encoding',
        });
      }
    }
    expect(tags.size).toBe(1);
    const head = await get(asked(), {}, 'HEAD');
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', [...tags][0]]);
  });

  test('a tag of what has changed since gets the new answer', async () => {
    const { caller: owner, account: changed } = await gateway.given.account();
    const path = `/graphql?${new URLSearchParams({
      query: 'query ($id: ID!) { account(accountId: $id) { beneficiaries { nodes { name { first } } } } }',
      variables: JSON.stringify({ id: changed }),
    }).toString()}`;
    const read = (headers: object = {}) => gateway.as(owner).raw({ path, headers: { ...PREFLIGHT, ...headers } });
    const before = await read();
    await gateway.as(owner).rest.post(`/accounts/${changed}/beneficiaries`, leastBeneficiary());
    const after = await read({ 'if-none-match': before.headers.etag });
    expect([after.status, after.headers.etag === before.headers.etag]).toEqual([200, false]);
    expect((await read({ 'if-none-match': after.headers.etag })).status).toBe(304);
  });

  test('an answer with errors, and the answer to a POST, must not be kept', async () => {
    const refused = await get({ query: '{ nothing }' });
    const posted = await post(asked());
    for (const { headers } of [refused, posted]) {
      expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
    }
  });

  test('a mutation by GET is refused with what is allowed, however often', async () => {
    const query = `mutation Freeze { freezeCard(input: { accountId: "${account}", cardId: "none" }) { card { cardId } } }`;
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      await post({ query });
      const answer = await get({ query });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    }
  });

  test('what a page of a foreign origin could send is refused, compiled or not', async () => {
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      expect((await get(asked())).status).toBe(200);
      // No page can send a token for its visitor without asking first, and without one nothing is read.
      expect((await get(asked(), { 'apollo-require-preflight': '' })).status).toBe(200);
      const foreign = await gateway.as(null).rest.get(`/graphql?query=${encodeURIComponent('{ __typename }')}`);
      expect([foreign.status, foreign.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
      const form = await get(asked(), { 'apollo-require-preflight': '', 'content-type': 'text/plain' });
      expect(form.status).toBe(415);
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['variables that are no JSON', { query: QUERY, variables: '{' }],
    ['variables that are no object', { query: QUERY, variables: [1] }],
    ['extensions that are no object', { query: QUERY, extensions: '7' }],
    ['a name twice', { query: QUERY, variables: '{"id":"a","id":"b"}' }],
    ['nothing', {}],
  ])('%s is malformed', async (_what, parameters) => {
    const { status, body } = await get(parameters);
    expect([status, body.data, body.errors.length]).toEqual([400, undefined, 1]);
  });

  test('a parameter that is given twice is malformed', async () => {
    const path = '/graphql?query={__typename}&query={__typename}';
    expect((await gateway.as(caller).raw({ path, headers: PREFLIGHT })).status).toBe(400);
  });

  test('the log has neither the document nor the variables', async () => {
    const id = unique('log');
    await get(
      { query: 'query Secret($text: String!) { search(text: $text) { label } }', variables: { text: 'Maren Private' } },
      { 'x-request-id': id },
    );
    await until(async () => (await gateway.logged()).some(line => line.includes(id)));
    expect(gateway.log.find(line => line.includes(id))).toContain('"path":"/graphql"');
    expect(gateway.log.join('')).not.toMatch(/Maren Private|Maren\+Private|Maren%20Private|search\(/);
  });
});

describe('QUERY (RFC 10008)', () => {
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    gateway
      .as(caller)
      .raw({ method: 'QUERY', path: '/graphql', headers: { 'content-type': 'application/json', ...headers }, body });

  test('a query is answered as by POST, however often', async () => {
    const query = fresh();
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const answer = await ask({ query, variables: { id: account } });
      expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, OPEN, 'no-store']);
    }
    const byHash = await ask({ extensions: hashOf(query), variables: { id: account } });
    expect([byHash.status, byHash.text]).toEqual([200, OPEN]);
  });

  test('what is malformed is refused as by POST', async () => {
    for (const body of [[], { query: 7 }, { query: '{' }, { query: fresh(), variables: [] }, {}]) {
      const [queried, posted] = [await ask(body), await gateway.as(caller).rest.post('/graphql', body)];
      const told = ({ status, body: { errors } }: Answer) => [status, errors?.[0].message, errors?.[0].extensions.code];
      expect(told(queried)).toEqual(told(posted));
    }
    expect((await ask('query', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('a mutation is refused with what is allowed, and does nothing', async () => {
    const query = `mutation { addNote(input: { note: { accountId: "${account}", text: "By QUERY" } }) { note { text } } }`;
    for (const accept of ['application/json', 'text/event-stream']) {
      const { status, headers, text } = await ask({ query }, { accept });
      expect([status, headers.allow]).toEqual([405, 'POST']);
      expect(text).toContain('QUERY requests only support query');
    }
    const { body } = await gateway.as(caller).rest.get(`/notes?accountId=${account}`);
    expect(body.notes).toEqual([]);
  });

  test('what a path supports has it', async () => {
    const { status, headers } = await gateway.as(caller).raw({ method: 'OPTIONS', path: '/graphql' });
    expect([status, headers.allow, headers['accept-query']]).toEqual([
      204,
      'GET, HEAD, POST, QUERY, OPTIONS',
      'application/json',
    ]);
  });
});
