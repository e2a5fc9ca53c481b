import { randomUUID } from 'node:crypto';
import { graphql, newKey, type Effect, type Write } from './writes.js';

// What operators do to accounts and customers.

const OPEN = `mutation ($input: AccountInput!) { write: openAccount(input: { account: $input }) { account { accountId accountType status } } }`;
const CHANGE = `mutation ($id: ID!, $input: AccountPatch!) { write: updateAccount(input: { accountId: $id, patch: $input }) { account { accountId accountType status } } }`;
const STEP = `mutation ($id: ID!, $reason: String!) { write: STEPAccount(input: { accountId: $id, reason: $reason }) { account { accountId accountType status } } }`;
const CREATE = `mutation ($input: CustomerInput!) { write: createCustomer(input: { customer: $input }) { customer { customerId name { first } } } }`;
const UPDATE = `mutation ($id: ID!, $input: CustomerPatch!) { write: updateCustomer(input: { customerId: $id, patch: $input }) { customer { customerId name { first } } } }`;

/** `again`: the account is there already, and the answer says so. */
export function openAccount(account: string, owner: string, again = false): Write {
  const input = {
    accountId: account,
    accountType: 'CHECKING',
    currency: 'USD',
    timeZone: 'UTC',
    interestBearing: false,
    owners: [owner],
  };
  const requests = {
    rest: { method: 'POST', path: '/accounts', body: input },
    graphql: graphql(OPEN, { input }),
  };
  return { key: newKey('open'), account, requests, effect: accountEffect, refusal: again ? 'account_exists' : null };
}

export function changeAccount(account: string): Write {
  const input = { accountType: 'SAVINGS' };
  const requests = {
    rest: { method: 'PATCH', path: `/accounts/${account}`, body: input },
    graphql: graphql(CHANGE, { id: account, input }),
  };
  return { key: newKey('change'), account, requests, effect: accountEffect, refusal: null };
}

export function stepAccount(step: 'restrict' | 'unrestrict' | 'close', account: string): Write {
  const reason = 'Because';
  const requests = {
    rest: { method: 'POST', path: `/accounts/${account}/${step}`, body: { reason } },
    graphql: graphql(STEP.replace('STEP', step), { id: account, reason }),
  };
  return { key: newKey(step), account, requests, effect: accountEffect, refusal: null };
}

export function createCustomer(): Write {
  const key = newKey('customer');
  const input = { customerId: randomUUID(), name: { first: key, last: 'Created' }, dateOfBirth: '1970-02-03' };
  const requests = {
    rest: { method: 'POST', path: '/customers', body: input },
    graphql: graphql(CREATE, { input }),
  };
  return { key, account: '', requests, effect: customerEffect, refusal: null };
}

export function updateCustomer(id: string): Write {
  const key = newKey('customer-update');
  const input = { name: { first: key } };
  const requests = {
    rest: { method: 'PATCH', path: `/customers/${id}`, body: input },
    graphql: graphql(UPDATE, { id, input }),
  };
  return { key, account: '', requests, effect: customerEffect, refusal: null };
}

function accountEffect({ accountId, accountType, status }: Record<string, string>): Effect {
  return { opened: accountId as string, as: `${accountType} ${status}` };
}

function customerEffect({ customerId, name }: { customerId: string; name: { first: string } }): Effect {
  return { customer: customerId, as: name.first };
}
