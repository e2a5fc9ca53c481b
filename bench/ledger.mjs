// What a large ledger costs: import against a bare COPY of the same rows, and pages of the large account, shallow, deep and filtered.
// Makes its own files and database in a temporary folder. Nothing else should run on the machine meanwhile.
//   npm run build && node bench/ledger.mjs [--transactions 2000000] [--accounts 2000] [--largest 500000]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

const folder = mkdtempSync(join(tmpdir(), 'tillgate-bench-'));
const env = {
  ...process.env,
  DATA_DIR: join(folder, 'data'),
  DEMO_DATA: 'false',
  PORT: '0',
  LOG_LEVEL: 'warn',
  DATABASE_URL: '',
};
const main = new URL('../dist/src/main.js', import.meta.url).pathname;
const tillgate = (...args) =>
  execFileSync(process.execPath, [main, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
const COLUMNS = `account_id, seq, program, transaction_id, reference_transaction_id, reference, amount_minor, balance_minor,
  debit_credit_memo, category, transaction_type, status, description, memo, transaction_timestamp, posted_timestamp,
  additional_information, line_item`;

execFileSync(process.execPath, [
  new URL('make-ledger.mjs', import.meta.url).pathname,
  '--out',
  folder,
  ...process.argv.slice(2),
]);
for (const kind of ['customers', 'accounts']) {
  tillgate('import', kind, join(folder, `${kind}.ndjson.gz`), '--program', 'bench');
}

const importing = spawn(
  process.execPath,
  [main, 'import', 'transactions', join(folder, 'transactions.ndjson.gz'), '--program', 'bench'],
  {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  },
);
let peakMiB = 0;
const watch = setInterval(() => {
  // Linux tells the peak of a process; elsewhere the column stays empty.
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${importing.pid}/status`, 'utf8')) ?? [];
    peakMiB = Math.max(peakMiB, Number(kib ?? 0) / 1024);
  } catch {}
}, 200);
let summary = '';
for await (const chunk of importing.stdout) summary += chunk;
clearInterval(watch);
console.log(`import    ${summary.trim()}, peak memory ${peakMiB.toFixed(0)} MiB`);

const gateway = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise(resolve => gateway.stdout.once('data', chunk => resolve(String(chunk).trim())));
const password = readFileSync(join(env.DATA_DIR, 'postgres.password'), 'utf8').trim();
const port = readFileSync(join(env.DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
const client = new pg.Client({ connectionString: `postgres://tillgate:${password}@127.0.0.1:${port}/tillgate` });
await client.connect();
const {
  rows: [{ count }],
} = await client.query('SELECT count(*)::int FROM transaction');
await client.query(
  'CREATE TABLE bare (LIKE transaction INCLUDING ALL, FOREIGN KEY (account_id) REFERENCES account (account_id))',
);
const text = [];
for await (const chunk of client.query(
  copyTo(`COPY (SELECT ${COLUMNS} FROM transaction ORDER BY occurred_at, transaction_id) TO STDOUT`),
)) {
  text.push(chunk);
}
const started = performance.now();
await pipeline(text, client.query(copyFrom(`COPY bare (${COLUMNS}) FROM STDIN`)));
const seconds = (performance.now() - started) / 1000;
text.length = 0;
console.log(`bare COPY ${count} rows in ${seconds.toFixed(1)} s (${Math.round(count / seconds)} rows/s)`);
await client.query('DROP TABLE bare');
await client.query('VACUUM ANALYZE transaction');

const token = tillgate('token', '--program', 'bench').trim();
const pages = {
  'first page': 'offSet=0',
  'offset 400,000': 'offSet=400000',
  'a month': 'startTime=2024-05-01&endTime=2024-05-31',
  'a type': 'transactionType=FEE',
  'a month and a type': 'startTime=2024-05-01&endTime=2024-05-31&transactionType=FEE',
};
for (const [name, query] of Object.entries(pages)) {
  const times = [];
  let total = 0;
  for (let round = 0; round < 300; round++) {
    const from = performance.now();
    const answer = await fetch(`${url}/accounts/bench-000001/transactions?limit=10&${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const body = await answer.json();
    if (round >= 50) times.push(performance.now() - from);
    total = body.page.totalElements;
  }
  times.sort((a, b) => a - b);
  console.log(
    `page      ${name.padEnd(20)} p50 ${times[125].toFixed(2)} ms, p99 ${times[247].toFixed(2)} ms, ${total} in all`,
  );
}
await client.end();
gateway.kill('SIGTERM');
await new Promise(resolve => gateway.once('exit', resolve));
rmSync(folder, { recursive: true });
