// What the log of requests takes of the disk, and how long a page of it takes over REST.
//   npm run requests -- [--requests 1000000] [--days 14] [--clients 20] [--pages 200] [--out results]
import { join, resolve } from 'node:path';
import { connectTo } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds } from './lib/processes.mjs';
import { openProduct, PROGRAM } from './lib/product.mjs';
import { digits, median, table, writeResults } from './lib/report.mjs';
import { Failure, run } from './lib/run.mjs';

const DEFAULTS = { requests: 1e6, days: 14, clients: 20, pages: 200 };
const PAGE = 50;
/** Pages before those that are measured. */
const WARM = 40;
/** One request of twenty is refused. */
const REFUSED = 20;
const CODES = ['account_not_found', 'insufficient_funds', 'rule_broken', 'card_not_found', 'rate_limited'];

/** Requests as the gateway keeps them, evenly over the days. */
const FILL = `INSERT INTO api_request SELECT $1, now() - make_interval(secs => 86400.0 * $2::int * n / $3::int),
    gen_random_uuid(), 3 + n % 40, gen_random_uuid()::text, 'client-' || client, 'service-' || client, NULL, NULL,
    CASE WHEN n % 2 = 0 THEN 'REST' ELSE 'GRAPHQL' END, 'POST',
    CASE WHEN n % 2 = 0 THEN 'POST /accounts/:accountId/transactions' ELSE 'PostTransactions' END,
    CASE WHEN n % 2 = 0 THEN '[]' ELSE '["postAccountTransactions"]' END::jsonb,
    CASE WHEN code IS NULL THEN 200 ELSE 422 END, code,
    CASE WHEN code IS NOT NULL THEN jsonb_build_array(jsonb_build_object('code', code, 'fields',
      jsonb_build_array(jsonb_build_object('pointer', '/transactions/0/amount', 'code', 'range')))) END,
    false, 400 + n % 200, 300 + n % 900, n % 100 = 0, false, rtrim(encode(sha256(n::text::bytea), 'base64'), '='),
    'core-banking/2.4', '203.0.113.' || n % 250
  FROM (SELECT n, (hashint4(n) & 2147483647) % $4::int AS client,
      CASE WHEN n % $5::int = 0 THEN ($6::text[])[1 + n / $5::int % array_length($6::text[], 1)] END AS code
    FROM generate_series(0, $3::int - 1) n) AS made`;

await run(async () => {
  const root = resolve(import.meta.dirname, '..');
  const options = readOptions({ ...DEFAULTS, product: root, out: join(import.meta.dirname, 'results') });
  const { requests, days, clients, pages } = options;
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  await makeDays(db, days);
  await db.query(FILL, [PROGRAM, days, requests, clients, REFUSED, CODES]);
  await db.query('VACUUM ANALYZE api_request');
  const bytes = (await bytesOfLog(db)) / requests;

  const gateway = await product.serve(folder, { settings: { REQUEST_LOG_DAYS: String(days + 1) } });
  const figures = {
    'of a client, by code': n => `&clientId=client-${n % clients}&code=${CODES[n % CODES.length]}`,
    'of a client, refused': n => `&clientId=client-${n % clients}&isRefused=true`,
    'of a client': n => `&clientId=client-${n % clients}`,
    'by code': n => `&code=${CODES[n % CODES.length]}`,
    all: () => '',
  };
  const rows = [];
  const pids = { gateway: gateway.pid, postgres: product.postgresPid };
  for (const [name, query] of Object.entries(figures)) {
    await pagesOf(gateway, query, WARM);
    const before = cpuOf(pids);
    const times = await pagesOf(gateway, query, pages);
    const after = cpuOf(pids);
    const [cpuGateway, cpuPostgres] = ['gateway', 'postgres'].map(of => ((after[of] - before[of]) / pages) * 1000);
    rows.push({ name, p50: median(times), cpuGateway, cpuPostgres });
  }
  const text = [
    `${requests} requests in ${days} days, one of ${REFUSED} refused: ${digits(bytes, 0)} bytes of disk each, with indexes.`,
    table(
      [`a page of ${PAGE}`, 'p50 ms', 'CPU ms of the gateway', 'of PostgreSQL'],
      rows.map(({ name, ...ms }) => [name, ...Object.values(ms).map(one => digits(one, 1))]),
    ),
  ].join('\n\n');
  console.log(text);
  writeResults(options.out, 'requests', { date: new Date().toISOString(), requests, days, bytes, rows }, text);
});

/** The gateway makes the days that come; those that are over are made here. */
async function makeDays(db, days) {
  await db.query("SET timezone = 'UTC'");
  await db.query('SELECT api_request_days($1)', [days + 1]);
  for (let ago = 2; ago <= days; ago++) {
    const { rows } = await db.query(
      `SELECT to_char(day, 'YYYYMMDD') AS name, day::timestamptz::text AS first, (day + 1)::timestamptz::text AS next
        FROM (SELECT current_date - $1::int AS day) AS of`,
      [ago],
    );
    const [{ name, first, next }] = rows;
    await db.query(
      `CREATE TABLE api_request_${name} PARTITION OF api_request FOR VALUES FROM ('${first}') TO ('${next}')`,
    );
  }
}

async function bytesOfLog(db) {
  const { rows } = await db.query(
    `SELECT sum(pg_total_relation_size(inhrelid))::float8 AS bytes FROM pg_inherits WHERE inhparent = 'api_request'::regclass`,
  );
  return rows[0].bytes;
}

/** The times of pages in milliseconds, one after another. */
async function pagesOf({ url, authorization }, query, pages) {
  const times = [];
  for (let n = 0; n < pages; n++) {
    const started = performance.now();
    const path = `/requests?limit=${PAGE}${query(n)}`;
    const answer = await fetch(`${url}${path}`, { headers: { authorization } });
    const { requests, detail } = await answer.json();
    times.push(performance.now() - started);
    if (requests?.length !== PAGE) throw new Failure(`${path} has ${requests?.length} requests. ${detail ?? ''}`);
  }
  return times;
}

function cpuOf(pids) {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid)]));
}
