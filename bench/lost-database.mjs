// Kills PostgreSQL under load, starts it again, and tells how long the gateway takes to serve as before. Nobody
// restarts the gateway.
//   npm run lost-database -- [--connections 32] [--away 5]
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const LEDGER = { accounts: 200, transactions: 10_000, beneficiaries: 2, largest: [5000] };
const LOAD_MS = 3000;
const LONGEST_MS = 60_000;
/** What the gateway has to serve in a row, after PostgreSQL is back, to be as before. */
const AS_BEFORE = 100;
const MOST_SECONDS = 5;

await run(async () => {
  const options = readOptions({ connections: 32, away: 5, product: resolve(import.meta.dirname, '..') });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  await importLedger(product, join(folder, 'files'), LEDGER);
  const { url, child, authorization } = await product.serve(join(folder, 'logs'));

  const answers = [];
  let asking = true;
  const ask = async () => {
    const address = new URL(`/accounts/${accountId(2)}/transactions`, url);
    while (asking) {
      const answer = await fetch(address, { headers: { authorization } }).catch(() => null);
      await answer?.arrayBuffer();
      answers.push({ atMs: performance.now(), status: answer?.status ?? 'broken' });
      // A client that is refused waits a moment, as Retry-After asks.
      if (answer?.status !== 200) await sleep(100);
    }
  };
  const asked = Promise.all(Array.from({ length: options.connections }, ask));
  await sleep(LOAD_MS);

  const killedMs = performance.now();
  process.kill(product.postgresPid, 'SIGKILL');
  await sleep(options.away * 1000);
  await startAgain(options.product, folder, new URL(product.databaseUrl).port);
  const backMs = performance.now();
  const servingMs = await since(answers, backMs);
  await sleep(LOAD_MS);
  asking = false;
  await asked;
  if (child.exitCode !== null) throw new Failure('The gateway ended.');

  const during = Map.groupBy(
    answers.filter(({ atMs }) => atMs > killedMs),
    ({ status }) => status,
  );
  console.log(
    table(
      ['answers since the kill', 'count'],
      [...during].map(([status, all]) => [`${status}`, `${all.length}`]),
    ),
  );
  const seconds = (servingMs - backMs) / 1000;
  console.log(`\n${AS_BEFORE} answers in a row ${digits(seconds, 2)} s after PostgreSQL was back.`);
  if (seconds > MOST_SECONDS) throw new Failure(`That is more than ${MOST_SECONDS} s.`);
});

async function startAgain(root, folder, port) {
  const { PostgresPrograms } = await import(
    pathToFileURL(resolve(root, 'dist/lib/embedded-postgres/postgres-programs.js')).href
  );
  const cluster = join(folder, 'postgres');
  const programs = await PostgresPrograms.find(folder, cluster, 'Tillgate');
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  await programs.run('pg_ctl', ['start', '-D', cluster, '-w', '-l', join(folder, 'again.log'), '-o', settings]);
}

/** When the last of so many successes in a row came after a moment. */
async function since(answers, fromMs) {
  const giveUpAt = performance.now() + LONGEST_MS;
  for (;;) {
    let inRow = 0;
    for (const { atMs, status } of answers) {
      if (atMs < fromMs) continue;
      inRow = status === 200 ? inRow + 1 : 0;
      if (inRow === AS_BEFORE) return atMs;
    }
    if (performance.now() > giveUpAt) throw new Failure('The gateway does not come back.');
    await sleep(20);
  }
}
