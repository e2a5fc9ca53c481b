// Writes from many clients at once, each under a key of its own.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { cpuSeconds } from './processes.mjs';
import { Failure } from './run.mjs';

const CLIENTS = 32;

export const BENEFICIARY = {
  name: { first: 'Ada', last: 'Bench' },
  taxId: '123456789',
  taxIdType: 'SSN',
  beneficiaryType: 'PRIMARY',
  relationship: 'CHILD',
  sharePercentage: 10,
};
export const ADD_BENEFICIARY =
  'mutation ($a: ID!, $i: BeneficiaryInput!) { addBeneficiary(input: { accountId: $a, beneficiary: $i }) { beneficiary { beneficiaryId } } }';

const TRANSACTION = {
  amount: '12.50',
  direction: 'CREDIT',
  category: 'ACH',
  transactionType: 'DIRECTDEPOSIT',
  status: 'POSTED',
  transactedAt: '2026-03-02T15:00:00.000Z',
  postedAt: '2026-03-02T16:00:00.000Z',
};

/** One transaction that is posted to an account: a query and its variables. */
export function posting(account, transactions = 1) {
  return [
    'mutation ($a: ID!, $t: [TransactionInput!]!) { postAccountTransactions(input: { accountId: $a, transactions: $t }) { transactions { transactionId } } }',
    { a: account, t: Array.from({ length: transactions }, () => ({ ...TRANSACTION, transactionId: randomUUID() })) },
  ];
}

/** What asks a client to come again: 429 and 503 over REST. */
const BUSY = /^(RATE_LIMITED|UNAVAILABLE)$/;

/**
 * Lets the clients write for some seconds, or until nothing is left, and gives how many writes were done at which CPU,
 * how long each took in milliseconds, and how many were to come again. `credentials` makes the headers of each request
 * that say who sends it.
 */
export async function during({ url, pid, authorization }, seconds, next, credentials = () => ({ authorization })) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const started = performance.now();
  const until = started + seconds * 1000;
  const before = cpuSeconds(pid);
  const durations = [];
  let busy = 0;
  const client = async () => {
    while (performance.now() < until) {
      const write = next();
      if (!write) return;
      const [query, variables] = write;
      const begun = performance.now();
      const { data, errors } = await post(agent, url, credentials(), { query, variables });
      // A full account refuses more beneficiaries, cards and owners: that is an answer of the same command.
      const code = errors?.[0]?.extensions.code;
      if (BUSY.test(code ?? '')) {
        busy += 1;
        continue;
      }
      if (!data || (code && !/^(TOO_MANY_|BENEFICIARY_NOT_FOUND|CARD_STATE)/.test(code))) {
        throw new Failure(`A write failed: ${JSON.stringify(errors)}`);
      }
      durations.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return {
    writes: durations.length,
    durations,
    busy,
    cpu: cpuSeconds(pid) - before,
    took: (performance.now() - started) / 1000,
  };
}

function post(agent, url, credentials, body) {
  const text = JSON.stringify(body);
  const headers = {
    ...credentials,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-idempotency-key': randomUUID(),
  };
  return new Promise((answer, fail) => {
    const sent = request(new URL('/graphql', url), { method: 'POST', agent, headers }, response => {
      let received = '';
      response.on('data', chunk => (received += chunk));
      response.on('end', () => answer(JSON.parse(received)));
    });
    sent.on('error', fail);
    sent.end(text);
  });
}
