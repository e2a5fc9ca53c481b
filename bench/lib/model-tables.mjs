// Tables of the model, for docs/scale.md: the steps, what is needed at four sizes, and where each thing ends.
import { PLANNED } from './model-inputs.mjs';
import { ASSUMED, DAY, KEYS_DAYS, needsAt, shardedTimes, TB, unitsOf, YEAR } from './model.mjs';
import { digits, table } from './report.mjs';
import { power, short, size, time, whole } from './words.mjs';

const SIZES = [1e5, 1e7, 1e8, 1e9];
/** PostgreSQL's: 2^32 pages of a table, transaction ids until it must freeze, and the whole of them. */
const [TABLE_BYTES, FREEZE_AT, IDS] = [2 ** 32 * 8192, 200e6, 2 ** 31];
/** Connections of a gateway process at most, for requests and for the rest. */
const [POOL, REST] = [10, 10];
/** From so many connections on a server works better behind a pooler. */
const MANY_CONNECTIONS = 300;
const NOT_YET = 'Not reckoned yet: the model needs the results of `workers` and `growth`.';

export function assumptionsTable(assumed) {
  return table(
    ['option', 'value', 'meaning'],
    Object.entries(ASSUMED).map(([name, { text }]) => [`--${name}`, String(assumed[name]), text]),
  );
}

export function needsTable(measured, assumed) {
  const units = unitsOf(measured);
  if (!units) return NOT_YET;
  const all = SIZES.map(accounts => needsAt(accounts, units, assumed));
  const sharded = shardedTimes(measured);
  const shardedCores = ({ peak }) =>
    (peak.reads * units.read.postgres * sharded.read +
      (peak.postings * units.posting.postgres + peak.writes * units.write.postgres) * sharded.write) /
    1000 /
    PLANNED;
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
      line('events a second in the feed, peak', one => short(one.peak.postings + one.peak.writes)),
      line('cores for gateways at the peak', one => whole(one.gateway)),
      line('cores for PostgreSQL at the peak', one => whole(one.postgres)),
      line('the same, sharded by Citus', one => (sharded ? whole(shardedCores(one)) : '-')),
      line('ledger, events and feed with indexes', one => size(one.bytes.ledger)),
      line('of that, indexes of transactions', one => size(one.transactions * units.transaction.indexes)),
      line(`keys of ${KEYS_DAYS} days`, one => size(one.bytes.keys)),
      line('customers, accounts, beneficiaries', one => size(one.bytes.people)),
      line('statements as documents', one => size(one.bytes.documents)),
      line(
        'log at the peak, pages in memory or cold',
        one => `${size(one.peak.postings * units.log)}/s, ${size(one.peak.postings * units.coldLog)}/s`,
      ),
      line('database machines', one => whole(one.machines)),
      line('further ones for statements', one => whole(one.bytes.documents / (assumed.disk * TB))),
      line('connections without a pooler', one => whole(Math.ceil(one.gateway) * (POOL + REST))),
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

/** Up to how many accounts each step goes, by what ends first. */
export function stepsTable(measured, assumed) {
  const units = unitsOf(measured);
  if (!units) return NOT_YET;
  const one = needsAt(1e9, units, assumed);
  const each = Object.fromEntries(['gateway', 'postgres', 'database'].map(name => [name, one[name] / 1e9]));
  const documents = one.bytes.documents / 1e9;
  const readCores = (one.peak.reads * units.read.postgres) / 1000 / PLANNED / 1e9;
  const { cores, disk } = assumed;
  const processes = MANY_CONNECTIONS / (POOL + REST);
  const rows = [
    ['one process, one database', 'one core of gateway', 1 / each.gateway],
    ['`WORKERS`, one machine', `${cores} cores for both`, cores / (each.gateway + each.postgres)],
    ['gateways elsewhere, direct connections', `${MANY_CONNECTIONS} connections`, processes / each.gateway],
    ['a pooler, statements in the database', `${disk} TB with documents`, (disk * TB) / (each.database + documents)],
    ['documents out of the database', `${disk} TB without documents`, (disk * TB) / each.database],
    ['one PostgreSQL by its CPU', `${cores} cores of PostgreSQL`, cores / each.postgres],
    ['replicas for all reads', `${cores} cores for what writes`, cores / (each.postgres - readCores)],
  ];
  return table(
    ['up to', 'ends at', 'accounts', 'transactions', 'reads/s at the peak', 'postings/s at the peak'],
    rows.map(([name, end, accounts]) => {
      const { transactions, peak } = needsAt(accounts, units, assumed);
      return [name, end, ...[accounts, transactions, peak.reads, peak.postings].map(short)];
    }),
  );
}

/** Each limit, and the size or rate at which it is reached. */
export function endsTable(measured, assumed) {
  const units = unitsOf(measured);
  if (!units) return NOT_YET;
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
      `${short((assumed.memory * 2 ** 30) / transaction.indexes)} transactions`,
    ],
    ['one disk', `${assumed.disk} TB / ${digits(kept, 0)} bytes`, `${short((assumed.disk * TB) / kept)} transactions`],
    [
      'a table of PostgreSQL',
      `2^32 pages of 8 KiB / ${digits(transaction.heap, 0)} bytes`,
      `${short(TABLE_BYTES / transaction.heap)} transactions`,
    ],
    [
      'statements in the database',
      `${assumed.disk} TB / ${digits(units.statement / 1024, 1)} KiB`,
      `${short((assumed.disk * TB) / units.statement)} statements`,
    ],
    [
      'customers on every machine',
      `a tenth of ${assumed.disk} TB / ${digits(units.customer, 0)} bytes`,
      `${short((assumed.disk * TB) / 10 / units.customer)} customers`,
    ],
    [
      'the feed on one machine',
      `${assumed.disk} TB / ${digits(units.feedRow, 0)} bytes`,
      `${short((assumed.disk * TB) / units.feedRow)} events`,
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
