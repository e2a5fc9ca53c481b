// The gateway that `run.mjs` started, for the files that it runs.

/** Its address, such as `http://127.0.0.1:4000`. */
export const address = process.env.TILLGATE_ADDRESS ?? 'http://127.0.0.1:4000';

/** The folder of the project. */
export const root = new URL('../../', import.meta.url);

/**
 * A token of the program `demo` from the gateway at this address: for a customer with `customer_id`, and with all scopes
 * unless `scope` names some.
 */
export async function tokenOf(asked = {}, of = address) {
  const form = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret', ...asked };
  const response = await fetch(`${of}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = await response.json();
  if (!token) throw new Error(`no token: ${response.status}`);
  return token;
}

/** An account of the demo data with some beneficiaries and many transactions. */
export const ACCOUNT = 'demo-1001';

/** Sends an operation as plain `fetch` does, and gives what is answered. A write gets a key of its own. */
export async function ask(operation) {
  token ??= await tokenOf();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const key = { 'x-idempotency-key': crypto.randomUUID() };
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: {
      ...headers,
      ...key,
    },
    body: JSON.stringify(operation),
  });
  return response.json();
}

let token;

/** A new beneficiary. */
export function beneficiary(first) {
  return {
    name: {
      first,
      last: 'Cached',
    },
    beneficiaryType: 'PRIMARY',
    relationship: 'CHILD',
    sharePercentage: 1,
  };
}
