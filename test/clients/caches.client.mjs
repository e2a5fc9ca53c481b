// Caches of other clients with nothing set: no keys, no merge functions, no updaters. The same record, however it is
// reached, is kept once.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange, gql as urqlGql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { GraphQLClient } from 'graphql-request';
import { ACCOUNT, address, ask, beneficiary, tokenOf } from './gateway.mjs';

const url = `${address}/graphql`;
const authorization = `Bearer ${await tokenOf()}`;

const RECORD = 'id beneficiaryId sharePercentage name { first }';
const LIST = `query List($accountId: ID!) { account(accountId: $accountId) { id availableBalance
  owners { id name { first } } beneficiaries(first: 100) { totalCount edges { cursor node { ${RECORD} } } pageInfo { hasNextPage } } } }`;
const NODE = `query Node($id: ID!) { node(id: $id) { id ... on Beneficiary { ${RECORD} } } }`;
const UPDATE = `mutation Update($accountId: ID!, $beneficiaryId: ID!, $input: BeneficiaryPatch!) {
  updateBeneficiary(input: { accountId: $accountId, beneficiaryId: $beneficiaryId, patch: $input }) { beneficiary { id sharePercentage } } }`;
const ADD = `mutation Add($accountId: ID!, $input: BeneficiaryInput!) {
  addBeneficiary(input: { accountId: $accountId, beneficiary: $input }) { beneficiary { ${RECORD} } } }`;
const DELETE = `mutation Delete($accountId: ID!, $beneficiaryId: ID!) {
  deleteBeneficiary(input: { accountId: $accountId, beneficiaryId: $beneficiaryId }) { beneficiary { id } } }`;

/** A record of its own for a test, which is gone after it. */
async function withBeneficiary(work) {
  const { data } = await ask({ query: ADD, variables: { accountId: ACCOUNT, input: beneficiary('Cache') } });
  const { id, beneficiaryId } = data.addBeneficiary.beneficiary;
  try {
    await work({ id, beneficiaryId });
  } finally {
    await ask({ query: DELETE, variables: { accountId: ACCOUNT, beneficiaryId } });
  }
}

const shareIn = (account, id) =>
  account.beneficiaries.edges.map(({ node }) => node).find(node => node.id === id)?.sharePercentage;

function apollo(...links) {
  const http = new HttpLink({ uri: url, headers: { authorization } });
  return new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([...links, http]) });
}

test('Apollo Client keeps a record once, whether a list, a mutation or `node` brought it', async () => {
  await withBeneficiary(async ({ id, beneficiaryId }) => {
    const client = apollo();
    const variables = { accountId: ACCOUNT };
    await client.query({ query: gql(LIST), variables });
    assert.ok(client.cache.extract()[`Beneficiary:${id}`]);
    await client.mutate({
      mutation: gql(UPDATE),
      variables: {
        ...variables,
        beneficiaryId,
        input: { sharePercentage: 7 },
      },
    });
    const { account } = client.readQuery({ query: gql(LIST), variables });
    assert.equal(shareIn(account, id), 7);
    await ask({ query: UPDATE, variables: { ...variables, beneficiaryId, input: { sharePercentage: 8 } } });
    await client.query({ query: gql(NODE), variables: { id } });
    assert.equal(shareIn(client.readQuery({ query: gql(LIST), variables }).account, id), 8);
    const kept = Object.keys(client.cache.extract()).filter(key => key.startsWith('Beneficiary:'));
    assert.equal(new Set(kept).size, account.beneficiaries.totalCount);
  });
});

// In development Graphcache says of values, which have no id, that it keeps them in their record.
const EMBEDDED = /config for `Name` that always returns null/;

test('urql with Graphcache keeps a record once, whether a list, a mutation or `node` brought it', async ({ mock }) => {
  const { calls } = mock.method(console, 'warn', () => undefined).mock;
  await withBeneficiary(async ({ id, beneficiaryId }) => {
    const fetchOptions = { headers: { authorization } };
    const client = new Client({
      url,
      fetchOptions,
      preferGetMethod: false,
      exchanges: [cacheExchange(), fetchExchange],
    });
    const variables = { accountId: ACCOUNT };
    const listed = async requestPolicy => {
      const { data, error } = await client.query(urqlGql(LIST), variables, { requestPolicy }).toPromise();
      assert.equal(error, undefined);
      return data.account;
    };
    assert.equal(shareIn(await listed('network-only'), id), 1);
    await client.mutation(urqlGql(UPDATE), { ...variables, beneficiaryId, input: { sharePercentage: 7 } }).toPromise();
    assert.equal(shareIn(await listed('cache-only'), id), 7);
    await ask({ query: UPDATE, variables: { ...variables, beneficiaryId, input: { sharePercentage: 8 } } });
    await client.query(urqlGql(NODE), { id }, { requestPolicy: 'network-only' }).toPromise();
    assert.equal(shareIn(await listed('cache-only'), id), 8);
    for (const call of calls) assert.match(call.arguments[0], EMBEDDED);
  });
});

test('Apollo Client sends the hashes of its operations alone, by GET', async () => {
  const requests = [];
  const watched = (uri, options) => {
    requests.push({
      method: options.method ?? 'GET',
      isText: `${uri}${options.body ?? ''}`.includes('availableBalance'),
    });
    return fetch(uri, options);
  };
  const sha256 = text => createHash('sha256').update(text).digest('hex');
  const persisted = new PersistedQueryLink({ sha256, useGETForHashedQueries: true });
  const query = async () => {
    const http = new HttpLink({ uri: url, headers: { authorization }, fetch: watched });
    const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.from([persisted, http]) });
    return client.query({ query: gql(LIST), variables: { accountId: ACCOUNT } });
  };
  // The first time the gateway learns the operation, unless somebody else has told it before.
  await query();
  requests.length = 0;
  const { data } = await query();
  assert.ok(data.account.availableBalance);
  assert.deepEqual(requests, [{ method: 'GET', isText: false }]);
});

test('graphql-request sends operations, and throws what is refused with its code', async () => {
  const client = new GraphQLClient(url, { headers: { authorization } });
  const { account } = await client.request(LIST, { accountId: ACCOUNT });
  assert.ok(account.beneficiaries.totalCount > 0);
  await assert.rejects(
    client.request(UPDATE, { accountId: ACCOUNT, beneficiaryId: crypto.randomUUID(), input: {} }),
    ({ response }) => response.errors.every(({ extensions }) => extensions.code === 'BENEFICIARY_NOT_FOUND'),
  );
});
