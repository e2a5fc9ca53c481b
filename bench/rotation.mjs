// How long `tillgate keys rotate` takes, and what clients notice of it: four of five requests open what is sealed, the
// others seal something.
//   npm run rotation -- [--rows 100000] [--rate 50] [--alone 10]
// --alone is how many seconds the same requests are sent before, with nothing beside them.
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { ask } from './lib/load.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { REQUESTS } from './lib/workloads.mjs';
import { accountId } from './make-ledger.mjs';

/** The first requests of a process wait for its code to be compiled. */
const WARM_UP_MS = 3000;
/** A customer has an account with four beneficiaries: five rows that are sealed. */
const BENEFICIARIES = 4;
const OPENED = `query Opened($accountId: ID!) { account(accountId: $accountId) {
  owners { contact { email } governmentId } beneficiaries(first: ${BENEFICIARIES}) { nodes { dateOfBirth addresses { line1 } emails { email } } } } }`;

await run(async () => {
  const options = readOptions({
    rows: 1e5,
    rate: 50,
    alone: 10,
    product: resolve(import.meta.dirname, '..'),
  });
  const accounts = Math.ceil(options.rows / (1 + BENEFICIARIES));
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  const sizes = { accounts, beneficiaries: BENEFICIARIES, transactions: 1, largest: [1] };
  await importLedger(product, join(folder, 'files'), sizes);
  await db.query('VACUUM ANALYZE');

  const outdated = await product.putKeyInFront();
  const gateway = await product.serve(folder);
  const clients = () => sendEvenly(gateway, { accounts, rate: options.rate });
  await during(clients, () => sleep(WARM_UP_MS));
  const alone = (await during(clients, () => sleep(options.alone * 1000))).figures;
  const { figures, result } = await during(clients, () => product.tillgate('keys', 'rotate'));
  const { output, seconds, cpu, peakMiB } = result;
  console.log(output);
  if (!output.includes(`Keys no longer needed: ${outdated}`)) throw new Failure('The old key is still needed.');

  const rowOf = (name, took, { requests, failed, p50, p99, longest }, rest) => [
    name,
    digits(took, 1),
    String(requests),
    String(failed),
    ...[p50, p99, longest].map(ms => digits(ms, 1)),
    ...rest,
  ];
  const head = ['', 'seconds', 'requests', 'failed', 'p50 ms', 'p99 ms', 'longest ms', 'CPU s: command', 'peak MiB'];
  const rows = [
    rowOf('before', options.alone, alone, ['-', '-']),
    rowOf(`rotation of ${options.rows} rows`, seconds, figures, [digits(cpu, 1), digits(peakMiB, 0)]),
  ];
  console.log(`\n${table(head, rows)}`);
});

/** What clients saw while something was done, and what came of that. */
async function during(clients, work) {
  const end = clients();
  const result = await work();
  return { result, figures: await end() };
}

/**
 * Sends so many requests a second, whether the ones before have been answered or not, until the function that it gives
 * is called. What is not 2xx, or has errors, has failed. Times are from when a request was due.
 */
function sendEvenly({ url, authorization }, { accounts, rate }) {
  const { method, path, headers, body } = REQUESTS.gateway.W7;
  const requestOf = text => ({ method, path, headers: { ...headers, Authorization: authorization }, body: text });
  const read = requestOf(JSON.stringify({ query: OPENED, variables: { accountId: '<account>' } }));
  const write = requestOf(body);
  const times = [];
  let failed = 0;
  const one = async (request, due) => {
    const account = accountId(1 + Math.floor(Math.random() * accounts));
    const answer = await ask({ url, request }, { account, key: crypto.randomUUID() }).catch(() => null);
    times.push(performance.now() - due);
    if (!answer || answer.status >= 300 || answer.text.includes('"errors"')) failed += 1;
  };
  let over = false;
  const sending = (async () => {
    const started = performance.now();
    const open = [];
    for (let n = 0; !over; n++) {
      const due = started + (n * 1000) / rate;
      await sleep(Math.max(0, due - performance.now()));
      open.push(one(n % 5 === 4 ? write : read, due));
    }
    await Promise.all(open);
  })();
  return async () => {
    over = true;
    await sending;
    times.sort((a, b) => a - b);
    const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))];
    return { requests: times.length, failed, p50: at(0.5), p99: at(0.99), longest: times.at(-1) };
  };
}
