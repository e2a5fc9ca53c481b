// A client that sends documents unlike any before, over many connections, three times each. A thread of its own: see
// hostile-documents.mjs.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { send } from './send-graphql.mjs';

const USES = 3;
const ALIASES = 15;
const FIELDS =
  `transactionId referenceTransactionId reference accountId amount balanceAfter currency debitCreditMemo category
  transactionType status description memo transactedAtLocal transactedAt postedAtLocal`.split(/\s+/);
const ALIASED = FIELDS.flatMap(field => Array.from({ length: ALIASES }, (_, n) => `${field}${n}: ${field}`)).join(' ');

/** @type {Record<string, (n: number, account: string) => string>} */
const SHAPES = {
  // 15 lists of 240 fields, which a fragment writes once.
  wide: (n, account) =>
    `{ account(accountId: "${account}") { ${lists(15, n, '...F')} } } fragment F on Transaction { ${ALIASED} }`,
  // As much as the limit on tokens lets a document write out.
  large: (n, account) => `{ account(accountId: "${account}") { ${lists(13, n, ALIASED)} } }`,
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
if (!isMainThread) parentPort.postMessage(await attack(workerData));

async function attack({ url, authorization, account, seconds, connections, shape }) {
  const statuses = {};
  const endMs = performance.now() + seconds * 1000;
  let made = 0;
  const one = async () => {
    while (performance.now() < endMs) {
      const body = JSON.stringify({ query: SHAPES[shape]((made += 1), account) });
      for (let use = 0; use < USES; use++) {
        const status = await send(url, authorization, body);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return statuses;
}

function lists(count, n, fields) {
  return Array.from(
    { length: count },
    (_, list) => `l${list}_${n}: transactions(first: 1) { nodes { ${fields} } }`,
  ).join(' ');
}
