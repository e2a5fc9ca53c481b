import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { post } from '../statement/issue/issuing.js';
import { run, tillgate } from './command-line.js';

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: TestGateway;
const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
beforeEach(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-statements-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
});
afterEach(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Accounts with one entry of interest in March 2024. */
async function givenAccounts(count: number, program = 'harbor'): Promise<GivenAccount[]> {
  const accounts: GivenAccount[] = [];
  const owner = await gateway.given.customer({ program });
  for (let n = 0; n < count; n++) {
    const account = await gateway.given.account({ program, owners: [owner.customer] });
    await post(gateway, account, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
    accounts.push(account);
  }
  return accounts;
}

/** How many documents each account has, over all accounts. */
async function documents(): Promise<{ accounts: number; documents: number; events: number }> {
  const { rows } = await gateway.sql.query(
    `SELECT count(DISTINCT account_id)::int AS accounts, count(*)::int AS documents,
       (SELECT count(*)::int FROM event WHERE action = 'statement.issue') AS events FROM statement`,
  );
  return rows[0];
}

describe('statements close', () => {
  test('issues what is missing, says how much, and leaves an event for each statement', async () => {
    await givenAccounts(3);
    expect(await run(['statements', 'close', '--month', '2024-03'], env)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^statements of 2024-03: 3 issued for 3 accounts, 0 not over yet, 0 failed in [\d.]+ s\n$/,
      ),
      stderr: '',
    });
    expect((await run(['statements', 'close', '--month', '2024-03'], env)).stdout).toContain(
      ': 0 issued for 3 accounts',
    );
    expect(await documents()).toEqual({ accounts: 3, documents: 3, events: 3 });
    const { rows } = await gateway.sql.query(
      `SELECT client_id, subject, data FROM event WHERE action = 'statement.issue' LIMIT 1`,
    );
    expect(rows[0]).toEqual({
      client_id: 'tillgate',
      subject: 'close',
      data: { documentType: 'STATEMENTS', statementDate: '2024-03-31' },
    });
    expect((await run(['events', 'verify'], env)).status).toBe(0);
  });

  test('of one program leaves the others alone', async () => {
    await givenAccounts(2, 'harbor');
    await givenAccounts(1, 'inland');
    const { stdout } = await run(['statements', 'close', '--month', '2024-03', '--program', 'inland'], env);
    expect(stdout).toContain(': 1 issued for 1 accounts');
  });

  test.each([
    ['a month that is none', ['--month', '2024-13'], '--month must be a month such as 2026-06.'],
    ['a day', ['--month', '2024-03-01'], '--month must be a month such as 2026-06.'],
    ['a month to come', ['--month', '2999-01'], 'The month is not over. Issue its documents when it is over.'],
    [
      'this month',
      ['--month', new Date().toISOString().slice(0, 7)],
      'The month is not over. Issue its documents when it is over.',
    ],
    [
      'a program without accounts',
      ['--month', '2024-03', '--program', 'nobody'],
      'The program in --program has no accounts. Name another program.',
    ],
    ['no month', [], 'The option --month <month> is missing.\nSee: tillgate statements close --help'],
  ])('refuses %s and writes nothing', async (_what, options, message) => {
    await givenAccounts(1);
    const { status, stdout, stderr } = await run(['statements', 'close', ...options], env);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.trim()).toBe(message);
    expect((await gateway.sql.query('SELECT FROM issue_run')).rows).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'ended by %s in the middle loses and doubles nothing: the gateway goes on, and the same command ends it',
    async signal => {
      await givenAccounts(250);
      // The gateway is stopped, so that the command works alone and dies with a batch begun.
      await gateway.stop();
      const { child, ended } = tillgate(['statements', 'close', '--month', '2024-03'], env);
      gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
      for (;;) {
        const { rows } = await gateway.sql.query('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL');
        if (rows.length > 0) break;
        await sleep(2);
      }
      child.kill(signal);
      expect((await ended).status).toBe(signal === 'SIGKILL' ? null : 143);
      const again = await run(['statements', 'close', '--month', '2024-03'], env);
      // It may have to wait until the jobs of the one that was killed are free, and says meanwhile how far it is.
      expect(again.status).toBe(0);
      expect(await documents()).toEqual({ accounts: 250, documents: 250, events: 250 });
      const { rows } = await gateway.sql.query('SELECT max(done) AS done, sum(issued)::int AS issued FROM issue_run');
      expect(rows[0]).toEqual({ done: 250, issued: 250 });
    },
    60_000,
  );
});

describe('statements 1099', () => {
  test('issues the forms of a year', async () => {
    await givenAccounts(2);
    expect(await run(['statements', '1099', '--year', '2024'], env)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^forms of 2024: 2 issued, 0 corrected for 2 accounts, 0 not over yet, 0 failed in [\d.]+ s\n$/,
      ),
    });
  });

  test('tells accounts that failed, and ends with status 1', async () => {
    const [account] = await givenAccounts(1);
    await gateway.sql.query('DELETE FROM account_owner');
    expect(await run(['statements', '1099', '--year', '2024'], env)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('0 issued, 0 corrected for 1 accounts, 0 not over yet, 1 failed'),
      stderr: `account ${account?.account}: the account had no owner at the end of the year\n`,
    });
  });

  test.each([
    [
      'a year that is not over',
      [String(new Date().getUTCFullYear())],
      {},
      'The year is not over. Issue its documents when it is over.',
    ],
    ['a year that is none', ['24'], {}, '--year must be a year such as 2026.'],
  ])('refuses %s', async (_what, year, more, message) => {
    await givenAccounts(1);
    const { status, stderr } = await run(['statements', '1099', '--year', ...year], { ...env, ...more });
    expect([status, stderr.trim()]).toEqual([2, message]);
  });
});

test('a file of programs that cannot be used is refused with all that is wrong, and nothing of what it says', async () => {
  const file = join(folder, 'programs.json');
  await writeFile(
    file,
    JSON.stringify({
      harbor: { name: '', taxId: 'SECRET-1', colour: 'red' },
      inland: 5,
      port: { name: 'Port', addressLines: ['1 Quay', 7] },
    }),
  );
  const { status, stderr } = await run(['statements', '1099', '--year', '2024'], { ...env, PROGRAMS_FILE: file });
  expect(status).toBe(2);
  expect(stderr.trim().split('\n')).toEqual([
    'PROGRAMS_FILE: harbor: name must be a text of 1 to 100 characters.',
    'PROGRAMS_FILE: harbor: taxId must be an EIN such as 12-3456789.',
    'PROGRAMS_FILE: harbor: must have no other fields than name, addressLines, telephone and taxId.',
    'PROGRAMS_FILE: inland: must be an object.',
    'PROGRAMS_FILE: port: addressLines must be a list of up to 6 texts.',
  ]);
  const missing = await run(['statements', '1099', '--year', '2024'], {
    ...env,
    PROGRAMS_FILE: join(folder, 'nowhere'),
  });
  expect([missing.status, missing.stderr]).toEqual([
    2,
    'The file in PROGRAMS_FILE cannot be read as JSON. Check the path, the permissions and the content.\n',
  ]);
});
