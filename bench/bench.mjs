// Measures the gateway beside other ways to serve the same rows from the same tables. README.md says what and how to
// read it.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectTo, importOnce, newestMigration } from './lib/data.mjs';
import { GENERATORS, installedGenerator } from './lib/load.mjs';
import { checkAll, CONNECTIONS, deepestOf, gatewayServer, measureAll, serverOf } from './lib/measure.mjs';
import { readOptions, refuseUnknown } from './lib/options.mjs';
import { peakMiB } from './lib/processes.mjs';
import { NODE_FLAGS, addressIn, openPostgres, openProduct, productOn } from './lib/product.mjs';
import { mustKeep, record } from './lib/recorded.mjs';
import { againstBefore, machine, machineText, markdownOf, summaryOf, writeResults } from './lib/report.mjs';
import { Failure, ownChild, run } from './lib/run.mjs';
import { REQUESTS, WORKLOADS } from './lib/workloads.mjs';

const HERE = import.meta.dirname;
const KINDS = {
  tillgate: 'gateway',
  before: 'gateway',
  'a-limit': 'limit',
  'b-fastify': 'rest',
  'c-mercurius': 'graphql',
  'c-mercurius-plans': 'graphql',
  'd-yoga': 'graphql',
  'e-postgraphile': 'postgraphile',
  'f-apollo': 'graphql',
};
const DEFAULTS = {
  rounds: 5,
  seconds: 5,
  warm: 5,
  only: [],
  workloads: Object.keys(WORKLOADS),
  quick: false,
  busy: 0,
  record: false,
  check: false,
  generator: installedGenerator(),
  accounts: 1e4,
  beneficiaries: 4,
  transactions: 2e6,
  largest: 41e4,
  data: join(tmpdir(), 'tillgate-bench'),
  product: resolve(HERE, '..'),
  before: '',
  out: join(HERE, 'results'),
};
/** Peers that are another one with other settings: its file, and what it gets in its environment. */
const VARIANTS = { 'c-mercurius-plans': { file: 'c-mercurius', env: { PLANS: 'default' } } };
const QUICK = { rounds: 1, seconds: 3, warm: 1 };

await run(async () => {
  const options = readOptions(DEFAULTS, QUICK);
  if (options.only.length === 0) options.only = Object.keys(KINDS);
  options.only = options.only.filter(name => name !== 'before');
  // The build before stands beside this one, so that each round measures both.
  if (options.before) options.only.splice(options.only.indexOf('tillgate') + 1, 0, 'before');
  refuseUnknown([options.generator], GENERATORS, '--generator');
  refuseUnknown(options.only, Object.keys(KINDS), '--only');
  refuseUnknown(options.workloads, Object.keys(WORKLOADS), '--workloads');
  if (Math.min(options.accounts, options.largest) < 100) throw new Failure('--accounts and --largest: 100 at least.');

  const { accounts, beneficiaries, transactions, largest } = options;
  const data = resolve(options.data, [accounts, beneficiaries, transactions, largest].join('-'));
  const sizes = { accounts, beneficiaries, transactions, largest: [largest] };
  const product = await openProduct(options.product, data);
  const db = await connectTo(product.databaseUrl);
  await importOnce(product, db, data, sizes);
  await db.query(readFileSync(join(HERE, 'peers/tables.sql'), 'utf8'));
  const site = { db, nodes: [db], peerTables: ['peer_beneficiary', 'peer_key'] };
  const before = options.before ? await openBefore({ product, site }, data, sizes, options) : null;

  const bench = { options, product, site, before, ranges: { accounts, deepest: deepestOf(largest) } };
  bench.folder = join(data, 'logs');
  mkdirSync(bench.folder, { recursive: true });
  const servers = [];
  for (const name of options.only) servers.push(await start(bench, name));
  await checkAll(bench, options.workloads, servers);
  const strangers = Array.from({ length: options.busy }, compute);
  const results = await measureAll(bench, options.workloads, servers);
  for (const stranger of strangers) stranger.kill();
  await report(bench, servers, results);
});

/**
 * The build before has rows of its own if it has other migrations: it could not run on tables that this one has
 * changed.
 */
async function openBefore(now, data, sizes, { product: root, before }) {
  const [newest, old] = [root, before].map(newestMigration);
  if (newest === old) return { ...now, root: resolve(before) };
  const database = `bench_${old.replace(/^Migration(\d+).*$/, '$1')}`;
  const product = await productOn(before, data, await openPostgres(before, data, database));
  const db = await connectTo(product.databaseUrl);
  await importOnce(product, db, data, sizes, `imported-${database}`);
  return { product, site: { db, nodes: [db] }, root: resolve(before) };
}

/** A process that computes, as others do on a machine that a server is not alone on. */
function compute() {
  return ownChild(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
}

async function start({ product, before, site, folder }, name) {
  const kind = KINDS[name];
  if (kind === 'gateway') {
    const of = name === 'before' ? before : { product, site };
    const gateway = await of.product.serve(join(folder, name), { root: of.root });
    return gatewayServer(name, gateway, of.site, { PostgreSQL: [product.postgresPid] });
  }
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
    DATABASE_URL: product.databaseUrl,
  };
  const { file = name, env: more = {} } = VARIANTS[name] ?? {};
  const program = [...NODE_FLAGS, join(HERE, 'peers', `${file}.mjs`)];
  const child = ownChild(spawn(process.execPath, program, { env: { ...env, ...more }, stdio: ['pipe', log, log] }));
  closeSync(log);
  const parts = { server: [child.pid], PostgreSQL: [product.postgresPid] };
  return serverOf({ name, kind, requests: REQUESTS[kind], url: await addressIn(logFile, child), site, parts });
}

// ---- What came out.

async function report({ options, site }, servers, measured) {
  const results = measured.map(({ workload, rows }) => ({
    workload,
    rows: rows.map(({ server, rounds }) => ({
      server: server.name,
      kind: server.kind,
      summary: summaryOf(rounds),
      rounds,
    })),
  }));
  const memory = servers.map(({ name, parts }) => ({ server: name, peakMiB: peakMiB(Object.values(parts)[0][0]) }));
  const { rows } = await site.db.query('SHOW server_version');
  const [here, date] = [machine(), new Date().toISOString()];
  const { accounts, beneficiaries, transactions, largest, rounds, seconds, generator, busy } = options;
  const conditions = [
    `${machineText(here)}, PostgreSQL ${rows[0].server_version}`,
    `${accounts} accounts with ${beneficiaries} beneficiaries each, ${transactions} transactions, ${largest} of them in one account`,
    `medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s with ${generator}, ${CONNECTIONS} connections; alone: 1 connection`,
    ...(options.busy > 0 ? [`beside ${options.busy} other processes that compute`] : []),
  ];
  if (options.before) console.log(`\n${againstBefore(results)}`);
  const text = markdownOf({ title: `Tillgate beside others, ${date.slice(0, 10)}`, conditions, results, memory });
  console.log(`\n${text}`);
  if (options.quick) return console.log('A quick run shows that everything works. Its figures are not kept.');

  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  const sizes = { accounts, beneficiaries, transactions, largest };
  const all = { date, machine: here, packages: dependencies, sizes, rounds, seconds, generator, busy, results, memory };
  if (options.record) record(results);
  if (options.check) mustKeep(results);
  return writeResults(options.out, date.slice(0, 10), all, text);
}
