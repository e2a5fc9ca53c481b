// The model: assumptions, and what follows from them at a number of accounts. Every line is one multiplication or
// division.
import { bytesIn, costs, PLANNED } from './model-inputs.mjs';
import { bytesOf } from './sizes.mjs';

export const ASSUMED = {
  years: { value: 2, text: 'years of transactions that are kept where they can be read at once' },
  'per-account': { value: 100, text: 'transactions of an account in these years' },
  reads: { value: 1, text: 'reads of an account in a day: three of ten W1, six W2, one W6' },
  writes: { value: 0.02, text: 'other writes of an account in a day, as dear as W7' },
  peak: { value: 5, text: 'peak of a day to its average' },
  customers: { value: 0.8, text: 'customers for each account' },
  statements: { value: 12, text: 'statements of an account in a year' },
  cores: { value: 32, text: 'processors of a database machine' },
  memory: { value: 256, text: 'GiB of memory of a database machine' },
  disk: { value: 8, text: 'TB of data on a database machine, at most' },
  network: { value: 1, text: 'GB a second from a backup or to a replica' },
};
export const [DAY, YEAR] = [86_400, 365 * 86_400];
const MIX = { W1: 0.3, W2: 0.6, W6: 0.1 };
export const KEYS_DAYS = 30;
export const TB = 1e12;

/**
 * What is used of the measurements, in bytes, milliseconds and events a second. null where something was not measured.
 */
export function unitsOf(measured) {
  const { growth } = measured;
  const of = costs(measured);
  if (!growth || !of.W1 || !of.W2 || !of.W6 || !of.W7) return null;
  const row = name => bytesOf(growth.imported[name]).all;
  const read = Object.entries(MIX).reduce(
    (sum, [workload, share]) => ({
      gateway: sum.gateway + share * of[workload].gateway,
      postgres: sum.postgres + share * of[workload].postgres,
    }),
    { gateway: 0, postgres: 0 },
  );
  const post = growth.commands['a posting'];
  const keyBytes = post.tables.idempotency_key.bytes;
  return {
    read,
    write: of.W7,
    posting: { gateway: post.cpuGatewayMs, postgres: post.cpuPostgresMs },
    transaction: bytesOf(growth.imported.transaction),
    key: keyBytes,
    // What a posting leaves for good: the transaction, its event, its place in the feed.
    kept: bytesIn(post.tables) - keyBytes,
    feedRow: post.tables.feed?.bytes ?? 0,
    log: post.log.bytes,
    coldLog: growth.first.off.bytes,
    account: row('account') + row('account_owner') + 4 * row('beneficiary'),
    customer: row('customer'),
    statement: bytesIn(growth.statements.tables),
    statementMs: growth.statements.cpuMs,
    feed: growth.feed.perSecond,
    hot: growth.hot.perSecond,
    connection: growth.memory.connectionMiB,
    rebuilt: growth.rebuilt.perSecond,
  };
}

/** Everything that follows at a number of accounts. */
export function needsAt(accounts, units, assumed) {
  const transactions = accounts * assumed['per-account'];
  const perSecond = {
    postings: transactions / (assumed.years * YEAR),
    reads: (accounts * assumed.reads) / DAY,
    writes: (accounts * assumed.writes) / DAY,
  };
  const peak = Object.fromEntries(Object.entries(perSecond).map(([name, rate]) => [name, rate * assumed.peak]));
  const cpu = part =>
    (peak.postings * units.posting[part] + peak.reads * units.read[part] + peak.writes * units.write[part]) /
    1000 /
    PLANNED;
  const bytes = {
    ledger: transactions * units.kept,
    keys: (perSecond.postings + perSecond.writes) * KEYS_DAYS * DAY * units.key,
    people: accounts * (units.account + assumed.customers * units.customer),
    documents: accounts * assumed.statements * assumed.years * units.statement,
  };
  const database = bytes.ledger + bytes.keys + bytes.people;
  const [gateway, postgres] = [cpu('gateway'), cpu('postgres')];
  const machines = Math.max(Math.ceil(database / (assumed.disk * TB)), Math.ceil(postgres / assumed.cores));
  return { accounts, transactions, perSecond, peak, bytes, database, gateway, postgres, machines };
}

/** How many times more PostgreSQL works for a request on two workers of Citus. null where that was not measured. */
export function shardedTimes(measured) {
  const of = workload => {
    const rows = measured['scale-citus']?.results.find(one => one.workload === workload)?.rows;
    const [plain, sharded] = [rows?.[0], rows?.at(-1)].map(row => row && row.summary.cpu - row.summary.parts.gateway);
    return sharded / plain;
  };
  const [read, write] = ['W2', 'W7'].map(of);
  return Number.isFinite(read + write) ? { read, write } : null;
}
