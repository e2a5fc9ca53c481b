// How fast an import of transactions is, beside a bare COPY of the same rows.
//   npm run import -- [--transactions 300000] [--accounts 1000] [--rounds 3] [--out results]
// A COPY checks nothing and records nothing. It writes into a table with the columns, indexes and constraints of the
// ledger, without its triggers and foreign keys. The rate of the import is the one that the command tells, without the
// start of its process.
import { join, resolve } from 'node:path';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, median, table, whole, writeResults } from './lib/report.mjs';
import { run } from './lib/run.mjs';

await run(async () => {
  const options = readOptions({
    accounts: 1e3,
    transactions: 3e5,
    rounds: 3,
    product: resolve(import.meta.dirname, '..'),
    out: join(import.meta.dirname, 'results'),
  });
  const { accounts, transactions, rounds } = options;
  const results = [];
  for (let n = 0; n < rounds; n += 1) {
    const folder = folderForThisRun();
    const product = await openProduct(options.product, folder);
    const db = await connectTo(product.databaseUrl);
    const before = cpuSeconds(product.postgresPid);
    const said = await importLedger(product, join(folder, 'files'), {
      accounts,
      beneficiaries: 1,
      transactions,
      largest: [],
    });
    const { output, cpu, peakMiB } = said.transactions;
    const perSecond = Number(/\((\d+) rows\/s\)/.exec(output.replaceAll(',', ''))[1]);
    const postgres = cpuSeconds(product.postgresPid) - before;
    const copyPerSecond = transactions / (await copied(db));
    results.push({ perSecond, copyPerSecond, ratio: perSecond / copyPerSecond, cpu, postgres, peakMiB });
    console.log(`round ${n + 1}: ${output}`);
  }
  const of = name => median(results.map(one => one[name]));
  const markdown = table(
    ['', 'rows/s', 'to COPY', 'CPU us/row', 'peak MiB'],
    [
      [
        'import',
        whole(of('perSecond')),
        digits(of('ratio'), 2),
        digits((of('cpu') / transactions) * 1e6, 1),
        whole(of('peakMiB')),
      ],
      ['COPY', whole(of('copyPerSecond')), '1.00', '', ''],
    ],
  );
  writeResults(options.out, 'import', { date: new Date().toISOString(), accounts, transactions, results }, markdown);
  console.log(markdown);
});

/** Seconds of a COPY of the rows that are on record, from a file of the server. */
async function copied(db) {
  const [{ file }] = (await db.query(`SELECT current_setting('data_directory') || '/copied' AS file`)).rows;
  await db.query(`COPY transaction TO '${file}'`);
  await db.query('CREATE TABLE copied (LIKE transaction INCLUDING ALL)');
  await db.query('CHECKPOINT');
  const started = performance.now();
  await db.query(`COPY copied FROM '${file}'`);
  return (performance.now() - started) / 1000;
}
