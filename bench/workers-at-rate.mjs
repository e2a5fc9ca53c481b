// The CPU of a request with one process and with several (WORKERS), each of which gets the same number of requests a
// second. A process that is busy takes more requests in one round of its loop, and needs less CPU for each: so
// processes are compared under the same load of each.
//   npm run workers-at-rate -- [--workers 2] [--rate 600] [--seconds 5] [--rounds 3]
import { join, resolve } from 'node:path';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { autocannon } from './lib/load.mjs';
import { deepestOf, gatewayServer } from './lib/measure.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { median, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';

const LEDGER = { accounts: 2000, transactions: 100_000, beneficiaries: 4, largest: [30_000] };
const WORKLOADS = ['W1', 'W2', 'W3', 'W7'];
const CONNECTIONS = 8;
const WARM_SECONDS = 2;

await run(async () => {
  const options = readOptions({
    workers: 2,
    rate: 600,
    seconds: 5,
    rounds: 3,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  await importLedger(product, join(folder, 'files'), LEDGER);
  await db.query('VACUUM ANALYZE');
  const ranges = { accounts: LEDGER.accounts, deepest: deepestOf(LEDGER.largest[0]) };
  const gateways = new Map();
  for (const count of [1, options.workers]) {
    const gateway = await product.serve(join(folder, `workers-${count}`), { settings: { WORKERS: String(count) } });
    const site = { db, nodes: [db] };
    gateways.set(count, gatewayServer(String(count), gateway, site, { PostgreSQL: [product.postgresPid] }));
  }
  const rows = [];
  for (const workload of WORKLOADS) {
    const rounds = [];
    for (let round = 0; round < options.rounds; round++) {
      const figures = new Map();
      for (const [count, server] of gateways) {
        figures.set(count, await measured(server, { workload, ranges, count, ...options }));
      }
      rounds.push(figures);
    }
    const of = (count, part) => median(rounds.map(figures => figures.get(count)[part]));
    const all = count => of(count, 'gateway') + of(count, 'postgres');
    for (const count of gateways.keys()) {
      const [gateway, postgres] = [of(count, 'gateway'), of(count, 'postgres')].map(cpu => cpu.toFixed(3));
      rows.push([
        workload,
        String(count),
        String(count * options.rate),
        gateway,
        postgres,
        (all(count) / all(1)).toFixed(2),
      ]);
    }
  }
  const head = ['workload', 'processes', 'requests/s', 'CPU ms: gateway', 'CPU ms: PostgreSQL', 'of one process'];
  console.log(table(head, rows));
});

/** CPU of the gateway and of PostgreSQL in ms a request. */
async function measured(server, { workload, ranges, count, rate, seconds }) {
  const {
    gateway: [gatewayPid],
    PostgreSQL: [postgresPid],
  } = server.parts;
  const target = { url: server.url, request: server.requests[workload], ranges };
  const send = duration =>
    autocannon(target, { connections: count * CONNECTIONS, rate: count * rate, seconds: duration });
  await send(WARM_SECONDS);
  const cpu = () => [cpuSeconds(gatewayPid), cpuSeconds(postgresPid)];
  const before = cpu();
  const { requests, failed } = await send(seconds);
  const [gateway, postgres] = cpu().map((now, n) => ((now - before[n]) / requests) * 1000);
  if (failed > 0) throw new Failure(`${workload}: ${failed} of ${requests} requests failed.`);
  if (requests < 0.95 * count * rate * seconds) {
    throw new Failure(`${workload}: the machine cannot do ${count * rate} requests/s.`);
  }
  return { gateway, postgres };
}
