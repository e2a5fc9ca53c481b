// A client that sends requests of one kind over many connections, each as soon as the last one is answered. A thread of
// its own: see attacks.mjs.
import { randomUUID } from 'node:crypto';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { accountId } from '../make-ledger.mjs';

const LINES = 1000;
/** The account that the calm client reads and that the attackers name. */
const VICTIM = accountId(2);

const json = (path, body) => ({ path, method: 'POST', body: JSON.stringify(body) });

/** @type {Record<string, (n: number) => {path: string, method?: string, body?: string}>} */
const KINDS = {
  exports: () => ({
    path: `/accounts/${accountId(1)}/transactions?format=csv&startTime=2024-01-01&endTime=2025-12-31`,
  }),
  searches: n => ({ path: `/search?text=${accountId(1 + (n % 2000))}` }),
  imports: n => json('/imports/accounts?dryRun=true', { lines: linesOf(n) }),
  shortDocuments: n => json('/graphql', { query: `{ a${n.toString(36)}: viewer { clientId } }` }),
  unseen: () =>
    json('/transfers', {
      transferId: randomUUID(),
      fromAccountId: VICTIM,
      toAccountId: accountId(3),
      amount: 1,
      description: 'x',
    }),
  manyAtOnce: n => ({ path: `/accounts/${accountId(2 + (n % 1000))}/transactions?limit=100` }),
};

function linesOf(n) {
  const account = at =>
    JSON.stringify({
      accountId: `new-${n}-${at}`,
      accountType: 'CHECKING',
      currency: 'USD',
      timeZone: 'America/New_York',
      interestBearing: false,
      openedOn: '2020-01-31',
      owners: [],
    });
  return Array.from({ length: LINES }, (_, at) => account(at)).join('\n');
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
if (!isMainThread) parentPort.postMessage(await attack(workerData));

async function attack({ url, authorization, seconds, connections, kind }) {
  const statuses = {};
  const endMs = performance.now() + seconds * 1000;
  let [made, bytes] = [0, 0];
  const one = async () => {
    while (performance.now() < endMs) {
      const { path, body, method = 'GET' } = KINDS[kind]((made += 1));
      const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
      const status = await fetch(new URL(path, url), { method, headers, body })
        .then(async answer => {
          await answer.arrayBuffer();
          return answer.status;
        })
        .catch(() => 'broken');
      bytes += body?.length ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  return { megabytes: bytes / 1e6, statuses };
}
