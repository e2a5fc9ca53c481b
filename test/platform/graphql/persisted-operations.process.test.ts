import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type Answer, type TestGateway } from '../../support/gateway.js';
import { graphqlSettings } from './settings.js';

const ACCOUNT = 'query Account($id: ID!) {\n  account(accountId: $id) {\n    accountId\n  }\n}';
const PAGES =
  'query Pages($first: Int) { accounts(first: $first) { nodes { transactions(first: $first) { nodes { amount } } } } }';
const FREEZE = 'mutation Freeze($id: ID!) { freezeCard(input: { accountId: $id, cardId: "c" }) { card { cardId } } }';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function operation(body: string, changes: object = {}): object {
  const [, type, name] = /^(\w+) (\w+)/.exec(body) ?? [];
  return { id: sha256(body), body, name, type, ...changes };
}

const manifest = (operations: unknown): object => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-manifest-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function settingsWith(content: unknown) {
  const file = join(folder, `${sha256(JSON.stringify(content))}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return graphqlSettings({ PERSISTED_OPERATIONS: file });
}

const persistedQuery = (text: string, version = 1): object => ({
  persistedQuery: { version, sha256Hash: sha256(text) },
});

/** Enough for a query to be compiled. */
const TIMES = 5;

describe('with a manifest', () => {
  let gateway: TestGateway;
  let caller: string;
  let account: string;
  beforeAll(async () => {
    gateway = await startTestGateway(
      await settingsWith(manifest([ACCOUNT, PAGES, FREEZE].map(body => operation(body)))),
    );
    ({ caller, account } = await gateway.given.account());
  });
  afterAll(() => gateway.stop());

  const post = (body: object): Promise<Answer> => gateway.as(caller).rest.post('/graphql', body);
  const get = (parameters: Record<string, string>, headers = { 'apollo-require-preflight': '1' }): Promise<Answer> =>
    gateway.as(caller).rest.get(`/graphql?${new URLSearchParams(parameters).toString()}`, headers);
  const errorOf = ({ body }: Answer): object => body.errors[0].extensions;

  test.each([
    ['by its id', { extensions: persistedQuery(ACCOUNT) }],
    ['by its text', { query: ACCOUNT }],
    ['by both', { query: ACCOUNT, extensions: persistedQuery(ACCOUNT) }],
    ['by its id and name', { operationName: 'Account', extensions: persistedQuery(ACCOUNT) }],
  ])('an operation of the manifest is answered however often it comes: %s', async (_how, asked) => {
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const answer = await post({ ...asked, variables: { id: account } });
      expect([answer.status, answer.body]).toEqual([200, { data: { account: { accountId: account } } }]);
    }
  });

  test('a query of the manifest is answered by GET as well, and a mutation is not', async () => {
    const variables = JSON.stringify({ id: account });
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const answer = await get({ extensions: JSON.stringify(persistedQuery(ACCOUNT)), variables });
      expect([answer.status, answer.body]).toEqual([200, { data: { account: { accountId: account } } }]);
    }
    expect((await get({ query: ACCOUNT, variables })).status).toBe(200);
    expect((await get({ extensions: JSON.stringify(persistedQuery(FREEZE)), variables })).status).toBe(405);
    expect((await get({ query: ACCOUNT, variables }, {} as never)).status).toBe(200);
  });

  test('an id that is not in the manifest is answered in the words that clients know', async () => {
    for (const answer of [
      await post({ extensions: persistedQuery('{ __typename }') }),
      await get({ extensions: JSON.stringify(persistedQuery('{ __typename }')) }),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          errors: [
            {
              message: 'PersistedQueryNotFound',
              extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: answer.headers['x-request-id'] },
            },
          ],
        },
      ]);
    }
  });

  test.each<[string, object]>([
    ['any other text', { query: '{ __typename }' }],
    ['the text with one space more', { query: `${ACCOUNT} ` }],
    ['the schema', { query: '{ __schema { types { name } } }' }],
    ['other text under an id of the manifest', { query: '{ __typename }', extensions: persistedQuery(ACCOUNT) }],
    ['other text under its own id', { query: '{ __typename }', extensions: persistedQuery('{ __typename }') }],
    ['another version', { extensions: persistedQuery(ACCOUNT, 2) }],
    ['an id that is none', { query: '{ __typename }', extensions: { persistedQuery: { sha256Hash: 7 } } }],
  ])('what is not in the manifest is refused: %s', async (_what, asked) => {
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      const answer = await post(asked);
      expect([answer.status, answer.body.data, errorOf(answer)]).toEqual([
        403,
        undefined,
        expect.objectContaining({ code: 'PERSISTED_OPERATION_REQUIRED' }),
      ]);
    }
  });

  test.each([[], [{ query: '{ __typename }' }], {}, { query: 7 }, { extensions: 7 }])(
    'a request without an operation is malformed, here as everywhere: %j',
    async asked => {
      const { status, body } = await post(asked);
      expect([status, body.data, body.errors.length]).toEqual([400, undefined, 1]);
    },
  );

  test('the limits hold for the operations of the manifest too', async () => {
    for (let time = 0; time < TIMES; time++) {
      await gateway.compiled();
      expect((await post({ extensions: persistedQuery(PAGES), variables: { first: 5 } })).status).toBe(200);
    }
    const answer = await post({ extensions: persistedQuery(PAGES), variables: { first: 100 } });
    expect([answer.status, errorOf(answer)]).toMatchObject([
      400,
      { code: 'QUERY_TOO_COSTLY', cost: 10_201, limit: 1000 },
    ]);
  });
});

describe('a manifest that cannot be used keeps the gateway from starting', () => {
  const startWith = async (content: unknown): Promise<unknown> => {
    try {
      const gateway = await startTestGateway(await settingsWith(content));
      await gateway.stop();
      return null;
    } catch (error) {
      return error;
    }
  };

  test.each<[string, unknown, string]>([
    ['no JSON', 'operations: none', 'The file in PERSISTED_OPERATIONS cannot be read as JSON.'],
    [
      'another format',
      { ...manifest([]), format: 'relay' },
      'The file in PERSISTED_OPERATIONS is not a manifest with "format"',
    ],
    [
      'another version',
      { ...manifest([]), version: 2 },
      'The file in PERSISTED_OPERATIONS is not a manifest with "format"',
    ],
    [
      'no list',
      manifest({}),
      'The file in PERSISTED_OPERATIONS must have a list of 1 to 10000 operations in operations.',
    ],
    [
      'an empty list',
      manifest([]),
      'The file in PERSISTED_OPERATIONS must have a list of 1 to 10000 operations in operations.',
    ],
    ['an operation without a text', manifest([{ id: 'a' }]), 'operations[0]: the id and the body must be texts.'],
    [
      'the same id twice',
      manifest([operation(ACCOUNT), operation(ACCOUNT)]),
      'operations[1] (Account): an earlier operation has the same id.',
    ],
    [
      'another name',
      manifest([operation(ACCOUNT, { name: 'Other' })]),
      'operations[0] (Other): the name and the type must be',
    ],
    [
      'another type',
      manifest([operation(ACCOUNT, { type: 'mutation' })]),
      'the name and the type must be those of the body.',
    ],
    [
      'several operations',
      manifest([operation(`${ACCOUNT} query B { __typename }`)]),
      'the body must be exactly one operation.',
    ],
    ['a mistake in a text', manifest([operation('query A {')]), 'operations[0] (A): line 1, column 10: Syntax Error'],
    [
      'a field that is not there',
      manifest([operation('query A { accounts { total } }')]),
      'line 1, column 22: Cannot query field "total"',
    ],
    [
      'more than an operation may be',
      manifest([
        operation(`query A { ${Array.from({ length: 11 }, (_, at) => `a${at}: accounts { totalCount }`).join(' ')} }`),
      ]),
      'operations[0] (A): The operation has more than 10 fields at its root.',
    ],
  ])('%s', async (_what, content, message) => {
    expect(await startWith(content)).toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) });
  });

  test('every operation that is wrong is named at once', async () => {
    const error = await startWith(
      manifest(['query A { a }', 'query B { b }', ACCOUNT, 'query C { c }'].map(body => operation(body))),
    );
    expect(String(error).split('\n')).toHaveLength(3);
  });
});
