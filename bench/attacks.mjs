// What one client with a valid token costs the others, attack by attack, and two attacks at once.
//   npm run attacks -- [--seconds 10] [--connections 8] [--documents 60000] [--alone]
// Each attack runs while an honest client of another program reads at a steady rate. It fails if the honest client's
// p50 is three times that of calm, if a megabyte of hostile bodies costs more than 20 ms of CPU, or if the process
// ends. With --alone no two attacks run at once. In the end documents of 1 to 100 KiB, each sent once, come to a
// process with 512 MiB of heap.
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
import { PROGRAM, openProduct } from './lib/product.mjs';
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
/** Requests that are allowed and not large, over so many connections, of a client with these scopes. */
const REQUESTS = {
  exports: { connections: 16, scope: 'transactions.read', program: PROGRAM },
  shortDocuments: { connections: 8, scope: '' },
  imports: { connections: 4, scope: 'operations' },
  searches: { connections: 16, scope: 'operations.read accounts.read', program: PROGRAM },
  unseen: { connections: 32, scope: 'operations' },
  manyAtOnce: { connections: 60, scope: 'transactions.read', program: PROGRAM },
};
/** The limits of a gateway without settings. */
const RATES = { RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '5000' };

await run(async () => {
  const options = readOptions({
    seconds: 10,
    connections: 8,
    documents: 60_000,
    alone: false,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder, { NODE_OPTIONS: MAX_HEAP, ...RATES });
  await importLedger(product, join(folder, 'files'), LEDGER);
  const gateway = await product.serve(join(folder, 'logs'));
  const attacker = gateway.tokenOf({ program: 'other', client_id: 'attacker', scope: '' });

  await honest(gateway, 5);
  const calm = await honest(gateway, options.seconds);
  const most = Math.max(calm.latency.p50, 1) * MAX_SLOWER;
  const rows = [['calm', digits(calm.latency.p50, 1), digits(calm.latency.p99, 1), `${calm.non2xx}`, '-', '-', '-']];
  const wrong = [];
  const alone = await costOf(gateway, () => honest(gateway, options.seconds));
  /** Runs attacks together beside the honest client. */
  const judge = async (name, attacks) => {
    const { result, cpu } = await costOf(gateway, () =>
      Promise.all([honest(gateway, options.seconds), ...attacks.map(begin => begin())]),
    );
    const [seen, ...sent] = result;
    const megabytes = sent.reduce((sum, one) => sum + one.megabytes, 0);
    const cost = megabytes >= 1 ? ((cpu - alone.cpu) * 1000) / megabytes : null;
    if (gateway.child.exitCode !== null) throw new Failure(`The gateway ended under ${name}.`);
    if (!(seen.latency.p50 < most)) wrong.push(`${name} held others up`);
    if (SHAPES.includes(name) && cost > MAX_MS_A_MEGABYTE) {
      wrong.push(`a megabyte of ${name} cost ${digits(cost, 1)} ms`);
    }
    rows.push([
      name,
      digits(seen.latency.p50, 1),
      digits(seen.latency.p99, 1),
      `${seen.non2xx}`,
      digits(megabytes, 0),
      cost === null ? '-' : digits(cost, 1),
      sent.map(({ statuses }) => said(statuses)).join('; '),
    ]);
  };
  const bodies = shape => () =>
    attack('hostile-bodies', { url: gateway.url, authorization: attacker, ...options, shape });
  const requests = kind => () => {
    const { connections, scope, program = 'other' } = REQUESTS[kind];
    const authorization = gateway.tokenOf({ program, client_id: `attacker-${kind}`, scope });
    return attack('hostile-requests', { url: gateway.url, authorization, seconds: options.seconds, connections, kind });
  };
  const slowBodies = async () => {
    const authorization = gateway.tokenOf({ program: 'other', client_id: 'attacker', scope: 'operations' });
    const worker = new Worker(new URL('./lib/slow-bodies.mjs', import.meta.url), {
      workerData: { url: gateway.url, authorization, bodies: SLOW_BODIES },
    });
    await sleep(options.seconds * 1000);
    const upload = await send(
      gateway.url,
      gateway.authorization,
      JSON.stringify({ query: '{ __typename }', variables: { x: 'y'.repeat(1_500_000) } }),
    );
    await worker.terminate();
    if (upload !== 200) wrong.push(`a large body of another program was answered ${upload} beside slow ones`);
    return { megabytes: 0, statuses: { [upload]: 'upload of another program' } };
  };
  const attacks = [
    ...SHAPES.map(shape => ({ name: shape, begin: bodies(shape) })),
    ...Object.keys(REQUESTS).map(kind => ({ name: kind, begin: requests(kind) })),
    { name: 'slow bodies', begin: slowBodies },
  ];
  for (const { name, begin } of attacks) await judge(name, [begin]);
  // Each beside the next: all pairs of them would take an hour.
  for (let n = 0; n < attacks.length && !options.alone; n++) {
    const [one, other] = [attacks[n], attacks[(n + SHAPES.length) % attacks.length]];
    await judge(`${one.name} and ${other.name}`, [one.begin, other.begin]);
  }
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

async function costOf({ pid }, work) {
  const before = cpuSeconds(pid);
  const result = await work();
  return { result, cpu: cpuSeconds(pid) - before };
}

/** In a thread of its own, so that making bodies does not slow the clients that are measured. */
async function attack(script, workerData) {
  const worker = new Worker(new URL(`./lib/${script}.mjs`, import.meta.url), { workerData });
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
      while (status === 503 || status === 429 || status === 'broken') {
        status = await send(
          gateway.url,
          gateway.authorization,
          JSON.stringify({ query: `{ viewer { clientId } } #${n} ${filler.slice(0, length)}` }),
        );
        if (status !== 200) await sleep(500);
      }
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (n % 500 === 0) peak = Math.max(peak, residentMiB(gateway.pid));
    }
  };
  await Promise.all(Array.from({ length: 16 }, one));
  return { sent: count, answers: said(statuses), 'resident MiB at most': digits(peak, 0) };
}
