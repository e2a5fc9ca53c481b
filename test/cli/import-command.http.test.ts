import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { BATCH_LINES } from '../../src/platform/import/source.js';
import { directly, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';
import { run } from './command-line.js';
import { accountRecord, beneficiaryRecord, customerRecord, rejectedLines } from './importing.js';

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

const importCustomers = (file: string) => run(['import', 'customers', file, '--program', 'demo'], env);

async function customersCount(): Promise<number> {
  return (await sql.query('SELECT count(*)::int AS count FROM customer')).rows[0].count;
}

function lines(count: number): string {
  return Array.from({ length: count }, () => `${JSON.stringify(customerRecord())}\n`).join('');
}

describe('tillgate import', () => {
  test('says what became of the lines, and nothing more the second time', async () => {
    const file = join(folder, 'customers.ndjson');
    await writeFile(file, lines(3));
    await writeFile(`${file}.rejected.ndjson`, 'of an earlier import');
    const first = await importCustomers(file);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^customers: 3 new, 0 updated, 0 unchanged, 0 rejected in \d+\.\d s \(\d+ rows\/s\)\n$/,
    );
    await expect(access(`${file}.rejected.ndjson`)).rejects.toThrow('ENOENT');
    expect((await importCustomers(file)).stdout).toMatch(/^customers: 0 new, 0 updated, 3 unchanged, 0 rejected /);
  });

  test('puts wrong lines aside with their numbers and reasons, without a value, and imports the others', async () => {
    const file = join(folder, 'customers.ndjson');
    const good = JSON.stringify(customerRecord());
    const wrong = [
      '',
      '{"customerId": "SECRET-1", "taxId": 4711',
      JSON.stringify(customerRecord({ taxId: 'SECRET-2', taxIdCountry: 'SECRET-3', name: { first: 'SECRET-4' } })),
      '"SECRET-5"',
      'null',
      `{"name":"${'x'.repeat(1024 * 1024)}SECRET-6"}`,
    ];
    await writeFile(file, `\uFEFF${good}\r\n${wrong.join('\r\n')}\r\n${lines(1)}   \n${good}`);
    const ended = await importCustomers(file);
    expect(ended.status).toBe(1);
    expect(ended.stdout).toMatch(
      /^customers: 2 new, 0 updated, 1 unchanged, 5 rejected .*\nRejected lines and the reasons: .*customers\.ndjson\.rejected\.ndjson\n$/,
    );
    const rejected = await rejectedLines(`${file}.rejected.ndjson`);
    expect(rejected.map(({ line, code }) => [line, code])).toEqual([
      [3, 'not_json'],
      [4, 'invalid_input'],
      [5, 'invalid_input'],
      [6, 'invalid_input'],
      [7, 'line_too_long'],
    ]);
    expect(rejected[1]?.errors).toEqual([
      {
        pointer: '/taxIdCountry',
        code: 'wrong_type',
        detail: 'Must be an ISO 3166 country code of two capital letters.',
      },
      {
        pointer: '/name',
        code: 'alternatives',
        detail:
          'Must be the name of a person or of an organisation. Send last, with first and middle if there are any, or organization alone.',
      },
      {
        pointer: '/taxId',
        code: 'together',
        detail: 'This field and taxIdCountry must be given together. Send both, or neither.',
      },
    ]);
    for (const text of [ended.stdout, ended.stderr, JSON.stringify(rejected)]) expect(text).not.toContain('SECRET');
  });

  test('reads gzip, whatever the file is called', async () => {
    const file = join(folder, 'customers');
    await writeFile(file, Buffer.concat([gzipSync(lines(BATCH_LINES)), gzipSync(lines(1))]));
    expect((await importCustomers(file)).stdout).toContain(`${BATCH_LINES + 1} new`);
  });

  test('has nothing to say of an empty file', async () => {
    const file = join(folder, 'empty');
    await writeFile(file, '');
    const { status, stdout } = await importCustomers(file);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^customers: 0 new, 0 updated, 0 unchanged, 0 rejected /),
    ]);
  });

  test('imports what comes before the place where a gzip file is cut off, and says so', async () => {
    const file = join(folder, 'customers.gz');
    const whole = gzipSync(lines(2 * BATCH_LINES));
    await writeFile(file, whole.subarray(0, whole.length - 5000));
    const { status, stdout, stderr } = await importCustomers(file);
    expect(status).toBe(1);
    // A slow machine shows progress before.
    expect(stderr).toMatch(
      /(^|\n)The import was stopped after line \d+\.\nThe gzip input is incomplete or damaged\. .*\n$/,
    );
    expect(stdout).toContain(`${await customersCount()} new`);
    expect(await customersCount()).toBeGreaterThan(0);
    await writeFile(file, whole);
    // As PostgreSQL does by itself after so many rows: statements were planned for the few that were there before.
    await sql.query('ANALYZE customer');
    expect(await importCustomers(file)).toMatchObject({ status: 0, stderr: '' });
    expect(await customersCount()).toBe(2 * BATCH_LINES);
  });

  test('imports customers, accounts and beneficiaries one after the other', async () => {
    const customer = customerRecord();
    const account = accountRecord([customer.customerId]);
    const beneficiary = {
      accountId: account.accountId,
      name: { first: 'B', last: 'C' },
      beneficiaryType: 'PRIMARY',
      relationship: 'CHILD',
      sharePercentage: 1,
    };
    for (const [kind, record] of [
      ['customers', customer],
      ['accounts', account],
      ['beneficiaries', beneficiary],
    ] as const) {
      const { status, stdout } = await run(['import', kind, '-', '--program', 'demo'], env, {
        input: JSON.stringify(record),
      });
      expect([status, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${kind}: 1 new, `))]);
    }
  });

  test('writes the accounts of a batch in two parts side by side, and tells the rejected lines in order', async () => {
    const customer = customerRecord();
    const [held, free] = [accountRecord([customer.customerId]), accountRecord([customer.customerId])];
    await imports('customers', [customer]);
    await imports('accounts', [held, free]);
    const shares = [1, 2, 1000, 1000, 5, 6];
    const records = shares.map((sharePercentage, n) =>
      beneficiaryRecord((n % 2 === 0 ? held : free).accountId, {
        name: { first: `N${n}`, last: 'C' },
        sharePercentage,
      }),
    );
    const writer = await sql.connect();
    try {
      await writer.query('BEGIN');
      await writer.query('SELECT FROM account WHERE account_id = $1 FOR UPDATE', [held.accountId]);
      const file = join(folder, 'beneficiaries');
      const imported = imports('beneficiaries', records, file);
      const countOf = async (account: typeof held) =>
        (await sql.query('SELECT FROM beneficiary WHERE account_id = $1', [account.accountId])).rowCount;
      await until(async () => (await countOf(free)) === 2);
      expect(await countOf(held)).toBe(0);
      await writer.query('COMMIT');
      expect((await imported).stdout).toMatch(/^beneficiaries: 4 new, 0 updated, 0 unchanged, 2 rejected /);
      expect(await countOf(held)).toBe(2);
      expect((await rejectedLines(`${file}.rejected.ndjson`)).map(({ line }) => line)).toEqual([3, 4]);
    } finally {
      await writer.query('ROLLBACK');
      writer.release();
    }
  });
});

async function imports(kind: string, records: readonly object[], file = join(folder, kind)) {
  await writeFile(file, records.map(record => `${JSON.stringify(record)}\n`).join(''));
  return run(['import', kind, file, '--program', 'demo'], env);
}

describe('tillgate import is told wrong', () => {
  test.each([
    ['a kind that there is not', ['persons', 'x', '--program', 'demo'], 'customers, accounts, beneficiaries'],
    ['no program', ['customers', 'x'], 'The option --program <program> is missing.'],
    [
      'a program with a space',
      ['customers', 'x', '--program', 'a b'],
      '--program must be 1 to 64 visible ASCII characters, not . or .., which are steps of a path.',
    ],
    [
      'a file that there is not',
      ['customers', 'no/such/file', '--program', 'demo'],
      'no/such/file cannot be opened: there is no such file.',
    ],
    ['a folder', ['customers', 'src', '--program', 'demo'], 'src is a folder'],
  ])('%s: one clear line, and status 2', async (_what, args, message) => {
    const { status, stdout, stderr } = await run(['import', ...args], env);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(
      stderr
        .replace(/^See: tillgate import --help\n/m, '')
        .trimEnd()
        .split('\n'),
    ).toHaveLength(1);
  });

  test('a statement that the database ends: one clear line, how far it got, and status 1', async () => {
    const file = join(folder, 'customers');
    await writeFile(file, lines(1));
    await sql.query(`CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$;
      CREATE TRIGGER be_slow BEFORE INSERT ON customer FOR EACH ROW EXECUTE FUNCTION be_slow()`);
    try {
      const importing = importCustomers(file);
      await until(async () => {
        const { rowCount } = await sql.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
        );
        return rowCount === 1;
      });
      expect(await importing).toEqual({
        status: 1,
        stdout: expect.stringContaining('customers: 0 new, 0 updated, 0 unchanged, 0 rejected in'),
        stderr:
          'The import was stopped after line 0. Run the same command again to finish.\nThe PostgreSQL server did not carry out the command: a statement took longer than the limit of time, or somebody cancelled it (SQLSTATE 57014). Look what else it does, and run the command again.\n',
      });
    } finally {
      await sql.query('DROP FUNCTION be_slow CASCADE');
    }
  });

  test('a database that is away: one clear line, and status 1', async () => {
    const file = join(folder, 'customers');
    await writeFile(file, lines(1));
    const ended = await run(['import', 'customers', file, '--program', 'demo'], {
      ...env,
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none',
    });
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The database cannot be reached, or the connection was lost (ECONNREFUSED). Check that it runs and that DATABASE_URL is right, and try again.\n',
    });
  });
});
