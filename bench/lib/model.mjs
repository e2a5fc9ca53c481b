// The model: assumptions, what follows from them at four sizes, and where each thing ends. Every line is one multiplication or division.
import { bytesIn, costs, PLANNED } from './model-inputs.mjs';
import { digits, table } from './report.mjs';
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
const SIZES = [1e5, 1e7, 1e8, 1e9];
const [DAY, YEAR] = [86_400, 365 * 86_400];
const MIX = { W1: 0.3, W2: 0.6, W6: 0.1 };
/** PostgreSQL's: 2^32 pages of a table, transaction ids until it must freeze, and the whole of them. */
const [TABLE_BYTES, FREEZE_AT, IDS] = [2 ** 32 * 8192, 200e6, 2 ** 31];
const KEYS_DAYS = 30;
const [POOL, REST] = [10, 9];
const TB = 1e12;

export function assumptionsTable(assumed) {
  return table(
    ['option', 'value', 'meaning'],
    Object.entries(ASSUMED).map(([name, { text }]) => [`--${name}`, String(assumed[name]), text]),
  );
}

/** What is used of the measurements, in bytes, milliseconds and events a second. null where something was not measured. */
function unitsOf(measured) {
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
function needsAt(accounts, units, assumed) {
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

const power = number => `10^${Math.round(Math.log10(number))}`;
const size = bytes => (bytes >= 1e12 ? `${short(bytes / 1e12)} TB` : `${short(bytes / 1e9)} GB`);
const short = number =>
  number >= 100 ? Math.round(number).toLocaleString('en-US') : digits(number, number >= 10 ? 0 : number >= 1 ? 1 : 2);
const time = seconds =>
  seconds >= 2 * YEAR
    ? `${short(seconds / YEAR)} years`
    : seconds >= 2 * DAY
      ? `${short(seconds / DAY)} days`
      : seconds >= 7200
        ? `${short(seconds / 3600)} h`
        : `${short(seconds / 60)} min`;

export function needsTable(measured, assumed) {
  const units = unitsOf(measured);
  if (!units) return 'Not reckoned yet: the model needs the results of `workers` and `growth`.';
  const all = SIZES.map(accounts => needsAt(accounts, units, assumed));
  const line = (text, of) => [text, ...all.map(of)];
  return table(
    ['', ...all.map(({ accounts }) => `${power(accounts)} accounts`)],
    [
      line('transactions', one => power(one.transactions)),
      line(
        'postings a second, average and peak',
        one => `${short(one.perSecond.postings)}, ${short(one.peak.postings)}`,
      ),
      line('reads a second, average and peak', one => `${short(one.perSecond.reads)}, ${short(one.peak.reads)}`),
      line('cores for gateways at the peak', one => short(Math.ceil(one.gateway))),
      line('cores for PostgreSQL at the peak', one => short(Math.ceil(one.postgres))),
      line('ledger, events and feed with indexes', one => size(one.bytes.ledger)),
      line('of that, indexes of transactions', one => size(one.transactions * units.transaction.indexes)),
      line(`keys of ${KEYS_DAYS} days`, one => size(one.bytes.keys)),
      line('customers, accounts, beneficiaries', one => size(one.bytes.people)),
      line('statements as documents', one => size(one.bytes.documents)),
      line(
        'log at the peak, pages in memory or cold',
        one => `${size(one.peak.postings * units.log)}/s, ${size(one.peak.postings * units.coldLog)}/s`,
      ),
      line('database machines', one => short(one.machines)),
      line('further ones for statements', one => short(Math.ceil(one.bytes.documents / (assumed.disk * TB)))),
      line('connections without a pooler', one => short(Math.ceil(one.gateway) * (POOL + REST))),
      line('memory for these connections', one =>
        size(Math.ceil(one.gateway) * (POOL + REST) * units.connection * 2 ** 20),
      ),
      line('days of CPU for a monthly close, one core', one => short((one.accounts * units.statementMs) / 1000 / DAY)),
      line('a copy of one machine', one => time(one.database / one.machines / (assumed.network * 1e9))),
      line('freezing is due after, by machine', one =>
        time(FREEZE_AT / ((one.perSecond.postings + one.perSecond.writes) / one.machines)),
      ),
    ],
  );
}

/** Each limit, and the size or rate at which it is reached. */
export function endsTable(measured, assumed) {
  const units = unitsOf(measured);
  if (!units) return 'Not reckoned yet: the model needs the results of `workers` and `growth`.';
  const { read, posting, transaction, kept } = units;
  const accountsAt = postings => ((postings / assumed.peak) * assumed.years * YEAR) / assumed['per-account'];
  const rows = [
    [
      'one gateway process',
      `reads: 1000 x ${PLANNED} / ${digits(read.gateway, 3)} ms`,
      `${short((1000 * PLANNED) / read.gateway)} reads/s`,
    ],
    ['one account', 'measured: commands on one account follow each other', `${short(units.hot)} postings/s`],
    [
      'the feed, one row that all events pass',
      'measured',
      `${short(units.feed)} events/s, ${short(accountsAt(units.feed))} accounts`,
    ],
    [
      `PostgreSQL on ${assumed.cores} cores, postings`,
      `${assumed.cores} x ${PLANNED} x 1000 / ${digits(posting.postgres, 3)} ms`,
      `${short((assumed.cores * PLANNED * 1000) / posting.postgres)} postings/s`,
    ],
    [
      `PostgreSQL on ${assumed.cores} cores, reads`,
      `${assumed.cores} x ${PLANNED} x 1000 / ${digits(read.postgres, 3)} ms`,
      `${short((assumed.cores * PLANNED * 1000) / read.postgres)} reads/s`,
    ],
    [
      'indexes of transactions in memory',
      `${assumed.memory} GiB / ${digits(transaction.indexes, 0)} bytes`,
      `${short((assumed.memory * 2 ** 30) / transaction.indexes / 1e6)} million transactions`,
    ],
    [
      'one disk',
      `${assumed.disk} TB / ${digits(kept, 0)} bytes`,
      `${short((assumed.disk * TB) / kept / 1e9)} billion transactions`,
    ],
    [
      'a table of PostgreSQL',
      `2^32 pages of 8 KiB / ${digits(transaction.heap, 0)} bytes`,
      `${short(TABLE_BYTES / transaction.heap / 1e9)} billion transactions`,
    ],
    [
      'statements in the database',
      `${assumed.disk} TB / ${digits(units.statement / 1024, 1)} KiB`,
      `${short((assumed.disk * TB) / units.statement / 1e6)} million statements`,
    ],
    [
      'customers on every machine',
      `a tenth of ${assumed.disk} TB / ${digits(units.customer, 0)} bytes`,
      `${short((assumed.disk * TB) / 10 / units.customer / 1e6)} million customers`,
    ],
    [
      'the feed on one machine',
      `${assumed.disk} TB / ${digits(units.feedRow, 0)} bytes`,
      `${short((assumed.disk * TB) / units.feedRow / 1e9)} billion events`,
    ],
    [
      'transaction ids between two freezes',
      `${short(IDS)} at the postings/s of one machine`,
      time(IDS / ((assumed.cores * PLANNED * 1000) / posting.postgres)),
    ],
    ['numbers of events, positions (2^63)', 'at a million a second', time(2 ** 63 / 1e6)],
    [
      'indexes built after a logical restore, one core',
      `${assumed.disk} TB of transactions at ${short(units.rebuilt)} rows/s`,
      time((assumed.disk * TB) / transaction.all / units.rebuilt),
    ],
  ];
  return table(['what ends', 'arithmetic', 'at'], rows);
}
