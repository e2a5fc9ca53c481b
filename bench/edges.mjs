// The CPU that a page of 20 records takes of the gateway with one edge of each record, beside the page without it: 32
// clients read the pages of many accounts at once.
//   npm run edges -- [--seconds 6] [--accounts 200]
import { join, resolve } from 'node:path';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { during, posting } from './lib/writes.mjs';
import { accountId } from './make-ledger.mjs';

const PAGE = 20;
const WARM_SECONDS = 2;
const ROUNDS = 3;

/** Pages without an edge, and with each. */
const PAGES = {
  transactions: {
    page: edge =>
      `query ($a: ID!) { account(accountId: $a) { transactions(first: ${PAGE}) { nodes { transactionId amount balanceAfter postedAt description ${edge} } } } }`,
    edges: ['references { transactionId amount }', 'account { accountId currency }'],
  },
  accounts: {
    page: edge => `{ accounts(first: ${PAGE}) { nodes { accountId status owners { customerId ${edge} } } } }`,
    edges: ['customer { name { first last } }'],
  },
  events: {
    page: edge => `{ events(first: ${PAGE}) { nodes { eventId type occurredAt ${edge} } } }`,
    edges: ['account { accountId status }', 'audit { action subject }'],
  },
};

await run(async () => {
  const options = readOptions({ seconds: 6, accounts: 200, product: resolve(import.meta.dirname, '..') });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  const sizes = { accounts: options.accounts, beneficiaries: 0, transactions: 1, largest: [1] };
  await importLedger(product, join(folder, 'files'), sizes);
  const gateway = await product.serve(folder);
  await postReferences(gateway, options.accounts);
  await db.query('VACUUM ANALYZE');
  const queries = Object.entries(PAGES).flatMap(([name, { page, edges }]) =>
    ['', ...edges].map(edge => ({ name, edge, query: page(edge), cpu: 0, reads: 0 })),
  );
  // One after another in each round, so that a busy moment of the machine falls on all of them.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const one of queries) {
      let turn = 0;
      const next = () => [one.query, { a: accountId(1 + (turn++ % options.accounts)) }];
      const { writes: reads, cpu } = await during(gateway, round === 0 ? WARM_SECONDS : options.seconds / ROUNDS, next);
      if (round === 0) continue;
      one.cpu += cpu;
      one.reads += reads;
    }
  }
  const costOf = ({ cpu, reads }) => (cpu / reads) * 1000;
  const plain = new Map(queries.filter(({ edge }) => edge === '').map(one => [one.name, costOf(one)]));
  const rows = queries.map(one => [
    one.name,
    one.edge || 'none',
    digits(costOf(one), 3),
    digits(costOf(one) / plain.get(one.name), 2),
  ]);
  console.log(table(['page of 20', 'edge', 'CPU ms', 'of the page without'], rows));
});

/** Gives each account a page of transactions that refer to others of it. */
async function postReferences(gateway, accounts) {
  let account = 0;
  const next = () => {
    if (account === accounts) return null;
    account += 1;
    const [query, { a, t }] = posting(accountId(account), 2 * PAGE);
    const referring = t.map((one, n) =>
      n < PAGE ? one : { ...one, category: 'CHECK', referenceTransactionId: t[n - PAGE].transactionId },
    );
    return [query, { a, t: referring }];
  };
  const { writes } = await during(gateway, 60, next);
  if (writes < accounts) throw new Failure('The transactions were not posted in a minute.');
}
