import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, tillgate } from '../cli/command-line.js';
import type { TestGateway } from '../support/gateway.js';
import { FORMATS, type Format } from './ledger.js';

const ROWS = 100_000;
const TICKS_A_SECOND = 100;
const SAMPLE_EVERY_MS = 20;
/** How long a slow reader waits after each part that it reads. */
const PAUSE_MS = 10;

/** Streams 100,000 transactions from a process of their own, in every format, and tells its time and its memory. */
export async function measureStreams(
  { given, sql }: TestGateway,
  env: Record<string, string>,
  tell: (line: string) => void,
): Promise<void> {
  const { account, program } = await given.account();
  await sql.query(
    `INSERT INTO transaction (account_id, seq, program, transaction_id, amount_minor, balance_minor, debit_credit_memo, category,
       transaction_type, status, description, transaction_timestamp, posted_timestamp, transaction_time, posted_time,
       additional_information, line_item)
     SELECT $1, n, $2, 'tx-20240301-' || n, n, 0, CASE WHEN n % 3 = 0 THEN 'DEBIT' ELSE 'CREDIT' END, 'ACH', 'DIRECTDEPOSIT', 'POSTED',
       'A transfer with a description of an ordinary length', at, at, at, at, '[]', '[]'
     FROM generate_series(1, ${ROWS}) n, LATERAL (SELECT '2024-03-01T12:00:00Z'::timestamptz + n * interval '20 seconds' AS at) a`,
    [account, program],
  );
  await sql.query('UPDATE account SET last_seq = $2 WHERE account_id = $1', [account, ROWS]);
  await sql.query('ANALYZE transaction');
  const { stdout } = await run(['token', '--program', program, '--scope', 'transactions.read'], env);
  const server = tillgate(['serve'], { ...env, PORT: '0', LOG_LEVEL: 'silent', DEMO_DATA: 'false' });
  try {
    const [address = ''] = /^http\S+/m.exec(await server.printed(/^http\S+/m)) ?? [];
    const pid = server.child.pid ?? 0;
    const ask = (format: Format, slow = false) =>
      measured(
        pid,
        `${address}/accounts/${account}/transactions?startTime=2024-03-01&endTime=2024-04-30&format=${format}`,
        stdout.trim(),
        slow,
      );
    await ask('csv');
    tell(`idle after one: ${await residentMb(pid)} MB`);
    for (const format of FORMATS) tell(`${format}: ${ROWS} rows, ${await ask(format)}`);
    tell(`camt.053 for a slow reader: ${await ask('camt.053', true)}`);
    const together = await Promise.all(Array.from({ length: 8 }, () => ask('camt.053')));
    tell(`camt.053, eight at once: ${together.at(-1)}`);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
}

/** Reads an answer, and gives its size, its time, and the most memory that the process had meanwhile. */
async function measured(pid: number, url: string, token: string, slow: boolean): Promise<string> {
  let mostMb = 0;
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      mostMb = Math.max(mostMb, await residentMb(pid));
      await sleep(SAMPLE_EVERY_MS);
    }
  })();
  const [startedMs, cpuBefore] = [performance.now(), await cpuSeconds(pid)];
  const { firstMs, bytes } = await new Promise<{ firstMs: number; bytes: number }>((resolve, reject) => {
    const asked = request(url, { headers: { authorization: `Bearer ${token}` } }, response => {
      const read = async (): Promise<void> => {
        if (response.statusCode !== 200) throw new Error(`${response.statusCode}`);
        let [size, first] = [0, 0];
        for await (const part of response) {
          first ||= performance.now() - startedMs;
          size += (part as Buffer).length;
          if (slow) await sleep(PAUSE_MS);
        }
        resolve({ firstMs: first, bytes: size });
      };
      read().catch(reject);
    });
    asked.on('error', reject).end();
  });
  isOver = true;
  await sampling;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const cpu = ((await cpuSeconds(pid)) - cpuBefore).toFixed(1);
  return `${(bytes / 1e6).toFixed(1)} MB in ${seconds} s (${cpu} s of processor), first byte after ${firstMs.toFixed(0)} ms, at most ${mostMb} MB of memory`;
}

/** Of Linux alone; elsewhere 0. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** The processor time that the process has had, in seconds. Of Linux alone. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user + system) / TICKS_A_SECOND;
}
