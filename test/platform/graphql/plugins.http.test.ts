import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import type * as ExecutionPlugin from './execution-plugin.inside.js';
import type * as Plugins from './plugins.inside.js';
import { POSTED, Stream, listen, socketClient, subscriptions } from './subscriptions/listening.js';

/** Enough answers for an operation to be compiled. */
const TIMES = 6;
/** What Apollo Server calls for an operation that it has not seen before, and for one that it keeps. */
const FIRST = ['source', 'parsing', 'validation', 'operation', 'response'];
const KEPT = ['source', 'operation', 'response'];
const STATUS = 'query Status($id: ID!) { account(accountId: $id) { status } }';

let gateway: TestGateway;
let account: string;
let caller: string;
beforeAll(async () => {
  gateway = await startTestGateway({}, undefined, MODULE);
  ({ account, caller } = await gateway.given.account());
});
afterAll(() => gateway.stop());
beforeEach(() => taken());

const MODULE = 'test/platform/graphql/plugins';
const taken = () => gateway.module<typeof Plugins>(MODULE).taken();
const asked = (query: string) => gateway.as(caller).graphql(query, { id: account });
const get = (parameters: Readonly<Record<string, unknown>>) => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const path = `/graphql?${new URLSearchParams(Object.fromEntries(texts) as Record<string, string>).toString()}`;
  return gateway.as(caller).raw({ method: 'GET', path, headers: { 'apollo-require-preflight': '1' } });
};

test('a plugin sees an operation by POST the first time and every time after that, compiled or not', async () => {
  await asked(STATUS);
  expect(await taken()).toEqual(FIRST);
  for (let time = 0; time < TIMES; time++) {
    const { text } = await asked(STATUS);
    expect(JSON.parse(text)).toEqual({ data: { account: { status: 'OPEN' } }, extensions: { watched: true } });
    expect(await taken()).toEqual(KEPT);
    await gateway.compiled();
  }
});

test('a plugin sees a mutation, and each retry under its key', async () => {
  const headers = { 'x-idempotency-key': 'watched' };
  const query =
    'mutation Close($id: ID!) { closeAccount(input: { accountId: $id, reason: "moved" }) { account { status } } }';
  const { account: other, caller: owner } = await gateway.given.account();
  for (let time = 0; time < TIMES; time++) {
    const { text } = await gateway.as(owner).graphql(query, { id: other }, { headers });
    expect(JSON.parse(text).extensions).toEqual({ watched: true });
    expect(await taken()).toEqual(time === 0 ? FIRST : KEPT);
    await gateway.compiled();
  }
});

test('a plugin sees an operation by GET, by its hash, and one whose hash is not known', async () => {
  const query = 'query ByGet($id: ID!) { account(accountId: $id) { currency } }';
  const variables = { id: account };
  const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
  expect((await get({ extensions, variables })).body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
  // There is no operation yet.
  expect(await taken()).toEqual(['response']);
  await get({ query, variables });
  expect(await taken()).toEqual(FIRST);
  for (let time = 0; time < TIMES; time++) {
    const { body } = await get({ extensions, variables });
    expect(body).toEqual({ data: { account: { currency: 'USD' } }, extensions: { watched: true } });
    expect(await taken()).toEqual(KEPT);
    await gateway.compiled();
  }
});

test('a plugin sees a subscription that is opened over HTTP or a WebSocket', async () => {
  const operation = { query: POSTED, variables: { account } };
  const stream = await Stream.open(gateway, caller, operation);
  await subscriptions(gateway, 1);
  expect(await taken()).toEqual(FIRST);
  const client = socketClient(gateway, caller);
  listen(client, operation);
  await subscriptions(gateway, 2);
  expect(await taken()).toEqual(KEPT);
  stream.close();
  await client.dispose();
  await subscriptions(gateway, 0);
});

test('a plugin sees what is refused: a document that does not parse, one that is not valid, a bad key', async () => {
  await asked('{ viewer {');
  expect(await taken()).toEqual(['source', 'parsing', 'response']);
  await asked('{ nothing }');
  expect(await taken()).toEqual(['source', 'parsing', 'validation', 'response']);
  const headers = { 'x-idempotency-key': 'one', 'idempotency-key': 'another' };
  const query =
    'mutation Reopen($id: ID!) { closeAccount(input: { accountId: $id, reason: "moved" }) { account { status } } }';
  const { text } = await gateway.as(caller).graphql(query, { id: account }, { headers });
  expect(JSON.parse(text)).toEqual({ errors: expect.anything(), extensions: { watched: true } });
  expect(await taken()).toEqual(FIRST);
});

test('a plugin that listens to the execution sees every field and every error, since nothing is compiled for it', async () => {
  const module = 'test/platform/graphql/execution-plugin';
  const traced = await startTestGateway({}, undefined, module);
  const heard = () => traced.module<typeof ExecutionPlugin>(module).heard();
  try {
    const given = await traced.given.account();
    for (let time = 0; time < TIMES; time++) {
      await traced.as(given.caller).graphql(STATUS, { id: given.account });
      expect(await heard()).toEqual({ fields: ['Query.account', 'Account.status'], errors: [] });
      await traced.compiled();
    }
    await traced
      .as(given.caller)
      .graphql('mutation { closeAccount(input: { accountId: "none", reason: "moved" }) { account { status } } }');
    expect((await heard()).errors).toEqual([expect.stringMatching(/account/i)]);
  } finally {
    await traced.stop();
  }
});
