// What a page of a history costs in accounts of 10,000, 100,000, 1,000,000 ... transactions: over REST, one request at
// a time.
//   npm run cost-by-size -- [--most 1000000] [--requests 300] [--data DIR]
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connectTo, importOnce } from './lib/data.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, median, table } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';
import { accountId } from './make-ledger.mjs';

const LEAST = 10_000;
const MOST = 10_000_000;
const OTHERS = { accounts: 100, transactions: 1000 };
/** No cell of the table takes longer, whatever its requests cost. */
const SECONDS_A_PAGE = 10;

const PAGES = {
  'first page': () => 'offSet=0',
  'deep page': size => `offSet=${size - 10}`,
  'one type (a sixth of all)': () => 'transactionType=FEE',
  'one month (of 24)': () => 'startTime=2024-05-01&endTime=2024-05-31',
  'one type in one month': () => 'startTime=2024-05-01&endTime=2024-05-31&transactionType=FEE',
};

await run(async () => {
  const options = readOptions({
    most: 1e6,
    requests: 300,
    data: join(tmpdir(), 'tillgate-bench'),
    product: resolve(import.meta.dirname, '..'),
  });
  const { most, requests } = options;
  if (most < LEAST || most > MOST) throw new Failure(`--most must be from ${LEAST} to ${MOST}.`);
  const sizes = [];
  for (let size = LEAST; size <= most; size *= 10) sizes.push(size);

  const data = resolve(options.data, `by-size-${sizes.at(-1)}`);
  const product = await openProduct(options.product, data);
  await importOnce(product, await connectTo(product.databaseUrl), data, {
    accounts: sizes.length + OTHERS.accounts,
    beneficiaries: 0,
    transactions: sizes.reduce((sum, size) => sum + size, OTHERS.transactions),
    largest: sizes,
  });
  const gateway = await product.serve(join(data, 'logs'));
  const rows = [];
  for (const [name, query] of Object.entries(PAGES)) {
    const cells = [];
    for (const [n, size] of sizes.entries()) {
      const { p50, total } = await timesOf(
        gateway,
        `/accounts/${accountId(n + 1)}/transactions?limit=10&${query(size)}`,
        requests,
      );
      cells.push(`${digits(p50, 2)} (${total})`);
    }
    rows.push([name, ...cells]);
  }
  console.log('p50 in ms, and in brackets how many transactions fit, which each answer counts\n');
  console.log(table(['page', ...sizes.map(size => `${size}`)], rows));
});

async function timesOf({ url, authorization }, path, requests) {
  const times = [];
  let total = 0;
  const giveUpAt = performance.now() + SECONDS_A_PAGE * 1000;
  const warm = Math.ceil(requests / 6);
  for (let n = 0; n < requests + warm && (performance.now() < giveUpAt || times.length < 3); n++) {
    const started = performance.now();
    const answer = await fetch(new URL(path, url), { headers: { Authorization: authorization } });
    const body = await answer.json();
    if (!answer.ok) throw new Failure(`${path}: ${JSON.stringify(body)}`);
    if (n >= warm || performance.now() > giveUpAt) times.push(performance.now() - started);
    total = body.page.totalElements;
  }
  return { p50: median(times), total };
}
