// Routers join the gateway with a second subgraph, which knows loyalty points of accounts and the branch of a card.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { composeServices } from '@apollo/composition';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { parse } from 'graphql';
import { address, tokenOf } from './gateway.mjs';
import { startGateway } from './start.mjs';

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

const QUIET = { debug() {}, info() {}, warn: console.warn, error: console.error };

let loyalty;
before(async () => {
  const server = new ApolloServer({
    schema: buildSubgraphSchema([{ typeDefs: parse(LOYALTY), resolvers: RESOLVERS }]),
  });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
  loyalty = { url, stop: () => server.stop() };
});
after(() => loyalty?.stop());

/** The supergraph of the gateway at this address and the other subgraph. */
async function supergraphOf(of) {
  const { _service } = await ask(`${of}/graphql`, await tokenOf({}, of), '{ _service { sdl } }');
  const { supergraphSdl, errors } = composeServices([
    { name: 'tillgate', url: `${of}/graphql`, typeDefs: parse(_service.sdl) },
    { name: 'loyalty', url: loyalty.url, typeDefs: parse(LOYALTY) },
  ]);
  assert.deepEqual(
    errors?.map(({ message }) => message),
    undefined,
  );
  return supergraphSdl;
}

/** Routers of others, each with the address at which it serves a supergraph, and what stops it. */
const ROUTERS = {
  '@apollo/gateway': async supergraphSdl => {
    const buildService = ({ url }) => new Forwarding({ url });
    const server = new ApolloServer({ gateway: new ApolloGateway({ supergraphSdl, buildService, logger: QUIET }) });
    const { url } = await startStandaloneServer(server, {
      listen: { port: 0, host: '127.0.0.1' },
      context: async ({ req }) => ({ authorization: req.headers.authorization }),
    });
    return { url, stop: () => server.stop() };
  },
  '@graphql-hive/gateway-runtime': async supergraph => {
    const runtime = createGatewayRuntime({
      supergraph,
      logging: 'warn',
      propagateHeaders: {
        fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') ?? undefined }),
      },
    });
    const server = createServer((request, response) => void runtime(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = async () => {
      server.close();
      await runtime[Symbol.asyncDispose]();
    };
    return { url: `http://127.0.0.1:${server.address().port}/graphql`, stop };
  },
};

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

for (const [name, start] of Object.entries(ROUTERS)) {
  void describe(`${name} starts with what the gateway says of itself`, () => {
    let router;
    before(async () => {
      router = await start(await supergraphOf(address));
    });
    after(() => router?.stop());

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
      const query = '{ favourite { accountId points currency owners { name { first } taxId } } }';
      const { favourite } = await ask(router.url, await tokenOf(), query);
      assert.equal(favourite.currency, 'USD');
      assert.match(favourite.owners[0].taxId, /^\*+\d{4}$/);
    });

    void test('an account that the token does not see is null, with an error where the router wants one', async () => {
      const asked = ask(router.url, await tokenOf(), '{ unseen { accountId currency } }');
      const { unseen } = await asked.catch(({ data }) => data);
      assert.equal(unseen, null);
    });

    void test('without a token the gateway gives nothing through the router', async () => {
      const asked = ask(router.url, null, '{ account(accountId: "demo-1001") { currency } }');
      await assert.rejects(asked, ({ errors }) => JSON.stringify(errors).includes('"code":"UNAUTHENTICATED"'));
    });
  });
}

void test('costs of fields are in the supergraph, and scopes where the setting wants it', async () => {
  const costs = [
    '@cost(weight: 0)',
    '@listSize(assumedSize: 10, slicingArguments: ["first", "last"], sizedFields: ["edges", "nodes"], requireOneSlicingArgument: false)',
  ];
  const scopes = [
    '@requiresScopes(scopes: [["accounts.read"]])',
    '@requiresScopes(scopes: [["operations.read"], ["operations"]])',
    '@authenticated',
  ];
  const usual = await supergraphOf(address);
  for (const applied of costs) assert.ok(usual.includes(applied), applied);
  for (const applied of scopes) assert.ok(!usual.includes(applied), applied);
  const gateway = await startGateway({ FEDERATION_AUTHORIZATION: 'true', DEMO_DATA: 'false' });
  try {
    const whole = await supergraphOf(gateway.address);
    for (const applied of [...costs, ...scopes]) assert.ok(whole.includes(applied), applied);
  } finally {
    await gateway.stop();
  }
});
