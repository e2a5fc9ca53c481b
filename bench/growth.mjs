// What a row and a write take of the disk: bytes of each table and index, of the write-ahead log, of a statement, of a
// connection.
//   npm run growth -- [--accounts 1000] [--transactions 200000] [--writes 10000] [--out results]
// `model.mjs` reckons with what is written here.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { completeProgram, connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds, residentMiB } from './lib/processes.mjs';
import { openProduct, PROGRAM } from './lib/product.mjs';
import { digits, table, writeResults } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { grownBy, sizesMarkdown, tablesOf } from './lib/sizes.mjs';
import { ADD_BENEFICIARY, BENEFICIARY, during, posting } from './lib/writes.mjs';
import { accountId } from './make-ledger.mjs';

const MONTH = '2025-06';
/** Long enough for every write to end; `during` stops when none is left. */
const AT_MOST_SECONDS = 600;
const WARM = 500;
const IN_A_WEEK = new Date(Date.now() + 7 * 86_400_000).toISOString();

const HOLD = 'mutation ($a: ID!, $i: HoldInput!) { placeHold(input: { accountId: $a, hold: $i }) { hold { holdId } } }';
const hold = () => ({ holdId: randomUUID(), amount: '1.00', description: 'Fuel', expiresAt: IN_A_WEEK });
const one = accounts => accountId(1 + Math.floor(Math.random() * accounts));

await run(async () => {
  const options = readOptions({
    accounts: 1e3,
    transactions: 2e5,
    writes: 1e4,
    product: resolve(import.meta.dirname, '..'),
    out: join(import.meta.dirname, 'results'),
  });
  const { accounts, transactions, writes } = options;
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  const sizes = { accounts, beneficiaries: 4, transactions, largest: [100] };
  await importLedger(product, join(folder, 'files'), sizes);
  await db.query('VACUUM ANALYZE');
  const imported = await tablesOf(db);

  const gateway = await product.serve(folder);
  const kinds = {
    'a posting': () => posting(one(accounts)),
    'a posting of ten': () => posting(one(accounts), 10),
    'a beneficiary': () => [ADD_BENEFICIARY, { a: one(accounts), i: BENEFICIARY }],
    'a hold': () => [HOLD, { a: one(accounts), i: hold() }],
  };
  const each = { product, db, gateway };
  const commands = {};
  for (const [name, next] of Object.entries(kinds)) {
    await during(gateway, AT_MOST_SECONDS, limited(WARM, next));
    // A hold needs money, and an account takes a limited number of beneficiaries and of holds.
    const count = name === 'a posting' ? writes : Math.min(writes, accounts * 2);
    commands[name] = await costOf(each, count, next);
    console.log(`${name}: ${count} writes`);
  }
  const hot = await hotAccount(each, Math.min(writes, 5000));
  const first = await firstTouches(each, accounts);
  const memory = await memoryOf(each);
  const feed = await feedRate(db);
  const rebuilt = await rebuildRate(db);
  const statements = await statementsOf(each, folder);
  const results = {
    date: new Date().toISOString(),
    accounts,
    transactions,
    imported,
    commands,
    hot,
    first,
    statements,
    memory,
    feed,
    rebuilt,
  };
  writeResults(options.out, 'growth', results, markdownOf(results));
  console.log(markdownOf(results));
});

function limited(count, next) {
  let left = count;
  return () => (left-- > 0 ? next() : null);
}

/** Bytes of tables and of the log, and CPU, for one write of many. */
async function costOf({ product, db, gateway }, count, next) {
  await db.query('CHECKPOINT');
  const before = { tables: await tablesOf(db), log: await logOf(db), cpu: cpuSeconds(product.postgresPid) };
  const { writes, cpu } = await during(gateway, AT_MOST_SECONDS, limited(count, next));
  const postgres = cpuSeconds(product.postgresPid) - before.cpu;
  await db.query('VACUUM');
  const log = difference(await logOf(db), before.log, writes);
  return {
    writes,
    cpuGatewayMs: (cpu / writes) * 1e3,
    cpuPostgresMs: (postgres / writes) * 1e3,
    log,
    tables: grownBy(before.tables, await tablesOf(db), writes),
  };
}

/** Postings that all wait for the same account. */
async function hotAccount({ gateway }, count) {
  const { writes, took } = await during(
    gateway,
    AT_MOST_SECONDS,
    limited(count, () => posting(accountId(1))),
  );
  return { perSecond: writes / took };
}

/** All events get positions once more, in a transaction that is rolled back. */
async function feedRate(db) {
  await db.query(`BEGIN; SET LOCAL session_replication_role = replica; TRUNCATE feed;
    UPDATE feed_state SET position = 0, last_event_id = 0, missing = '{}', newly_missing = '{}'`);
  const started = performance.now();
  let last;
  do {
    [last] = (await db.query('SELECT last_position::float8 AS position, more FROM feed_advance(1000)')).rows;
  } while (last.more);
  const took = (performance.now() - started) / 1000;
  await db.query('ROLLBACK');
  return { events: last.position, perSecond: last.position / took };
}

/** How long a restored history is without its indexes. */
async function rebuildRate(db) {
  const { rows } = await db.query('SELECT count(*)::float8 AS count FROM transaction');
  const started = performance.now();
  await db.query('REINDEX TABLE transaction');
  return { perSecond: (rows[0].count / (performance.now() - started)) * 1000 };
}

/**
 * One posting on each account right after a checkpoint, when the log takes a copy of each page that is touched first.
 */
async function firstTouches(each, accounts) {
  const log = {};
  for (const compression of ['off', 'on']) {
    await each.db.query(`ALTER SYSTEM SET wal_compression = ${compression}`);
    await each.db.query('SELECT pg_reload_conf()');
    let n = 0;
    const next = () => posting(accountId(1 + n++));
    log[compression] = (await costOf(each, Math.min(accounts, 1000), next)).log;
  }
  await each.db.query('ALTER SYSTEM RESET wal_compression');
  return log;
}

async function logOf(db) {
  const { rows } = await db.query(
    'SELECT wal_records AS records, wal_fpi AS pages, wal_bytes::float8 AS bytes FROM pg_stat_wal',
  );
  return Object.fromEntries(Object.entries(rows[0]).map(([name, text]) => [name, Number(text)]));
}

function difference(after, before, writes) {
  return Object.fromEntries(Object.keys(after).map(name => [name, (after[name] - before[name]) / writes]));
}

/** A month's statements, one for each account, with the entries that this run has posted and imported. */
async function statementsOf({ product, db }, folder) {
  await completeProgram(product, folder);
  const before = await tablesOf(db);
  const { cpu } = await product.tillgate('statements', 'close', '--month', MONTH, '--program', PROGRAM);
  const { rows } = await db.query('SELECT count(*)::int AS count FROM statement');
  await db.query('VACUUM');
  const [{ count }] = rows;
  return { count, cpuMs: (cpu / count) * 1000, tables: grownBy(before, await tablesOf(db), count) };
}

/** Of the gateway, and of a connection: memory of its own, without what all share. */
async function memoryOf({ db, gateway }) {
  const { rows } = await db.query(
    `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tillgate%' AND backend_type = 'client backend'`,
  );
  const own = rows.map(({ pid }) => ownMiB(pid)).filter(Number.isFinite);
  return {
    gatewayMiB: residentMiB(gateway.pid),
    connections: own.length,
    connectionMiB: own.reduce((a, b) => a + b, 0) / own.length,
  };
}

function ownMiB(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return [...text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce((sum, [, kib]) => sum + Number(kib), 0) / 1024;
}

function markdownOf({ imported, commands, hot, first, statements, memory, feed, rebuilt }) {
  const kib = bytes => digits(bytes / 1024, 1);
  const writes = Object.entries(commands).map(([name, { log, tables, ...cpu }]) => [
    name,
    digits(
      Object.values(tables).reduce((sum, of) => sum + of.bytes, 0),
      0,
    ),
    digits(log.bytes, 0),
    digits(log.records, 1),
    digits(log.pages, 2),
    digits(cpu.cpuGatewayMs, 3),
    digits(cpu.cpuPostgresMs, 3),
  ]);
  return (
    [
      '# What rows and writes take',
      sizesMarkdown(imported),
      table(['', 'bytes in tables', 'bytes of log', 'records', 'page copies', 'gateway ms', 'PostgreSQL ms'], writes),
      `First posting of an account after a checkpoint: ${kib(first.off.bytes)} KiB of log with ${digits(first.off.pages, 1)} pages, ${kib(first.on.bytes)} KiB with wal_compression.`,
      `A statement: ${kib(Object.values(statements.tables).reduce((sum, of) => sum + of.bytes, 0))} KiB, ${digits(statements.cpuMs, 1)} ms of CPU.`,
      `One account: ${digits(hot.perSecond, 0)} postings a second. Feed: ${digits(feed.perSecond, 0)} events a second (${feed.events}). Indexes of the history: ${digits(rebuilt.perSecond, 0)} rows a second.`,
      `Memory: gateway ${digits(memory.gatewayMiB, 0)} MiB, each of ${memory.connections} connections ${digits(memory.connectionMiB, 1)} MiB.`,
    ].join('\n\n') + '\n'
  );
}
