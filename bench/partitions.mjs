// What a history costs that is partitioned by year, beside the one table: pages, a look-up by id, a posting, and taking
// a year away.
//   npm run partitions -- [--accounts 2000] [--transactions 400000] [--years 10] [--out results]
// A trial on a copy. The tables of the gateway stay as they are.
import { join, resolve } from 'node:path';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, median, table, writeResults } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const FROM = 2016;
const TRIES = 400;
/** The key of a partitioned table has to hold what it is partitioned by, so neither key is what it was. */
const KEYS = [
  'PRIMARY KEY (account_id, seq, year)',
  'UNIQUE (account_id, transaction_id, year)',
  'FOREIGN KEY (account_id) REFERENCES account (account_id)',
];
const INDEXES = [
  '(program, occurred_at, account_id, seq)',
  '(account_id, transaction_type, seq)',
  '(account_id, posted_timestamp, seq) INCLUDE (transaction_type, category, status, debit_credit_memo, amount_minor)',
];

await run(async () => {
  const options = readOptions({
    accounts: 2e3,
    transactions: 4e5,
    years: 10,
    product: resolve(import.meta.dirname, '..'),
    out: join(import.meta.dirname, 'results'),
  });
  const { accounts, transactions, years } = options;
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  const sizes = { accounts, beneficiaries: 0, transactions, largest: [100], from: `${FROM}-01-01`, days: 365 * years };
  await importLedger(product, join(folder, 'files'), sizes);
  await makeCopies(db, years);

  const rows = [];
  for (const [name, text, values] of questions()) {
    const figures = { name };
    // In turns, so that a busy moment of the machine falls on both.
    for (const target of ['one', 'by_year']) figures[target] = await costOf(db, text(target), values, accounts);
    rows.push(figures);
  }
  const removal = await removalOf(db);
  const text = markdownOf(rows, removal);
  console.log(text);
  writeResults(
    options.out,
    'partitions',
    { date: new Date().toISOString(), accounts, transactions, years, rows, removal },
    text,
  );
});

async function makeCopies(db, years) {
  await db.query('ALTER DATABASE bench SET plan_cache_mode = force_generic_plan');
  await db.query('SET plan_cache_mode = force_generic_plan');
  for (const [name, by] of Object.entries({ one: '', by_year: 'PARTITION BY LIST (year)' })) {
    await db.query(`CREATE TABLE ${name} (LIKE transaction, year int NOT NULL) ${by}`);
    if (by) {
      for (let n = 0; n <= years; n++) {
        await db.query(`CREATE TABLE ${name}_${FROM + n} PARTITION OF ${name} FOR VALUES IN (${FROM + n})`);
      }
    }
    await db.query(
      `INSERT INTO ${name} SELECT *, date_part('year', occurred_at)::int FROM transaction ORDER BY occurred_at`,
    );
    const keys = by ? KEYS : KEYS.map(text => text.replace(', year', ''));
    const changes = [
      ...keys.map(key => `ALTER TABLE ${name} ADD ${key}`),
      ...INDEXES.map(of => `CREATE INDEX ON ${name} ${of}`),
    ];
    for (const change of changes) await db.query(change);
  }
  await db.query('CREATE SEQUENCE posted START 1000000');
  await db.query('VACUUM ANALYZE one');
  await db.query('VACUUM ANALYZE by_year');
}

/** Statements over an account, with other values after its id. */
function questions() {
  return [
    ['a first page', of => `SELECT * FROM ${of} WHERE account_id = $1 ORDER BY seq DESC LIMIT 10`, []],
    [
      'a page by its numbers',
      of => `SELECT * FROM ${of} WHERE account_id = $1 AND seq BETWEEN $2 AND $2 + 9 ORDER BY seq DESC`,
      [50],
    ],
    [
      'the same, year known',
      of => `SELECT * FROM ${of} WHERE account_id = $1 AND year = $3 AND seq BETWEEN $2 AND $2 + 9 ORDER BY seq DESC`,
      [50, FROM + 2],
    ],
    ['one transaction by id', of => `SELECT * FROM ${of} WHERE account_id = $1 AND transaction_id = $2`, ['T1']],
    [
      'a month',
      of => `SELECT * FROM ${of} WHERE account_id = $1 AND posted_timestamp >= $2 AND posted_timestamp < $3`,
      [`${FROM + 2}-03-01`, `${FROM + 2}-04-01`],
    ],
    [
      'a posting',
      of =>
        `INSERT INTO ${of} SELECT (jsonb_populate_record(o, jsonb_build_object('seq', nextval('posted'), 'transaction_id', gen_random_uuid()))).*
          FROM ${of} o WHERE account_id = $1 AND year = ${FROM} LIMIT 1`,
      [],
    ],
  ];
}

/** Medians of many accounts: microseconds of execution, and pages that were read. */
async function costOf(db, text, values, accounts) {
  const times = [];
  const pages = [];
  await db.query(`DEALLOCATE ALL`);
  const types = [
    'text',
    ...values.map(value => (typeof value === 'number' ? 'int' : /^\d{4}-/.test(value) ? 'timestamptz' : 'text')),
  ];
  await db.query(`PREPARE question (${types.join(', ')}) AS ${text}`);
  for (let n = 0; n < TRIES; n++) {
    const given = [accountId(2 + ((n * 97) % (accounts - 1))), ...values].map(value =>
      typeof value === 'number' ? value : `'${value}'`,
    );
    const { rows } = await db.query(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE question (${given.join(', ')})`,
    );
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
    if (n < TRIES / 4) continue;
    times.push(ms * 1000);
    pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
  }
  return { us: median(times), pages: median(pages) };
}

/** The oldest full year: deleted from one table, and taken out of the other. */
async function removalOf(db) {
  const timed = async text => {
    const [before, started] = [await logOf(db), performance.now()];
    await db.query(text);
    return { ms: performance.now() - started, log: (await logOf(db)) - before };
  };
  const deleted = await timed(`DELETE FROM one WHERE year = ${FROM}`);
  const vacuumed = await timed('VACUUM one');
  const detached = await timed(`ALTER TABLE by_year DETACH PARTITION by_year_${FROM}; DROP TABLE by_year_${FROM}`);
  return { deleted, vacuumed, detached };
}

async function logOf(db) {
  const { rows } = await db.query(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes`);
  return rows[0].bytes;
}

function markdownOf(rows, removal) {
  const mib = bytes => digits(bytes / 2 ** 20, 1);
  const cells = rows.map(({ name, one, by_year: parts }) => [
    name,
    ...[one.us, parts.us].map(us => digits(us, 0)),
    `${digits(parts.us / one.us, 1)}x`,
    ...[one.pages, parts.pages].map(pages => digits(pages, 0)),
  ]);
  const gone = Object.entries(removal).map(([name, { ms, log }]) => [name, digits(ms, 0), mib(log)]);
  return (
    [
      '# One table, and one partition a year',
      table(['', 'one: µs', 'by year: µs', 'ratio', 'one: pages', 'by year: pages'], cells),
      table(['the oldest year', 'ms', 'MiB of log'], gone),
    ].join('\n\n') + '\n'
  );
}
