import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { BATCH_LINES } from '../../src/platform/import/source.js';
import { directly, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';
import { run, runProcess, tillgate } from './command-line.js';
import { customerRecord, rejectedLines } from './importing.js';

let database: FreshDatabase;
let sql: pg.Pool;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  database = await freshDatabase();
  sql = new pg.Pool({ connectionString: directly(database.url), max: 2 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-import-'));
  env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') };
  await sql.query('TRUNCATE customer CASCADE');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const importCustomers = (file: string, options: { input?: string | Buffer; cwd: string }) =>
  runProcess(['import', 'customers', file, '--program', 'demo'], env, options);

async function customersCount(): Promise<number> {
  return (await sql.query('SELECT count(*)::int AS count FROM customer')).rows[0].count;
}

function lines(count: number): string {
  return Array.from({ length: count }, () => `${JSON.stringify(customerRecord())}\n`).join('');
}

describe('tillgate import', () => {
  test('reads standard input for -, and tells rejected lines in the current folder', async () => {
    const ended = await importCustomers('-', { input: `${lines(2)}{}\n`, cwd: folder });
    expect(ended).toMatchObject({ status: 1, stderr: '' });
    expect(ended.stdout).toContain('2 new, 0 updated, 0 unchanged, 1 rejected');
    expect(await rejectedLines(join(folder, 'stdin.rejected.ndjson'))).toMatchObject([
      { line: 3, code: 'invalid_input' },
    ]);
    expect(await importCustomers('-', { input: gzipSync(lines(2)), cwd: folder })).toMatchObject({ status: 0 });
    expect(await readdir(folder)).toEqual(['data']);
  });

  test('tells rejected lines in the current folder where there is no place beside the file', async () => {
    const [files, current] = [join(folder, 'files'), join(folder, 'current')];
    await mkdir(join(files, 'customers.rejected.ndjson', 'taken'), { recursive: true });
    await mkdir(current);
    await writeFile(join(files, 'customers'), '{}\n');
    const { status, stdout } = await importCustomers(join(files, 'customers'), { cwd: current });
    expect(status).toBe(1);
    expect(stdout).toContain(join('current', 'customers.rejected.ndjson'));
    expect(await rejectedLines(join(current, 'customers.rejected.ndjson'))).toMatchObject([{ line: 1 }]);
  });
});

describe('an import that is interrupted', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s finishes its batch, says how far it got, and goes on when it is started again',
    async (signal, status) => {
      const text = lines(BATCH_LINES + 200);
      const { child, ended } = tillgate(['import', 'customers', '-', '--program', 'demo'], env, folder);
      // The input stays open, since its writer may have more; a signal must not wait for that.
      child.stdin?.write(text);
      await until(async () => (await customersCount()) === BATCH_LINES);
      child.kill(signal);
      const result = await ended;
      expect(result).toMatchObject({
        status,
        stderr: expect.stringContaining(`The import was stopped after line ${BATCH_LINES}. `),
      });
      expect(result.stdout).toContain(`${BATCH_LINES} new`);
      expect(await customersCount()).toBe(BATCH_LINES);

      const again = await importCustomers('-', { input: text, cwd: folder });
      expect(again).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(`customers: 200 new, 0 updated, ${BATCH_LINES} unchanged, 0 rejected `),
      });
    },
  );

  test('by kill -9 leaves whole batches, and goes on when it is started again', async () => {
    const file = join(folder, 'customers');
    await writeFile(file, lines(20_000));
    const { child, ended } = tillgate(['import', 'customers', file, '--program', 'demo'], env);
    await until(async () => (await customersCount()) >= 1000);
    child.kill('SIGKILL');
    expect((await ended).status).toBeNull();
    // The server finishes the statement that was running when its client went away.
    await until(
      async () =>
        (
          await sql.query(
            `SELECT FROM pg_stat_activity WHERE application_name = 'tillgate' AND datname = current_database()`,
          )
        ).rowCount === 0,
    );
    const left = await customersCount();
    expect(left).toBeLessThan(20_000);
    expect(left % BATCH_LINES).toBe(0);

    const { status, stdout, stderr } = await run(['import', 'customers', file, '--program', 'demo'], env);
    expect([status, stderr, stdout]).toEqual([
      0,
      '',
      expect.stringContaining(`${20_000 - left} new, 0 updated, ${left} unchanged, 0 rejected`),
    ]);
    expect(await customersCount()).toBe(20_000);
  });
});
