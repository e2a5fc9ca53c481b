import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { run, tillgate } from '../../../test/cli/command-line.js';
import { accountRecord, customerRecord } from '../../../test/cli/importing.js';
import { directly, freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';
import { until } from '../../../test/support/until.js';
import { entry, line } from '../../../test/transaction/support/ledger.js';
import { counted } from './overview.js';

const PROGRAM = 'killed';
/** Many batches of the feed: each account is an event, and so are its transactions. */
const ACCOUNTS = 800;

let database: FreshDatabase;
let folder: string;
let sql: pg.Pool;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-overview-'));
  sql = new pg.Pool({ connectionString: directly(database.url), max: 2 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: folder, DEMO_DATA: 'false' });

async function imported(kind: string, lines: readonly string[]): Promise<void> {
  const file = join(folder, `${kind}.ndjson`);
  await writeFile(file, lines.join('\n'));
  expect(await run(['import', kind, file, '--program', PROGRAM], env())).toMatchObject({ status: 0 });
}

const serving = () => tillgate(['serve'], { ...env(), PORT: '0', LOG_LEVEL: 'silent' });

/** Serves until something holds, and is killed then. */
async function killedOnce(holds: () => Promise<boolean>): Promise<void> {
  const { child, ended } = serving();
  await until(holds);
  child.kill('SIGKILL');
  await ended;
}

async function position(): Promise<number> {
  const { rows } = await sql.query<{ position: string }>('SELECT position FROM overview_reader');
  return Number(rows[0]?.position);
}

test('a database with events is counted from their beginning, each once, whenever the process is killed', async () => {
  const owner = customerRecord();
  await imported('customers', [JSON.stringify(owner)]);
  const accountIds = Array.from({ length: ACCOUNTS }, (_, index) => `killed-${index}`);
  const accounts = accountIds.map(accountId => JSON.stringify(accountRecord([owner.customerId], { accountId })));
  await imported('accounts', accounts);
  const transactions = accountIds.map((accountId, index) => line(accountId, entry({ amount: String(1 + index) })));
  await imported('transactions', transactions);

  // In the middle of a batch, whose figures wait for a lock.
  const lock = await sql.connect();
  await lock.query('BEGIN; LOCK TABLE overview_total IN EXCLUSIVE MODE');
  await killedOnce(async () => {
    const { rows } = await sql.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await lock.query('ROLLBACK');
  lock.release();
  expect(await position()).toBe(0);
  // After some batches.
  await killedOnce(async () => (await position()) > 0);

  const { child, ended } = serving();
  await counted({ sql }, PROGRAM);
  const { rows } = await sql.query(
    `SELECT t.deposits_minor::text AS deposits, t.open_account_count::int AS accounts,
       d.credits_minor::text AS credits, d.credit_count::int AS count
     FROM overview_total t JOIN overview_day d ON d.program = t.program AND d.credit_count > 0 WHERE t.program = $1`,
    [PROGRAM],
  );
  const sum = String((100 * ACCOUNTS * (ACCOUNTS + 1)) / 2);
  expect(rows).toEqual([{ deposits: sum, accounts: ACCOUNTS, credits: sum, count: ACCOUNTS }]);
  child.kill('SIGTERM');
  await ended;
});
