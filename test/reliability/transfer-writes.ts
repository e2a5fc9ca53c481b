import { graphql, newKey, type Effect, type TransferAnswer, type Write } from './writes.js';

// Money between two accounts: each is recorded in the chains of both.

const TRANSFER = 'transferId fromAccountId toAccountId status';
const MAKE = `mutation ($input: TransferInput!) { write: createTransfer(input: { transfer: $input }) { transfer { ${TRANSFER} } } }`;
const MAKE_SEVERAL = `mutation ($inputs: [TransferInput!]!) { write: createTransfers(input: { transfers: $inputs }) { results { transfer { ${TRANSFER} } } } }`;
const REVERSE = `mutation ($id: ID!, $reason: String!) { write: reverseTransfer(input: { transferId: $id, reason: $reason }) { transfer { ${TRANSFER} } } }`;

interface TransferResultAnswer {
  readonly transfer: TransferAnswer;
}

export function makeTransfer(account: string, toAccount: string): Write {
  const key = newKey('transfer');
  const input = { fromAccountId: account, toAccountId: toAccount, transferId: key, amount: amount() };
  const requests = {
    rest: { method: 'POST', path: '/transfers', body: { ...input, amount: Number(input.amount) } },
    graphql: graphql(MAKE, { input }),
  } as const;
  return { key, account, requests, effect: transferEffect, refusal: null };
}

/** One write of a transfer to each of the accounts. */
export function makeTransfers(account: string, toAccounts: readonly string[]): Write {
  const key = newKey('transfers');
  const inputs = toAccounts.map((toAccountId, index) => ({
    fromAccountId: account,
    toAccountId,
    transferId: `${key}-${index}`,
    amount: amount(),
  }));
  const transfers = inputs.map(input => ({ ...input, amount: Number(input.amount) }));
  const requests = {
    rest: { method: 'POST', path: '/transfers/batch', body: { transfers } },
    graphql: graphql(MAKE_SEVERAL, { inputs }),
  } as const;
  const effect = ({ results }: { results: TransferResultAnswer[] }): Effect => ({
    transfers: results.map(({ transfer }) => told(transfer)),
  });
  return { key, account, requests, effect, refusal: null };
}

/** `again`: the transfer is reversed already, and the answer says so. */
export function reverseTransfer(account: string, id: string, again = false): Write {
  const reason = 'Sent twice';
  const requests = {
    rest: { method: 'POST', path: `/transfers/${id}/reverse`, body: { reason } },
    graphql: graphql(REVERSE, { id, reason }),
  } as const;
  const refusal = again ? 'already_reversed' : null;
  return { key: newKey('transfer-back'), account, requests, effect: transferEffect, refusal };
}

function transferEffect(transfer: TransferAnswer): Effect {
  return { transfers: [told(transfer)] };
}

function told({ transferId, fromAccountId, toAccountId, status }: TransferAnswer): TransferAnswer {
  return { transferId, fromAccountId, toAccountId, status };
}

function amount(): string {
  return `${Math.floor(Math.random() * 1e3)}.25`;
}
