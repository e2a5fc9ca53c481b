import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { post } from '../statement/issue/issuing.js';
import { begin, run } from './command-line.js';

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: TestGateway;
const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-statements-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Accounts of a program of their own, with one entry of interest in March 2024. */
async function givenAccounts(count: number, at = gateway): Promise<{ program: string; accounts: GivenAccount[] }> {
  const program = at.given.program();
  const accounts: GivenAccount[] = [];
  await at.given.programRecord(program);
  const owner = await at.given.customer({ program });
  for (let n = 0; n < count; n++) {
    const account = await at.given.account({ program, owners: [owner.customer] });
    await post(at, account, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
    accounts.push(account);
  }
  return { program, accounts };
}

/** How many documents the accounts of a program have. */
async function documents(
  program: string,
  at = gateway,
): Promise<{ accounts: number; documents: number; events: number }> {
  const { rows } = await at.sql.query(
    `WITH mine AS (SELECT account_id FROM account WHERE program = $1)
     SELECT (SELECT count(DISTINCT account_id)::int FROM statement JOIN mine USING (account_id)) AS accounts,
       (SELECT count(*)::int FROM statement JOIN mine USING (account_id)) AS documents,
       (SELECT count(*)::int FROM event JOIN mine USING (account_id) WHERE action = 'statement.issue') AS events`,
    [program],
  );
  return rows[0];
}

describe('statements close', () => {
  test('issues what is missing, says how much, and leaves an event for each statement', async () => {
    const { program } = await givenAccounts(3);
    const close = ['statements', 'close', '--month', '2024-03', '--program', program];
    expect(await run(close, env)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^statements of 2024-03: 3 issued for 3 accounts, 0 not over yet, 0 due none, 0 left out in [\d.]+ s\n$/,
      ),
      stderr: '',
    });
    expect((await run(close, env)).stdout).toContain(': 0 issued for 3 accounts');
    expect(await documents(program)).toEqual({ accounts: 3, documents: 3, events: 3 });
    const { rows } = await gateway.sql.query(
      `SELECT client_id, subject, data FROM event JOIN account USING (account_id)
       WHERE action = 'statement.issue' AND account.program = $1 LIMIT 1`,
      [program],
    );
    expect(rows[0]).toEqual({
      client_id: 'tillgate',
      subject: 'close',
      data: { documentType: 'STATEMENTS', statementDate: '2024-03-31' },
    });
    expect((await run(['events', 'verify'], env)).status).toBe(0);
  });

  test('of one program leaves the others alone', async () => {
    const other = await givenAccounts(2);
    const { program } = await givenAccounts(1);
    const { stdout } = await run(['statements', 'close', '--month', '2024-03', '--program', program], env);
    expect(stdout).toContain(': 1 issued for 1 accounts');
    expect((await documents(other.program)).documents).toBe(0);
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
    const runs = async () => (await gateway.sql.query('SELECT FROM issue_run')).rowCount;
    const before = await runs();
    const { status, stdout, stderr } = await run(['statements', 'close', ...options], env);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.trim()).toBe(message);
    expect(await runs()).toBe(before);
  });

  test('that is stopped loses and doubles nothing: the gateway goes on, and the same command ends it', async () => {
    const alone = await freshDatabase();
    const settings = { databaseUrl: alone.url, fieldKeys: FIELD_KEYS };
    const before = await startTestGateway(settings);
    const { program } = await givenAccounts(120, before);
    // The gateway is stopped, so that the command works alone and is stopped with a batch begun.
    await before.stop();
    const watch = new pg.Client({ connectionString: alone.url });
    await watch.connect();
    const close = ['statements', 'close', '--month', '2024-03'];
    const { ended, signal } = begin(close, { ...env, DATABASE_URL: alone.url });
    for (;;) {
      const { rows } = await watch.query('SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL');
      if (rows.length > 0) break;
      await sleep(2);
    }
    await signal('SIGTERM');
    await watch.end();
    expect((await ended).status).toBe(143);
    const after = await startTestGateway(settings);
    expect((await run(close, { ...env, DATABASE_URL: alone.url })).status).toBe(0);
    expect(await documents(program, after)).toEqual({ accounts: 120, documents: 120, events: 120 });
    const { rows } = await after.sql.query('SELECT max(done) AS done, sum(issued)::int AS issued FROM issue_run');
    expect(rows[0]).toEqual({ done: 120, issued: 120 });
    await after.stop();
    await alone.drop();
  });
});

describe('statements 1099', () => {
  test('issues the forms of a year', async () => {
    const { program } = await givenAccounts(2);
    expect(await run(['statements', '1099', '--year', '2024', '--program', program], env)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^forms of 2024: 2 issued, 0 corrected for 2 accounts, 0 not over yet, 0 due none, 0 left out in [\d.]+ s\n$/,
      ),
    });
  });

  test('tells accounts that were left out and how to go on, and ends with status 1', async () => {
    const { program, accounts } = await givenAccounts(1);
    const [account] = accounts;
    await gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [account?.account]);
    expect(await run(['statements', '1099', '--year', '2024', '--program', program], env)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('0 issued, 0 corrected for 1 accounts, 0 not over yet, 0 due none, 1 left out'),
      stderr: expect.stringMatching(
        new RegExp(
          `^account ${account?.account}: The account had no owner at the end of the year\\.\nWhen the reasons are gone, issue these documents alone: tillgate statements rerun [0-9a-f-]{36}\n$`,
        ),
      ),
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
    const { status, stderr } = await run(['statements', '1099', '--year', ...year], { ...env, ...more });
    expect([status, stderr.trim()]).toEqual([2, message]);
  });
});

test('a year that is over by the clock of a program is issued and corrected, and that of others is not', async () => {
  const year = String(new Date().getUTCFullYear());
  const program = gateway.given.program();
  const of = await gateway.given.account({ program });
  await gateway.given.programRecord(program);
  const at = `${year}-01-01T12:00:00.000Z`;
  await post(gateway, of, [{ at, amount: '20.00', type: 'INTEREST' }]);
  const issueYear = async (...options: readonly string[]) =>
    run(['statements', '1099', '--year', year, '--json', ...options], env);
  expect((await issueYear('--program', program)).status).toBe(2);

  const aheadMs = Date.parse(`${Number(year) + 1}-01-20T12:00:00Z`) - Date.now();
  await gateway.sql.query('INSERT INTO sandbox_program (program, ahead_ms) VALUES ($1, $2)', [program, aheadMs]);
  const first = await issueYear('--program', program);
  expect([first.status, JSON.parse(first.stdout)]).toMatchObject([0, { issued: 1, corrected: 0 }]);
  await post(gateway, of, [{ at, amount: '5.00', type: 'INTEREST' }]);
  const second = await issueYear();
  expect([second.status, JSON.parse(second.stdout)]).toMatchObject([0, { corrected: 1 }]);
});

describe('runs and reruns', () => {
  /** Accounts with interest, of which the owner of the first one has no tax id; and the run that left it out. */
  async function givenRun(): Promise<{ program: string; accounts: GivenAccount[]; runId: string }> {
    const { program, accounts } = await givenAccounts(2);
    const { customer } = await gateway.given.customer({ program, taxId: null });
    const without = await gateway.given.account({ program, owners: [customer] });
    await post(gateway, without, [{ at: '2024-03-05', amount: '10.00', type: 'INTEREST' }]);
    const { status, stdout } = await run(['statements', '1099', '--year', '2024', '--program', program, '--json'], env);
    const { runId, accountsLeftOut } = JSON.parse(stdout);
    expect([status, accountsLeftOut]).toEqual([1, [{ accountId: without.account, reasons: ['no_tax_id'] }]]);
    return { program, accounts: [without, ...accounts], runId };
  }

  test('the runs are listed, and one with every account that it left out', async () => {
    const { program, accounts, runId } = await givenRun();
    const { stdout } = await run(['statements', 'runs', '--program', program], env);
    expect(stdout).toMatch(
      new RegExp(
        `^${runId}: forms of 2024, ${program}; started \\S+Z by the command line; finished; 2 issued, 0 corrected, 0 not over yet, 0 due none, 1 left out\n$`,
      ),
    );
    const one = await run(['statements', 'runs', runId], env);
    expect([one.status, one.stdout.split('\n')[1]]).toEqual([
      0,
      `account ${accounts[0]?.account}: The recipient has no tax id of the United States on record. Ask for it with Form W-9, and withhold 24 percent of the interest until it is given (26 USC 3406). The form is due without it as well: issue it with --incomplete issue, and file it on paper.`,
    ]);
    const other = await run(['statements', 'runs', '--program', gateway.given.program(), '--json'], env);
    expect(JSON.parse(other.stdout)).toEqual({ runs: [] });
    const json = JSON.parse((await run(['statements', 'runs', runId, '--program', program, '--json'], env)).stdout);
    expect(json).toMatchObject({ run: { runId, issued: 2 }, leftOut: [{ reasons: ['no_tax_id'] }] });
  });

  test('a rerun issues the documents that were left out alone', async () => {
    const { program, runId } = await givenRun();
    const again = await run(['statements', 'rerun', runId], env);
    expect([again.status, again.stdout]).toEqual([
      1,
      expect.stringContaining('forms of 2024: 0 issued, 0 corrected for 1 accounts'),
    ]);
    const issued = await run(['statements', 'rerun', runId.toUpperCase(), '--incomplete', 'issue'], env);
    expect([issued.status, issued.stdout]).toEqual([
      0,
      expect.stringContaining('1 issued, 0 corrected for 1 accounts'),
    ]);
    expect(await documents(program)).toEqual({ accounts: 3, documents: 3, events: 3 });
  });

  test.each(['7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11', 'Quill'])('a run that there is not (%s) is refused', async id => {
    for (const command of ['runs', 'rerun']) {
      const { status, stdout, stderr } = await run(['statements', command, id], env);
      expect([status, stdout, stderr]).toEqual([
        2,
        '',
        'RUN_ID names no run. List the runs: tillgate statements runs\n',
      ]);
    }
  });
});
