// What one client with a valid token and no scope costs the others, attack by attack.
//   npm run attacks -- [--seconds 10] [--connections 8] [--documents 60000]
// Each attack runs while an honest client of another program reads at a steady rate. It fails if the honest client's
// p50 is three times that of calm, or if a megabyte of hostile bodies costs more than 20 ms of CPU. In the end
// documents of 1 to 100 KiB, each sent once, come to a process with 512 MiB of heap.
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import { importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { send } from './lib/send-graphql.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds, residentMiB } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const LEDGER = { accounts: 2000, transactions: 20_000, beneficiaries: 2, largest: [5_000] };
const HONEST_PER_SECOND = 100;
const PAGE = `query Page($id: ID!) { account(accountId: $id) { availableBalance transactions(first: 10) { nodes { amount } } } }`;
const MAX_SLOWER = 3;
const MAX_MS_A_MEGABYTE = 20;
const MAX_HEAP = '--max-old-space-size=512';
/** Bodies that a client begins and does not end. */
const SLOW_BODIES = 64;
const SHAPES = ['comments', 'shortComments', 'objects', 'escapes', 'names', 'text'];

await run(async () => {
  const options = readOptions({
    seconds: 10,
    connections: 8,
    documents: 60_000,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder, { NODE_OPTIONS: MAX_HEAP });
  await importLedger(product, join(folder, 'files'), LEDGER);
  const gateway = await product.serve(join(folder, 'logs'));
  const attacker = gateway.tokenOf({ program: 'other', client_id: 'attacker', scope: '' });

  await honest(gateway, 5);
  const calm = await honest(gateway, options.seconds);
  const rows = [['calm', digits(calm.latency.p50, 1), digits(calm.latency.p99, 1), `${calm.non2xx}`, '-', '-', '-']];
  const wrong = [];
  const judge = (name, seen, cost) => {
    if (!(seen.latency.p50 < MAX_SLOWER * Math.max(calm.latency.p50, 1))) wrong.push(`${name} held others up`);
    if (cost > MAX_MS_A_MEGABYTE) wrong.push(`a megabyte of ${name} cost ${digits(cost, 1)} ms`);
  };
  const alone = await costOf(gateway, options.seconds, () => honest(gateway, options.seconds));
  for (const shape of SHAPES) {
    const { result, cpu } = await costOf(gateway, options.seconds, () =>
      Promise.all([
        honest(gateway, options.seconds),
        attack({ url: gateway.url, authorization: attacker, ...options, shape }),
      ]),
    );
    const [seen, { megabytes, statuses }] = result;
    const cost = ((cpu - alone.cpu) * 1000) / megabytes;
    judge(shape, seen, cost);
    rows.push([
      shape,
      digits(seen.latency.p50, 1),
      digits(seen.latency.p99, 1),
      `${seen.non2xx}`,
      digits(megabytes, 0),
      digits(cost, 1),
      said(statuses),
    ]);
  }
  const slow = new Worker(new URL('./lib/slow-bodies.mjs', import.meta.url), {
    workerData: {
      url: gateway.url,
      authorization: gateway.tokenOf({ program: 'other', client_id: 'attacker', scope: 'operations' }),
      bodies: SLOW_BODIES,
    },
  });
  const seen = await honest(gateway, options.seconds);
  const upload = await send(
    gateway.url,
    gateway.authorization,
    JSON.stringify({ query: '{ __typename }', variables: { x: 'y'.repeat(1_500_000) } }),
  );
  await slow.terminate();
  judge('slow bodies', seen, 0);
  if (upload !== 200) wrong.push(`a large body of another program was answered ${upload} beside slow ones`);
  rows.push([
    'slow bodies',
    digits(seen.latency.p50, 1),
    digits(seen.latency.p99, 1),
    `${seen.non2xx}`,
    '-',
    '-',
    `upload of another program ${upload}`,
  ]);
  console.log(table(['attack', 'others: p50 ms', 'p99 ms', 'refused', 'MB sent', 'CPU ms a MB', 'answers'], rows));

  const memory = await documents(product, folder, options);
  console.log(
    `\n${table(
      ['documents of 1 to 100 KiB', ''],
      Object.entries(memory).map(([name, value]) => [name, `${value}`]),
    )}`,
  );
  if (wrong.length > 0) throw new Failure(`\nIt did not hold: ${wrong.join('; ')}.`);
  console.log('\nIt held.');
});

function honest({ url, authorization }, seconds) {
  const setupRequest = sent => ({
    ...sent,
    method: 'POST',
    path: '/graphql',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: PAGE, variables: { id: accountId(2 + Math.floor(Math.random() * 1000)) } }),
  });
  return autocannon({
    url,
    connections: 4,
    overallRate: HONEST_PER_SECOND,
    duration: seconds,
    requests: [{ setupRequest }],
  });
}

async function costOf({ pid }, _seconds, work) {
  const before = cpuSeconds(pid);
  const result = await work();
  return { result, cpu: cpuSeconds(pid) - before };
}

/** In a thread of its own, so that making bodies does not slow the clients that are measured. */
async function attack(workerData) {
  const worker = new Worker(new URL('./lib/hostile-bodies.mjs', import.meta.url), { workerData });
  const [seen] = await once(worker, 'message');
  return seen;
}

function said(statuses) {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ');
}

async function documents(product, folder, { documents: count }) {
  const gateway = await product.serve(join(folder, 'documents'), {
    settings: { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '100000000' },
  });
  const filler = Array.from({ length: 7000 }, (_, n) => (n * 7919).toString(36).padStart(16, 'x')).join('');
  const statuses = {};
  let [next, peak] = [0, 0];
  const one = async () => {
    while (next < count) {
      const n = (next += 1);
      const length = 1024 * (1 + (n % 100));
      let status = 503;
      // A gateway that has too much to do says so, and is asked again.
      while (status === 503 || status === 429) {
        status = await send(
          gateway.url,
          gateway.authorization,
          JSON.stringify({ query: `{ viewer { clientId } } #${n} ${filler.slice(0, length)}` }),
        );
        if (status === 503 || status === 429) await sleep(500);
      }
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (n % 500 === 0) peak = Math.max(peak, residentMiB(gateway.pid));
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return { sent: count, answers: said(statuses), 'resident MiB at most': digits(peak, 0) };
}
