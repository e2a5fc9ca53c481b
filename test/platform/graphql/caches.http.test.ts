import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const READ = gql`
  query ($account: ID!) {
    account(accountId: $account) {
      id
      version
      owners {
        id
        customerId
      }
      beneficiaries {
        totalCount
        nodes {
          id
          sharePercentage
          version
        }
      }
    }
  }
`;
const UPDATE = gql`
  mutation ($account: ID!, $beneficiary: ID!) {
    updateBeneficiary(input: { accountId: $account, beneficiaryId: $beneficiary, patch: { sharePercentage: 61 } }) {
      beneficiary {
        id
        sharePercentage
        version
      }
    }
  }
`;
const DELETE = gql`
  mutation ($account: ID!, $beneficiary: ID!) {
    deleteBeneficiary(input: { accountId: $account, beneficiaryId: $beneficiary }) {
      beneficiary {
        id
        account {
          id
          beneficiaries {
            totalCount
            nodes {
              id
              sharePercentage
              version
            }
          }
        }
      }
    }
  }
`;

interface Read {
  readonly account: { readonly beneficiaries: { readonly totalCount: number; readonly nodes: readonly object[] } };
}

test('a cache of Apollo Client keeps records by their ids without configuration, and mutations change what it shows', async () => {
  const { account, beneficiary, caller, owners, program } = await gateway.given.beneficiary();
  const second = await gateway.given.account({ program, owners });
  const cache = new InMemoryCache();
  const link = new HttpLink({ uri: `${gateway.url}/graphql`, headers: { authorization: `Bearer ${caller}` } });
  const client = new ApolloClient({ cache, link });
  await client.query({ query: READ, variables: { account } });
  await client.query({ query: READ, variables: { account: second.account } });
  const kept = Object.keys(cache.extract()).map(key => key.split(':')[0]);
  const count = (type: string) => kept.filter(name => name === type).length;
  // The same customer is another owner on each account.
  expect([count('Account'), count('Owner'), count('Beneficiary')]).toEqual([2, 2, 1]);

  const shown = () => cache.readQuery<Read>({ query: READ, variables: { account } })?.account.beneficiaries;
  await client.mutate({ mutation: UPDATE, variables: { account, beneficiary } });
  expect(shown()?.nodes).toEqual([expect.objectContaining({ sharePercentage: 61, version: 2 })]);
  await client.mutate({ mutation: DELETE, variables: { account, beneficiary } });
  expect(shown()).toMatchObject({ totalCount: 0, nodes: [] });
  client.stop();
});
