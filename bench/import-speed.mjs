// What an import of transactions costs, against a bare COPY of the same rows into a table with the same columns,
// indexes and checks.
//   npm run import-speed -- [--transactions 2000000] [--accounts 2000] [--largest 500000] [--copies 3]
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, median, table } from './lib/report.mjs';
import { run } from './lib/run.mjs';

await run(async () => {
  const options = readOptions({
    transactions: 2e6,
    accounts: 2e3,
    largest: 5e5,
    copies: 3,
    product: resolve(import.meta.dirname, '..'),
  });
  const { transactions, accounts, largest, copies } = options;
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  const sizes = { transactions, accounts, beneficiaries: 0, largest: [largest] };
  const said = await importLedger(product, join(folder, 'files'), sizes);
  console.log(said.transactions.output);

  const [, seconds] = /in ([\d.]+) s/.exec(said.transactions.output);
  const imported = transactions / Number(seconds);
  const copied = transactions / median(await timesOfCopy(db, copies));
  const whole = number => digits(number, 0);
  const { cpu, peakMiB } = said.transactions;
  console.log();
  console.log(
    table(
      ['', 'rows/s', 'of COPY', 'CPU s', 'peak MiB'],
      [
        ['tillgate import transactions', whole(imported), digits(imported / copied, 2), digits(cpu, 1), whole(peakMiB)],
        [`bare COPY (median of ${copies})`, whole(copied), '1.00', '-', '-'],
      ],
    ),
  );
});

/** Seconds of each copy. The rows are read into memory before, so that only the writing is measured. */
async function timesOfCopy(db, copies) {
  const { rows } =
    await db.query(`SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names FROM pg_attribute
    WHERE attrelid = 'transaction'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`);
  const columns = rows[0].names;
  const text = [];
  const ordered = `SELECT ${columns} FROM transaction ORDER BY occurred_at, transaction_id`;
  for await (const chunk of db.query(copyTo(`COPY (${ordered}) TO STDOUT`))) text.push(chunk);
  const times = [];
  for (let n = 0; n < copies; n++) {
    await db.query(
      'CREATE TABLE bare (LIKE transaction INCLUDING ALL, FOREIGN KEY (account_id) REFERENCES account (account_id))',
    );
    await db.query('CHECKPOINT');
    const started = performance.now();
    await pipeline(text, db.query(copyFrom(`COPY bare (${columns}) FROM STDIN`)));
    times.push((performance.now() - started) / 1000);
    await db.query('DROP TABLE bare');
  }
  return times;
}
