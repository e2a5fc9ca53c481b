import { graphql } from 'relay-runtime';

graphql`
  query bankAccountQuery($accountId: ID!) {
    account(accountId: $accountId) {
      id
      availableBalance
      ...bankBeneficiaries
      ...bankTransactions
    }
  }
`;

graphql`
  fragment bankBeneficiaries on Account
  @refetchable(queryName: "bankBeneficiariesPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) {
    beneficiaries(first: $count, after: $cursor) @connection(key: "bank_beneficiaries") {
      __id
      edges {
        node {
          id
          beneficiaryId
          sharePercentage
          name {
            first
          }
        }
      }
    }
  }
`;

graphql`
  fragment bankTransactions on Account
  @refetchable(queryName: "bankTransactionsPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 3 }, cursor: { type: "String" }) {
    transactions(last: $count, before: $cursor) @connection(key: "bank_transactions") {
      edges {
        node {
          id
          transactionId
        }
      }
    }
  }
`;

graphql`
  mutation bankAddMutation($accountId: ID!, $input: BeneficiaryInput!, $connections: [ID!]!) {
    addBeneficiary(input: { accountId: $accountId, beneficiary: $input }) {
      beneficiary @appendNode(connections: $connections, edgeTypeName: "BeneficiaryEdge") {
        id
        beneficiaryId
        sharePercentage
        name {
          first
        }
      }
    }
  }
`;

graphql`
  mutation bankUpdateMutation($accountId: ID!, $beneficiaryId: ID!, $input: BeneficiaryPatch!) {
    updateBeneficiary(input: { accountId: $accountId, beneficiaryId: $beneficiaryId, patch: $input }) {
      beneficiary {
        id
        sharePercentage
      }
    }
  }
`;

graphql`
  mutation bankDeleteMutation($accountId: ID!, $beneficiaryId: ID!, $connections: [ID!]!) {
    deleteBeneficiary(input: { accountId: $accountId, beneficiaryId: $beneficiaryId }) {
      beneficiary {
        id @deleteEdge(connections: $connections)
      }
    }
  }
`;
