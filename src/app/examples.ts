/** An operation that explorers show, ready to run. */
export interface ExampleOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Beside `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Operations on the demo data, in the order in which explorers show them. The first needs no variables: the start page
 * shows it, too.
 */
export const EXAMPLE_OPERATIONS: readonly [ExampleOperation, ...ExampleOperation[]] = [
  {
    query: `query Accounts {
  accounts(first: 3) {
    totalCount
    nodes {
      accountId
      accountType
      availableBalance
      currency
    }
  }
}
`,
  },
  {
    query: `# An account, who owns it, and who receives it when they die.
query Account($accountId: ID!) {
  account(accountId: $accountId) {
    availableBalance
    currency
    owners {
      name {
        first
        last
      }
      taxId
      isPrimary
    }
    beneficiaries(first: 5) {
      totalCount
      nodes {
        name {
          first
          last
        }
        relationship
        sharePercentage
      }
    }
  }
}
`,
    variables: { accountId: 'demo-1001' },
  },
  {
    query: `# Newest first. For the next page, give \`endCursor\` as \`after\`.
query History($accountId: ID!, $after: String) {
  account(accountId: $accountId) {
    transactions(first: 10, after: $after, filter: { directions: [DEBIT] }) {
      totalCount
      nodes {
        transactionId
        transactedAtLocal
        status
        description
        amount
        balanceAfter
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
}
`,
    variables: { accountId: 'demo-1001' },
  },
  {
    query: `# What was issued for an account, and the cards that pay from it.
query Documents($accountId: ID!) {
  account(accountId: $accountId) {
    statements(first: 3) {
      totalCount
      nodes {
        statementDate
        documentType
        downloadPath
      }
    }
    cards {
      cardId
      type
      status
      number
      expiration
    }
  }
}
`,
    variables: { accountId: 'demo-1001' },
  },
  {
    query: `# Run it as often as you like: under one X-Idempotency-Key (see the headers) it is done once.
mutation AddBeneficiary($input: AddBeneficiaryInput!) {
  addBeneficiary(input: $input) {
    beneficiary {
      beneficiaryId
      name {
        first
        last
      }
      sharePercentage
    }
    replayed
  }
}
`,
    variables: {
      input: {
        accountId: 'demo-1009',
        beneficiary: {
          name: { first: 'Ada', last: 'Villaseñor' },
          beneficiaryType: 'PRIMARY',
          relationship: 'CHILD',
          sharePercentage: 100,
        },
      },
    },
    headers: { 'X-Idempotency-Key': 'explorer-1' },
  },
];

/** The operation that the start page and explorers show where the sandbox is on. */
export const SANDBOX_EXAMPLE: ExampleOperation = {
  query: `# Make something happen: a salary comes in. Each run is another payment; \`simulate...\` has all that can happen.
mutation Simulate($accountId: ID!) {
  simulateAchCredit(input: { accountId: $accountId }) {
    transaction {
      transactionId
      description
      amount
      balanceAfter
      postedAt
    }
  }
}
`,
  variables: { accountId: 'demo-1001' },
};

/** A subscription, which goes on until somebody stops it. */
export const LIVE_EXAMPLE: ExampleOperation = {
  query: `# Shows what is posted from now on, until you stop it. Post something to the account meanwhile.
subscription Live($accountId: ID!, $after: String) {
  transactionPosted(accountId: $accountId, after: $after) {
    cursor
    transaction {
      transactionId
      description
      amount
      direction
      balanceAfter
    }
  }
}
`,
  variables: { accountId: 'demo-1001' },
};
