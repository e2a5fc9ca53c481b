// How fast the statements of a month are issued: accounts with about 50 entries each, so that a statement has two
// pages.
//   npm run statements -- [--statements 10000] [--entries 50]
import { join, resolve } from 'node:path';
import { inflateSync } from 'node:zlib';
import { completeProgram, connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct, PROGRAM } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const MONTH = '2025-06';
/** A day away from either end of the month, so that no time zone matters. */
const WITHIN_MONTH = { from: `${MONTH}-02`, days: 27 };
const LOOKED_AT = 20;

await run(async () => {
  const options = readOptions({ statements: 10_000, entries: 50, product: resolve(import.meta.dirname, '..') });
  const { statements, entries } = options;
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  await importLedger(product, join(folder, 'files'), {
    accounts: statements,
    transactions: statements * entries,
    beneficiaries: 0,
    largest: [entries],
    ...WITHIN_MONTH,
  });
  await db.query('VACUUM ANALYZE');
  await completeProgram(product, folder);

  const { output, cpu, peakMiB } = await product.tillgate(
    'statements',
    'close',
    '--month',
    MONTH,
    '--program',
    PROGRAM,
  );
  console.log(output);
  const [, issued, seconds] = /(\d+) issued .* in ([\d.]+) s/.exec(output) ?? [];
  if (Number(issued) !== statements) throw new Failure(`${statements} statements were due.`);
  const { pages, bytes } = await look(await product.serve(folder), statements);
  const perSecond = statements / Number(seconds);
  const cells = [digits(perSecond, 1), digits((cpu / statements) * 1000, 2), digits(peakMiB, 0), pages, bytes];
  console.log();
  console.log(
    table(
      ['', 'statements/s', 'CPU s/1000: command', 'peak MiB', 'mean pages', 'mean bytes'],
      [[`${statements} statements`, ...cells]],
    ),
  );
});

/** Downloads some, as a client would. Gives their mean number of pages, and their mean size. */
async function look({ url, authorization }, statements) {
  const get = path => fetch(new URL(path, url), { headers: { Authorization: authorization } });
  const pages = [];
  let bytes = 0;
  const looked = Math.min(LOOKED_AT, statements);
  for (let n = 1; n <= looked; n++) {
    const id = accountId(Math.ceil((n / looked) * statements));
    const query = `{ account(accountId: "${id}") { statements { nodes { downloadPath } } } }`;
    const answer = await fetch(new URL('/graphql', url), {
      method: 'POST',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const [statement] = (await answer.json()).data.account.statements.nodes;
    const pdf = Buffer.from(await (await get(statement.downloadPath)).arrayBuffer());
    bytes += pdf.length;
    pages.push(pagesOf(pdf));
  }
  const mean = total => total / pages.length;
  return { pages: digits(mean(pages.reduce((sum, count) => sum + count, 0)), 1), bytes: digits(mean(bytes), 0) };
}

/** Pages are among the objects that are compressed together. */
function pagesOf(pdf) {
  const streams = pdf.toString('latin1').matchAll(/\/Type\/ObjStm.*\/Length (\d+)>>\nstream\n/g);
  const objects = Array.from(streams, ({ 0: head, 1: length, index }) =>
    inflateSync(pdf.subarray(index + head.length, index + head.length + Number(length))).toString('latin1'),
  );
  return objects.join('\n').match(/\/Type\/Page\b/g)?.length ?? 0;
}
