// A router joins the gateway with a second subgraph, which knows loyalty points of accounts and the branch of a card.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { composeServices } from '@apollo/composition';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { address, tokenOf } from './gateway.mjs';

const LOYALTY = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Query { favourite: Account, unseen: Account, pages: PageInfo }
  type Account @key(fields: "accountId") { accountId: ID! points: Int! }
  type Card @key(fields: "accountId cardId") { accountId: ID! cardId: ID! branch: String! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
`;

const RESOLVERS = {
  Query: { favourite: () => ({ accountId: 'demo-1001' }), unseen: () => ({ accountId: 'acme-unseen' }) },
  Account: { __resolveReference: ({ accountId }) => ({ accountId }), points: ({ accountId }) => accountId.length },
  Card: { __resolveReference: card => ({ ...card, branch: `branch of ${card.accountId}` }) },
};

/** Stands for what forwards a token to subgraphs: of Apollo Router it is a line of its configuration. */
class Forwarding extends RemoteGraphQLDataSource {
  willSendRequest({ request, context }) {
    if (context.authorization) request.http.headers.set('authorization', context.authorization);
  }
}

let sdl;
let supergraph;
let loyalty;
let router;
before(async () => {
  const token = await tokenOf();
  ({
    _service: { sdl },
  } = await ask(`${address}/graphql`, token, '{ _service { sdl } }'));
  loyalty = new ApolloServer({ schema: buildSubgraphSchema([{ typeDefs: parse(LOYALTY), resolvers: RESOLVERS }]) });
  const { url } = await startStandaloneServer(loyalty, { listen: { port: 0, host: '127.0.0.1' } });
  const compose = text => {
    const { supergraphSdl, errors } = composeServices([
      { name: 'tillgate', url: `${address}/graphql`, typeDefs: parse(text) },
      { name: 'loyalty', url, typeDefs: parse(LOYALTY) },
    ]);
    assert.deepEqual(
      errors?.map(({ message }) => message),
      undefined,
    );
    return supergraphSdl;
  };
  supergraph = compose(sdl);
  // As FEDERATION_AUTHORIZATION=false leaves them out: Apollo Router reads these directives, and this one refuses them.
  const supergraphSdl = compose(
    sdl
      .replaceAll(/ @authenticated| @requiresScopes\(scopes: \[\[.*?\]\]\)/g, '')
      .replaceAll(/, "@(authenticated|requiresScopes)"/g, ''),
  );
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ url: of }) => new Forwarding({ url: of }),
    logger: { debug() {}, info() {}, warn: console.warn, error: console.error },
  });
  router = new ApolloServer({ gateway });
  const started = await startStandaloneServer(router, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async ({ req }) => ({ authorization: req.headers.authorization }),
  });
  router.url = started.url;
});
after(async () => {
  await router?.stop();
  await loyalty?.stop();
});

async function ask(url, token, query) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = await response.json();
  if (errors) throw Object.assign(new Error(errors[0].message), { errors, data });
  return data;
}

void test('scopes and costs of fields are in the supergraph', () => {
  for (const applied of [
    '@requiresScopes(scopes: [["accounts.read"]])',
    '@requiresScopes(scopes: [["operations.read"], ["operations"]])',
    '@authenticated',
    '@cost(weight: 0)',
    '@listSize(assumedSize: 10, slicingArguments: ["first", "last"], sizedFields: ["edges", "nodes"], requireOneSlicingArgument: false)',
  ]) {
    assert.ok(supergraph.includes(applied), applied);
  }
});

void test('the other subgraph adds fields to records of the gateway', async () => {
  const token = await tokenOf();
  const { account } = await ask(
    router.url,
    token,
    '{ account(accountId: "demo-1001") { accountId points cards { last4 branch } beneficiaries { pageInfo { hasNextPage } } } }',
  );
  assert.equal(account.points, 'demo-1001'.length);
  assert.equal(account.beneficiaries.pageInfo.hasNextPage, false);
  for (const card of account.cards) assert.equal(card.branch, 'branch of demo-1001');
});

void test('the gateway adds fields to what the other subgraph names, with the rights of the token', async () => {
  const query =
    '{ favourite { accountId points currency owners { name { first } taxId } } unseen { accountId currency } }';
  const { favourite, unseen } = await ask(router.url, await tokenOf(), query);
  assert.equal(favourite.currency, 'USD');
  assert.match(favourite.owners[0].taxId, /^\*+\d{4}$/);
  assert.equal(unseen, null);
});

void test('without a token the gateway gives nothing through the router', async () => {
  await assert.rejects(ask(router.url, null, '{ account(accountId: "demo-1001") { currency } }'));
});
