// Measures the gateway past one process, one database and one machine: what a request costs there, beside the plain
// set-up. npm run bench:scale -- [workers] [pooler] [replicas] [citus] [--workloads W1,W2] [--rounds 3] [--seconds 3]
// [--out results] README.md has the rest. Without names all set-ups are measured, one after the other; what is not
// installed is named and left out.
import { mkdirSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GENERATORS, installedGenerator } from './lib/load.mjs';
import { checkAll, CONNECTIONS, deepestOf, measureAll } from './lib/measure.mjs';
import { readOptions, refuseUnknown } from './lib/options.mjs';
import { busySeconds, peakMiB, processesOf } from './lib/processes.mjs';
import { machine, machineText, writeResults } from './lib/report.mjs';
import { closeAll, Failure, run } from './lib/run.mjs';
import { boundsOf, partialSummaryOf, ratiosOf, scaleMarkdown } from './lib/scale-report.mjs';
import { SET_UPS } from './lib/set-ups.mjs';
import { WORKLOADS } from './lib/workloads.mjs';

const HERE = import.meta.dirname;
const DEFAULTS = {
  rounds: 3,
  seconds: 3,
  warm: 3,
  workloads: [],
  quick: false,
  generator: installedGenerator(),
  accounts: 1e4,
  beneficiaries: 4,
  transactions: 2e6,
  largest: 41e4,
  data: join(tmpdir(), 'tillgate-bench'),
  product: resolve(HERE, '..'),
  out: join(HERE, 'results'),
};
const QUICK = { rounds: 1, seconds: 2, warm: 1 };
const LOOK_MS = 3000;
/** Processors that others may use before the figures of this machine are marked. */
const BUSY = 0.15;

await run(async () => {
  const args = process.argv.slice(2);
  const first = args.findIndex(arg => arg.startsWith('-'));
  const named = args.slice(0, first < 0 ? args.length : first);
  const names = named.length > 0 ? named : Object.keys(SET_UPS);
  refuseUnknown(names, Object.keys(SET_UPS), 'set-ups');
  const asked = args.slice(named.length);
  const load = await loadBefore();
  let measured = 0;
  for (const name of names) {
    const setUp = SET_UPS[name];
    const options = readOptions({ ...DEFAULTS, ...setUp.defaults }, QUICK, asked);
    refuseUnknown([options.generator], GENERATORS, '--generator');
    refuseUnknown(options.workloads, Object.keys(WORKLOADS), '--workloads');
    const missing = await setUp.missing();
    if (missing) {
      console.log(`${name}: not measured. ${missing}`);
      continue;
    }
    await one(name, setUp, options, load);
    // The servers of one set-up would be in the way of the next.
    await closeAll();
    measured += 1;
  }
  if (measured === 0) throw new Failure('Nothing was measured.');
});

/** How busy others keep the machine before anything of ours runs. */
async function loadBefore() {
  const before = busySeconds();
  await sleep(LOOK_MS);
  const processors = ((busySeconds() - before) / LOOK_MS) * 1000;
  const load = { processors, average: loadavg()[0] };
  const text = `Before the start: others use ${processors.toFixed(2)} processors, load average ${load.average.toFixed(2)}.`;
  const advice = ' The machine is busy: compare CPU a request, and do not keep the requests/s.';
  console.log(processors > BUSY ? text + advice : text);
  return { ...load, busy: processors > BUSY };
}

async function one(name, setUp, options, load) {
  const { accounts, beneficiaries, transactions, largest, rounds, seconds, generator, workloads } = options;
  const data = resolve(options.data, [accounts, beneficiaries, transactions, largest].join('-'));
  const place = {
    root: options.product,
    data,
    logs: join(data, 'logs'),
    ranges: { accounts, deepest: deepestOf(largest) },
  };
  place.sizes = { accounts, beneficiaries, transactions, largest: [largest] };
  mkdirSync(place.logs, { recursive: true });
  const chosen = workloads.length > 0 ? workloads : setUp.workloads;
  console.log(`${name}: ${setUp.title}, ${chosen.join(', ')}`);

  const servers = await setUp.servers(place);
  const bench = { options, ranges: place.ranges, folder: place.logs };
  await checkAll(bench, chosen, servers);
  if (rounds === 0) return console.log(`${name}: everything is prepared, and nothing was measured.`);
  const measured = await measureAll(bench, chosen, servers);

  const results = measured.map(({ workload, rows }) => ({
    workload,
    rows: rows.map(({ server, rounds: each }) => ({
      server: server.name,
      summary: partialSummaryOf(each),
      ratios: ratiosOf(each, rows[0].rounds),
      rounds: each,
    })),
  }));
  const [{ site }] = servers;
  const { rows } = await site.db.query('SHOW server_version');
  const all = {
    name,
    title: setUp.title,
    date: new Date().toISOString(),
    machine: machine(),
    postgres: rows[0].server_version,
    load,
    sizes: place.sizes,
    rounds,
    seconds,
    generator,
    connections: CONNECTIONS,
    results,
    bounds: boundsOf(setUp.bound, results),
    memory: servers.map(({ name: server, parts: { gateway } }) => ({
      server,
      peakMiB: memoryOf(gateway[0]),
    })),
  };
  const text = scaleMarkdown(all, `${machineText(all.machine)}, PostgreSQL ${all.postgres}`);
  console.log(`\n${text}`);
  if (options.quick) return console.log('A quick run shows that everything works. Its figures are not kept.');
  return writeResults(options.out, `scale-${name}`, all, text);
}

/** Of all processes of a gateway together. */
function memoryOf(root) {
  return processesOf(root).reduce((sum, pid) => sum + peakMiB(pid), 0);
}
