// Measures the gateway beside other ways to serve the same rows from the same tables. README.md says what and how to read it.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { connectTo, importOnce } from './lib/data.mjs';
import { ask, few, GENERATORS, installedGenerator, load } from './lib/load.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds, peakMiB } from './lib/processes.mjs';
import { addressIn, openProduct } from './lib/product.mjs';
import { againstBefore, machine, markdownOf, summaryOf } from './lib/report.mjs';
import { Failure, ownChild, run } from './lib/run.mjs';
import { canonical, casesOf, REQUESTS, rightAnswer, WORKLOADS } from './lib/workloads.mjs';

const HERE = import.meta.dirname;
const KINDS = {
  tillgate: 'gateway',
  before: 'gateway',
  'a-limit': 'limit',
  'b-fastify': 'rest',
  'c-mercurius': 'graphql',
  'd-yoga': 'graphql',
  'e-postgraphile': 'postgraphile',
  'f-apollo': 'graphql',
};
const CONNECTIONS = 32;
/** Whoever needs longer for one request is sent a few instead of a load, since what queues up would take minutes. */
const SLOW_MS = 200;
const FEW = { requests: 8, connections: 2 };
const QUIET_MS = 60_000;
const REWARM_SECONDS = 1;

const DEFAULTS = {
  ...{ rounds: 5, seconds: 5, warm: 5, only: [], workloads: Object.keys(WORKLOADS), quick: false },
  generator: installedGenerator(),
  ...{ accounts: 10_000, beneficiaries: 4, transactions: 2_000_000, largest: 410_000 },
  ...{ data: join(tmpdir(), 'tillgate-bench'), product: resolve(HERE, '..'), before: '', out: join(HERE, 'results') },
};
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
  const product = await openProduct(options.product, data);
  const db = await connectTo(product.databaseUrl);
  await importOnce(product, db, data, { accounts, beneficiaries, transactions, largest: [largest] });
  await db.query(readFileSync(join(HERE, 'peers/tables.sql'), 'utf8'));

  const ranges = { accounts, deepest: deepestOf(largest) };
  const bench = { options, product, db, ranges, folder: join(data, 'logs') };
  mkdirSync(bench.folder, { recursive: true });
  const servers = [];
  for (const name of options.only) servers.push(await start(bench, name));
  await checkAll(bench, servers);
  const results = await measureAll(bench, servers);
  await report(bench, servers, results);
});

function refuseUnknown(names, known, option) {
  const unknown = names.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new Failure(`${option}: ${unknown.join(', ')}? There are ${known.join(', ')}.`);
}

/** Offsets of W5: the last 10,000 transactions of the large account, or where it is small its older half. */
function deepestOf(largest) {
  const first = largest > 20_000 ? largest - 10_000 : Math.ceil(largest / 20) * 10;
  return { first, last: first + Math.floor((largest - 10 - first) / 10) * 10 };
}

async function start({ product, folder, options }, name) {
  const kind = KINDS[name];
  const requests = REQUESTS[kind];
  const server = { name, kind, requests, slow: new Set(), answerBytes: {} };
  if (kind === 'gateway') {
    const of = name === 'before' ? { root: resolve(options.before) } : {};
    const { url, child, authorization } = await product.serve(join(folder, name), of);
    const withToken = Object.entries(requests).map(([workload, request]) => [
      workload,
      { ...request, headers: { Authorization: authorization, ...request.headers } },
    ]);
    return { ...server, url, child, requests: Object.fromEntries(withToken) };
  }
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'w');
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
    DATABASE_URL: product.databaseUrl,
  };
  const child = ownChild(
    spawn(process.execPath, [join(HERE, 'peers', `${name}.mjs`)], { env, stdio: ['pipe', log, log] }),
  );
  closeSync(log);
  return { ...server, child, url: await addressIn(logFile, child) };
}

// ---- Do all give the same rows?

async function checkAll(bench, servers) {
  // A run that was killed may have left something.
  await cleanUp(bench);
  const wrong = [];
  for (const workload of bench.options.workloads) {
    for (const server of servers.filter(({ requests }) => requests[workload])) {
      for (const values of casesOf(workload, bench.ranges)) {
        wrong.push(...(await check(bench, server, workload, values)));
      }
    }
  }
  await cleanUp(bench);
  if (wrong.length > 0) throw new Failure(`Wrong answers, so nothing was measured:\n${wrong.join('\n')}`);
  console.log(`All answers are right: ${servers.map(({ name }) => name).join(', ')}.`);
}

async function check({ db, ranges }, server, workload, values) {
  const target = { url: server.url, request: server.requests[workload], ranges };
  const wanted = await rightAnswer(db, workload, values);
  const wrong = why => [`${server.name} ${workload}: ${why}`];
  await ask(target, values);
  const started = performance.now();
  const { status, text } = await ask(target, values);
  if (performance.now() - started > SLOW_MS) server.slow.add(workload);
  if (status !== 200) return wrong(`status ${status}: ${text.slice(0, 500)}`);
  server.answerBytes[workload] = text.length;
  let given;
  try {
    given = canonical(target.request.read(JSON.parse(text)));
  } catch {
    return wrong(text.slice(0, 500));
  }
  if (workload === 'W7') return checkWrite(given, wanted, await ask(target, values), target, wrong);
  return isDeepStrictEqual(given, wanted) ? [] : wrong(difference(wanted, given));
}

/** The key was sent before, so all answers must name the one beneficiary that was added under it. */
function checkWrite({ beneficiaryId, ...given }, wanted, again, target, wrong) {
  const replayed = target.request.read(JSON.parse(again.text)).beneficiaryId;
  if (!beneficiaryId || replayed !== beneficiaryId) return wrong('the same key wrote twice');
  return isDeepStrictEqual(given, wanted) ? [] : wrong(difference(wanted, given));
}

function difference(wanted, given, path = '') {
  const bothObjects = [wanted, given].every(value => value !== null && typeof value === 'object');
  if (!bothObjects) return `${path || 'answer'}: ${JSON.stringify(wanted)} expected, ${JSON.stringify(given)} given`;
  const names = new Set([...Object.keys(wanted), ...Object.keys(given)]);
  const name = [...names].find(key => !isDeepStrictEqual(wanted[key], given[key]));
  return difference(wanted[name], given[name], `${path}/${name}`);
}

// ---- Load.

async function measureAll(bench, servers) {
  const { rounds, workloads, generator } = bench.options;
  console.log(
    `Rounds with ${generator}. Each line: requests/s, p50, p99 and p50 alone in ms, CPU s/1000 of server and PostgreSQL.`,
  );
  const results = workloads.map(workload => ({
    workload,
    rows: servers.filter(({ requests }) => requests[workload]).map(server => ({ server, rounds: [] })),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { workload, rows } of results) {
      for (const row of rows) {
        const figures = await measure(bench, row.server, workload, round);
        row.rounds.push(figures);
        const { perSecond, p50, p99, p50Alone, cpuServer, cpuPostgres } = figures;
        const text = [perSecond, p50, p99, p50Alone, cpuServer, cpuPostgres].map(number =>
          number.toFixed(3).padStart(10),
        );
        console.log(`round ${round + 1} ${workload} ${row.server.name.padEnd(15)}${text.join('')}`);
      }
    }
  }
  return results;
}

async function measure(bench, server, workload, round) {
  const { options, product, db, ranges, folder } = bench;
  const target = { url: server.url, request: server.requests[workload], ranges };
  const slow = server.slow.has(workload);
  const send = (connections, seconds, seed) =>
    slow
      ? few(target, connections === 1 ? { requests: 2, connections: 1 } : FEW)
      : load(target, { generator: options.generator, folder, connections, seconds, seed });
  if (!slow) await send(CONNECTIONS, round === 0 ? options.warm : REWARM_SECONDS, 100 + round);
  if (workload === 'W7') await cleanUp(bench);
  await quiet(db);

  const before = [cpuSeconds(server.child.pid), cpuSeconds(product.postgresPid)];
  const figures = await send(CONNECTIONS, options.seconds, 200 + round);
  const used = [cpuSeconds(server.child.pid), cpuSeconds(product.postgresPid)].map((after, n) => after - before[n]);
  await quiet(db);
  await refuseBad(bench, server, workload, figures);
  if (workload === 'W7') await cleanUp(bench);
  const alone = await send(1, Math.max(1, options.seconds / 5), 300 + round);
  if (workload === 'W7') await cleanUp(bench);

  const [cpuServer, cpuPostgres] = used.map(seconds => (seconds / figures.requests) * 1000);
  return {
    perSecond: figures.requests / figures.seconds,
    ...{ p50: figures.p50, p99: figures.p99, p50Alone: alone.p50 },
    ...{ cpuServer, cpuPostgres, cpu: cpuServer + cpuPostgres, few: slow },
  };
}

/** A server that answers with errors is fast. So every answer must be a success as long as the right ones, and every write a row. */
async function refuseBad({ db, options }, { name, kind, answerBytes }, workload, { requests, failed, bytes }) {
  const fail = why => {
    throw new Failure(`${name} ${workload}: ${why}, so the figures say nothing.`);
  };
  if (failed > 0) fail(`${failed} of ${requests} requests failed`);
  if (bytes / requests < answerBytes[workload] * 0.8) fail(`answers have ${Math.round(bytes / requests)} bytes`);
  if (workload !== 'W7') return;
  const text = kind === 'gateway' ? 'beneficiary WHERE position > $1' : 'peer_beneficiary WHERE position > 0 * $1::int';
  const { rows } = await db.query(`SELECT count(*)::int AS written FROM ${text}`, [options.beneficiaries]);
  if (rows[0].written < requests) fail(`${requests} answers, and ${rows[0].written} rows`);
}

/** Until PostgreSQL has done what the load before it has left behind: a closed connection ends no statement. */
async function quiet(db) {
  const giveUpAt = Date.now() + QUIET_MS;
  for (let calm = 0; calm < 3; await sleep(20)) {
    const { rows } = await db.query(`SELECT count(*)::int AS busy FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND (state IN ('active', 'idle in transaction') OR backend_type IN ('autovacuum worker', 'parallel worker'))`);
    calm = rows[0].busy === 0 ? calm + 1 : 0;
    if (Date.now() > giveUpAt) throw new Failure('PostgreSQL does not come to rest.');
  }
}

/** Takes away what was written. Events are append-only, and only the owner of the whole server can go round that. */
async function cleanUp({ db, options }) {
  await quiet(db);
  await db.query(`BEGIN; SET LOCAL session_replication_role = replica; TRUNCATE event, idempotency_key, peer_beneficiary, peer_key;
    DELETE FROM beneficiary WHERE position > ${options.beneficiaries}; COMMIT`);
  await db.query('VACUUM beneficiary');
}

// ---- What came out.

async function report({ options, db }, servers, measured) {
  const results = measured.map(({ workload, rows }) => ({
    workload,
    rows: rows.map(({ server, rounds }) => ({
      server: server.name,
      kind: server.kind,
      summary: summaryOf(rounds),
      rounds,
    })),
  }));
  const memory = servers.map(({ name, child }) => ({ server: name, peakMiB: peakMiB(child.pid) }));
  const { rows } = await db.query('SHOW server_version');
  const [here, date] = [machine(), new Date().toISOString()];
  const { accounts, beneficiaries, transactions, largest, rounds, seconds, generator } = options;
  const conditions = [
    `${here.cpus} CPUs (${here.model}), ${here.memoryGiB} GiB, ${here.platform}, Node.js ${here.node}, PostgreSQL ${rows[0].server_version}`,
    `${accounts} accounts with ${beneficiaries} beneficiaries each, ${transactions} transactions, ${largest} of them in one account`,
    `medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s with ${generator}, ${CONNECTIONS} connections; alone: 1 connection`,
  ];
  if (options.before) console.log(`\n${againstBefore(results)}`);
  const text = markdownOf({ title: `Tillgate beside others, ${date.slice(0, 10)}`, conditions, results, memory });
  console.log(`\n${text}`);
  if (options.quick) return console.log('A quick run shows that everything works. Its figures are not kept.');

  mkdirSync(options.out, { recursive: true });
  const file = freeName(options.out, date.slice(0, 10));
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  const sizes = { accounts, beneficiaries, transactions, largest };
  const all = { date, machine: here, packages: dependencies, sizes, rounds, seconds, generator, results, memory };
  writeFileSync(`${file}.json`, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(`${file}.md`, text);
  return console.log(`Written to ${file}.md and .json.`);
}

function freeName(folder, date) {
  for (let n = 1; ; n++) {
    const file = join(folder, n === 1 ? date : `${date}-${n}`);
    if (!existsSync(`${file}.json`)) return file;
  }
}
