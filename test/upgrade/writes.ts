import { randomUUID } from 'node:crypto';
import { newCard } from '../support/card.js';

/** A write under a key of its own, which is its request id as well, so that its event tells the key. */
export interface Write {
  readonly kind: 'beneficiary added' | 'beneficiary deleted' | 'card' | 'transaction';
  readonly key: string;
  readonly account: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** What was written, by what was answered. */
  readonly idOf: (answered: WriteAnswer) => string | undefined;
}

export interface WriteAnswer {
  readonly code?: string;
  readonly beneficiaryId?: string;
  readonly cardId?: string;
  readonly data?: { readonly write?: readonly { readonly transactionId: string }[] | null } | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

// What every release since 0.1 has.
const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  write: postTransactions(accountId: $account, transactions: $transactions) { transactionId availableBalance } }`;

export function addBeneficiary(account: string): Write {
  const body = {
    name: {
      first: 'Ada',
      last: 'Upgrade',
    },
    taxId: '123456789',
    taxIdType: 'SSN',
    beneficiaryType: 'PRIMARY',
    relationship: 'FRIEND',
    sharePercentage: 1,
  };
  const request = { method: 'POST', path: `/accounts/${account}/beneficiaries`, body };
  const idOf = (answered: WriteAnswer) => answered.beneficiaryId;
  return { kind: 'beneficiary added', key: randomUUID(), account, ...request, idOf };
}

export function deleteBeneficiary(account: string, id: string): Write {
  const request = { method: 'DELETE', path: `/accounts/${account}/beneficiaries/${id}` };
  const idOf = (answered: WriteAnswer) => answered.beneficiaryId;
  return { kind: 'beneficiary deleted', key: randomUUID(), account, ...request, idOf };
}

export function createCard(account: string, customer: string): Write {
  const request = { method: 'POST', path: '/cards/v1/cards', body: newCard(account, customer) };
  return { kind: 'card', key: randomUUID(), account, ...request, idOf: answered => answered.cardId };
}

export function postTransaction(account: string): Write {
  const key = randomUUID();
  const transactions = [transaction(key)];
  const request = { method: 'POST', path: '/graphql', body: { query: POST, variables: { account, transactions } } };
  return { kind: 'transaction', key, account, ...request, idOf: ({ data }) => data?.write?.[0]?.transactionId };
}

/** As it is posted, and as a line of an import has it. */
export function transaction(transactionId: string) {
  return {
    transactionId,
    amount: '1.00',
    debitCreditMemo: 'CREDIT',
    status: 'POSTED',
    category: 'ACH',
    transactionType: 'DIRECTDEPOSIT',
    description: 'Upgrade',
    transactionTimestamp: '2026-03-02T15:00:00.000Z',
    postedTimestamp: '2026-03-02T16:00:00.000Z',
  };
}
