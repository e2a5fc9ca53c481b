// The part of the gateway's schema that the workloads use, so that every GraphQL peer is sent the very same documents.
export const typeDefs = `
  type Query { account(accountId: ID!): Account accounts(first: Int = 10, filter: AccountFilter): AccountConnection! }
  type Mutation { addBeneficiary(input: AddBeneficiaryInput!): AddBeneficiaryPayload! }
  input AddBeneficiaryInput { accountId: ID! beneficiary: BeneficiaryInput! }
  type AddBeneficiaryPayload { beneficiary: Beneficiary! }
  input AccountFilter { accountIds: [ID!] }
  type AccountConnection { nodes: [Account!]! }
  type Account {
    accountId: ID! status: String! currency: String! availableBalance: Float!
    beneficiaries(first: Int = 10): BeneficiaryConnection!
    transactions(first: Int = 10, offset: Int = 0): TransactionConnection!
  }
  type BeneficiaryConnection { nodes: [Beneficiary!]! }
  type Beneficiary {
    beneficiaryId: ID! name: PersonName! taxId: String beneficiaryType: String! relationship: String! sharePercentage: Int!
  }
  type PersonName { first: String! middle: String last: String! }
  type TransactionConnection { totalCount: Int! nodes: [Transaction!]! }
  type Transaction {
    transactionId: ID! referenceTransactionId: ID reference: String accountId: ID! amount: Float! availableBalance: Float!
    debitCreditMemo: String! category: String! transactionType: String! status: String! description: String memo: String
    transactionTime: String! transactionTimestamp: String! postedTime: String postedTimestamp: String
  }
  input BeneficiaryInput {
    name: PersonNameInput! taxId: String taxIdType: String dateOfBirth: String addresses: [AddressInput!] emails: [EmailInput!]
    phones: [PhoneInput!] beneficiaryType: String! relationship: String! sharePercentage: Int!
  }
  input PersonNameInput { first: String! middle: String last: String! }
  input AddressInput {
    line1: String! line2: String line3: String city: String! state: String postalCode: String country: String! type: String!
  }
  input EmailInput { type: String! email: String! }
  input PhoneInput { type: String! country: String number: String! }
`;
