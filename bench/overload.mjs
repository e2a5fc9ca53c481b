// What becomes of a gateway to which far more comes than it can answer: 500 connections that send their next request as
// soon as they have an answer, on 10 connections to PostgreSQL. It must refuse the rest at once, answer those it
// accepts in time, and be as before afterwards.
//   npm run overload -- [--connections 500] [--seconds 30] [--rate 1000000]
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { residentMiB } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const LEDGER = { accounts: 2000, transactions: 60_000, beneficiaries: 2, largest: [10_000] };
/**
 * Warms the process up, so that the memory before is that of a process which has seen this already, and growth is a
 * leak.
 */
const WARM = { connections: 500, seconds: 10 };
const MAX_P99_MS = 1000;
const MAX_GROWTH = 0.2;
const SETTLE_SECONDS = 60;
const PAGE = `query Page($ids: [ID!]!) { accounts(first: 20, filter: { accountIds: $ids }) { nodes { accountId availableBalance
  beneficiaries(first: 4) { nodes { beneficiaryId name { first last } taxId } }
  transactions(first: 5) { totalCount nodes { transactionId amount balanceAfter description postedAt } } } } }`;
const BENEFICIARY = {
  name: {
    first: 'Ann',
    last: 'Cole',
  },
  taxId: '912345678',
  taxIdType: 'ITIN',
  beneficiaryType: 'PRIMARY',
  relationship: 'OTHERS',
  sharePercentage: 0,
};

await run(async () => {
  const options = readOptions({
    connections: 500,
    seconds: 30,
    rate: 1e6,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder, {
    RATE_LIMIT_PER_SECOND: `${options.rate}`,
    POOL_SIZE: '10',
  });
  await importLedger(product, join(folder, 'files'), LEDGER);
  const gateway = await product.serve(join(folder, 'logs'));

  await flood(gateway, WARM);
  await sleep(5000);
  const before = residentMiB(gateway.pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMiB(gateway.pid))), 100);
  const answers = await flood(gateway, options);
  const after = await settled(gateway, before);
  clearInterval(watch);

  const rows = [...answers.statuses]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([status, times]) => {
      times.sort((a, b) => a - b);
      const at = share => digits(times[Math.min(times.length - 1, Math.floor(times.length * share))], 1);
      return [
        status,
        `${times.length}`,
        digits(times.length / options.seconds, 0),
        at(0.5),
        at(0.99),
        digits(times.at(-1), 1),
      ];
    });
  console.log(`${options.connections} connections for ${options.seconds} s, ${answers.errors} of them broke\n`);
  console.log(table(['answers', 'count', 'a second', 'p50 ms', 'p99 ms', 'longest ms'], rows));
  console.log();
  console.log(
    table(
      ['memory', 'MiB'],
      [
        ['before', digits(before, 0)],
        ['at most', digits(peak, 0)],
        ['afterwards', digits(after, 0)],
      ],
    ),
  );
  judge(rows, answers, { before, after, alive: gateway.child.exitCode === null });
});

async function flood({ url, authorization }, { connections, seconds }) {
  const statuses = new Map();
  const one = () => accountId(2 + Math.floor(Math.random() * (LEDGER.accounts - 1)));
  const json = { authorization, 'content-type': 'application/json' };
  const page = sent => ({
    ...sent,
    method: 'POST',
    path: '/graphql',
    headers: json,
    body: JSON.stringify({
      query: PAGE,
      variables: { ids: Array.from({ length: 20 }, one) },
    }),
  });
  const list = sent => ({
    ...sent,
    method: 'GET',
    path: `/accounts/${one()}/transactions?limit=10`,
    headers: { authorization },
    body: undefined,
  });
  const write = sent => ({
    ...sent,
    method: 'POST',
    path: `/accounts/${one()}/beneficiaries`,
    headers: {
      ...json,
      'x-idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(BENEFICIARY),
  });
  const running = autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    requests: [page, list, write, list].map(setupRequest => ({ setupRequest })),
  });
  running.on('response', (_client, status, _bytes, ms) => {
    const times = statuses.get(`${status}`) ?? [];
    statuses.set(`${status}`, times);
    times.push(ms);
  });
  const { errors } = await running;
  return { statuses, errors };
}

/** The memory some time later, or as soon as it is what it was. Nobody hurries the garbage collector. */
async function settled({ url, pid }, before) {
  for (let second = 0; second < SETTLE_SECONDS && residentMiB(pid) > before * (1 + MAX_GROWTH); second++) {
    await sleep(1000);
    await fetch(new URL('/readyz', url));
  }
  return residentMiB(pid);
}

function judge(rows, { errors }, { before, after, alive }) {
  const p99 = Math.max(...rows.filter(([status]) => status.startsWith('2')).map(row => Number(row[4])));
  const others = rows.map(([status]) => status).filter(status => !/^(2..|429|503)$/.test(status));
  const wrong = [
    !alive && 'the gateway is gone',
    errors > 0 && `${errors} connections broke`,
    others.length > 0 && `there were answers ${others.join(', ')}`,
    !(p99 < MAX_P99_MS) && `the p99 of accepted requests is ${p99} ms`,
    after > before * (1 + MAX_GROWTH) && 'the memory did not come back',
  ].filter(Boolean);
  if (wrong.length > 0) throw new Failure(`\nIt did not hold: ${wrong.join('; ')}.`);
  console.log('\nIt held.');
}
