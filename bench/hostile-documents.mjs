// What GraphQL documents of a hostile client cost the others.
//   npm run hostile-documents -- [--seconds 15] [--connections 16]
// First, another program without a scope sends new wide documents over many connections, three times each, while an
// honest client reads at a steady rate. Then an honest scope is used to send 60,000 different small documents to a
// process with 512 MiB of heap.
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import { importLedger } from './lib/data.mjs';
import { send } from './lib/send-graphql.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { residentMiB } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const LEDGER = { accounts: 2000, transactions: 60_000, beneficiaries: 2, largest: [10_000] };
const HONEST_PER_SECOND = 100;
const PAGE = `query Page($id: ID!) { account(accountId: $id) { availableBalance
  transactions(first: 10) { totalCount nodes { transactionId amount balanceAfter description postedAt } } } }`;
const SMALL_DOCUMENTS = 60_000;
const USES = 3;
const METRICS_TOKEN = 'of-this-measurement';
const MAX_CACHE_MIB = 48;
const MAX_SLOWER = 3;

await run(async () => {
  const options = readOptions({ seconds: 15, connections: 16, product: resolve(import.meta.dirname, '..') });
  const folder = folderForThisRun();
  // The limits that a client meets where nobody sets them.
  const product = await openProduct(options.product, folder, {
    RATE_LIMIT_PER_SECOND: '1000',
    METRICS_TOKEN,
    NODE_OPTIONS: '--max-old-space-size=512',
  });
  await importLedger(product, join(folder, 'files'), LEDGER);
  const gateway = await product.serve(join(folder, 'logs'));
  const attacker = gateway.tokenOf({ program: 'other', client_id: 'attacker', scope: '' });

  await honest(gateway, 5);
  const calm = await honest(gateway, options.seconds);
  const hostile = { url: gateway.url, authorization: attacker, account: accountId(2), ...options };
  const [under, wide, large] = await Promise.all([
    honest(gateway, options.seconds),
    attack({ ...hostile, shape: 'wide' }),
    attack({ ...hostile, shape: 'large' }),
  ]);
  console.log(`${2 * options.connections} connections with new wide documents for ${options.seconds} s\n`);
  const latency = (name, { latency: { p50, p99 }, non2xx }) => [name, digits(p50, 1), digits(p99, 1), `${non2xx}`];
  console.log(
    table(['others', 'p50 ms', 'p99 ms', 'refused'], [latency('in calm', calm), latency('under attack', under)]),
  );
  const statuses = Object.entries({ wide, large }).flatMap(([shape, sent]) =>
    Object.entries(sent).map(([status, count]) => [shape, status, `${count}`]),
  );
  console.log(`\n${table(['documents', 'status', 'answers'], statuses)}\n`);

  const small = await smallDocuments(product, folder);
  console.log(
    `\n${table(
      ['small documents', ''],
      Object.entries(small).map(([name, value]) => [name, `${value}`]),
    )}`,
  );

  const wrong = [
    !(under.latency.p50 < MAX_SLOWER * Math.max(calm.latency.p50, 1)) && 'others were held up',
    !(wide['429'] > 0 && large['429'] > 0) && 'the attacker was never told to wait',
    !(small['cache MiB at most'] < MAX_CACHE_MIB) && 'the caches hold too much',
    !small['honest operation is compiled'] && 'an honest operation was not compiled afterwards',
  ].filter(Boolean);
  if (wrong.length > 0) throw new Failure(`\nIt did not hold: ${wrong.join('; ')}.`);
  console.log('\nIt held.');
});

function honest({ url, authorization }, seconds) {
  const setupRequest = sent => ({
    ...sent,
    method: 'POST',
    path: '/graphql',
    headers: {
      authorization,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      query: PAGE,
      variables: { id: accountId(2 + Math.floor(Math.random() * 1e3)) },
    }),
  });
  return autocannon({
    url,
    connections: 4,
    overallRate: HONEST_PER_SECOND,
    duration: seconds,
    requests: [{ setupRequest }],
  });
}

/**
 * In a thread of its own, so that making documents does not slow the clients that are measured. Gives the number of
 * answers by status.
 */
async function attack(workerData) {
  const worker = new Worker(new URL('./lib/hostile-client.mjs', import.meta.url), { workerData });
  const [statuses] = await once(worker, 'message');
  return statuses;
}

async function smallDocuments(product, folder) {
  const gateway = await product.serve(join(folder, 'small'), { settings: { RATE_LIMIT_PER_SECOND: '1000000' } });
  let peak = 0;
  let cache = 0;
  const look = async () => {
    peak = Math.max(peak, residentMiB(gateway.pid));
    cache = Math.max(cache, (await counted(gateway, 'tillgate_graphql_documents_bytes')) / 1024 / 1024);
  };
  const startedMs = performance.now();
  let next = 0;
  const one = async () => {
    while (next < SMALL_DOCUMENTS) {
      const n = (next += 1);
      const body = JSON.stringify({
        query: `{ a${n}: account(accountId: "${accountId(2)}") { accountId f${n}: currency } }`,
      });
      for (let use = 0; use < USES; use++) {
        let status = await send(gateway.url, gateway.authorization, body);
        // A gateway that has too much to do says so, and is asked again.
        while (status === 503) {
          await sleep(1000);
          status = await send(gateway.url, gateway.authorization, body);
        }
        if (status !== 200) throw new Failure(`A small document was answered ${status}.`);
      }
      if (n % 2000 === 0) await look();
    }
  };
  await Promise.all(Array.from({ length: 32 }, one));
  const seconds = (performance.now() - startedMs) / 1000;
  const before = await counted(gateway, 'tillgate_graphql_compiled_operations');
  const body = JSON.stringify({ query: PAGE, variables: { id: accountId(3) } });
  for (let use = 0; use < 5; use++) await send(gateway.url, gateway.authorization, body);
  let isCompiled = false;
  for (let tries = 0; tries < 100 && !isCompiled; tries++) {
    await sleep(100);
    const waiting = await counted(gateway, 'tillgate_graphql_compilations_waiting');
    isCompiled = waiting === 0 && (await counted(gateway, 'tillgate_graphql_compiled_operations')) > before;
  }
  return {
    documents: SMALL_DOCUMENTS,
    'requests a second': digits((SMALL_DOCUMENTS * USES) / seconds, 0),
    'cache MiB at most': digits(cache, 1),
    'resident MiB at most': digits(peak, 0),
    compiled: before,
    'heap MiB at most': 512,
    'honest operation is compiled': isCompiled,
    alive: gateway.child.exitCode === null,
  };
}

async function counted({ url }, name) {
  const response = await fetch(new URL('/metrics', url), { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(new RegExp(`^${name} ([\\d.e+]+)`, 'm').exec(await response.text())?.[1]);
}
