import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH_LINES } from '../../src/platform/import/source.js';
import { tillgate, type CommandResult } from '../cli/command-line.js';
import { rejectedLines } from '../cli/importing.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { entries, entry, expectSound, line, postSome } from './support/ledger.js';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-import-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The command line on the gateway's database. */
function importing(file: string, program: string) {
  const { connectionString = '' } = gateway.sql.options;
  return tillgate(
    ['import', 'transactions', file, '--program', program],
    { DATABASE_URL: connectionString, DATA_DIR: folder },
    folder,
  );
}

async function countOf(program: string): Promise<number> {
  const { rows } = await gateway.sql.query<{ count: number }>(
    'SELECT count(*)::int FROM transaction WHERE program = $1',
    [program],
  );
  return rows[0]?.count ?? 0;
}

/** Resolves once the program has so many rows, or the process has ended. */
async function reached(program: string, count: number, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && (await countOf(program)) < count) await sleep(2);
}

async function givenFile(lines: number, accounts: number) {
  const program = gateway.given.program();
  const ids: string[] = [];
  for (let index = 0; index < accounts; index++) ids.push((await gateway.given.account({ program })).account);
  const rows = entries(lines, index => ({
    transactionId: `n${index}`,
    amount: `${index % 100}.25`,
    debitCreditMemo: index % 3 ? 'CREDIT' : 'DEBIT',
  }));
  const file = join(folder, `${program}.ndjson`);
  await writeFile(file, rows.map((row, index) => `${line(ids[(index * 7) % accounts] as string, row)}\n`).join(''));
  return { program, accounts: ids, file };
}

/**
 * Every ledger is sound and is the beginning of what the file says of it, and all batches but one are in as a whole or
 * not at all. Gives how many rows there are.
 */
async function expectBeginning({
  program,
  accounts,
}: {
  program: string;
  accounts: readonly string[];
}): Promise<number> {
  for (const account of accounts) await expectSound(gateway, account);
  const { rows } = await gateway.sql.query<{ account: string; number: number }>(
    'SELECT account_id AS account, substr(transaction_id, 2)::int AS number FROM transaction WHERE program = $1 ORDER BY seq',
    [program],
  );
  const places = accounts.map(account =>
    rows.flatMap(row => (row.account === account ? [(row.number - firstOf(account)) / accounts.length] : [])),
  );
  // Each once and in the order of the file, however the process ended.
  for (const ofAccount of places) expect(ofAccount).toEqual([...ofAccount.keys()]);
  // The first line of each account that is not in, and the last one of all that is.
  const missing = accounts.map((account, n) => firstOf(account) + (places[n] ?? []).length * accounts.length);
  const last = Math.max(-1, ...rows.map(({ number }) => number));
  expect(Math.floor(last / BATCH_LINES)).toBeLessThanOrEqual(Math.floor(Math.min(...missing) / BATCH_LINES));
  return rows.length;

  function firstOf(account: string): number {
    return accounts.findIndex((_, index) => accounts[(index * 7) % accounts.length] === account);
  }
}

test('an import that is killed at any moment, and started again until it is done, leaves nothing out, twice or half', async () => {
  const LINES = 4 * BATCH_LINES;
  const given = await givenFile(LINES, 5);
  let last: CommandResult | undefined;
  let kills = 0;
  let done = 0;
  while (last?.status !== 0) {
    const run = importing(given.file, given.program);
    if (kills < 3) {
      await reached(given.program, done + randomInt(1, LINES / 4), run.ended);
      // Somewhere in a batch, or between two.
      await sleep(randomInt(20));
      run.child.kill('SIGKILL');
      kills++;
    }
    last = await run.ended;
    const present = await expectBeginning(given);
    expect(present).toBeGreaterThanOrEqual(done);
    done = present;
  }
  expect(done).toBe(LINES);
  expect(last.stdout).toMatch(new RegExp(`^transactions: \\d+ new, 0 updated, \\d+ unchanged, 0 rejected`));
  const again = await importing(given.file, given.program).ended;
  expect(again).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`0 new, 0 updated, ${LINES} unchanged, 0 rejected`),
  });
  expect(await expectBeginning(given)).toBe(LINES);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends an import after the batch that it writes, and the whole file again does the rest',
  async (signal, status) => {
    const LINES = 6 * BATCH_LINES;
    const given = await givenFile(LINES, 3);
    const lines = (await readFile(given.file, 'utf8')).split(/(?<=\n)/);
    // Its input never ends, so the signal does.
    const run = importing('-', given.program);
    run.child.stdin?.write(lines.slice(0, LINES / 2).join(''));
    await reached(given.program, randomInt(1, LINES / 4), run.ended);
    run.child.kill(signal);
    const stopped = await run.ended;
    expect(stopped.status).toBe(status);
    const present = await expectBeginning(given);
    expect(stopped.stdout).toContain(`transactions: ${present} new, 0 updated, 0 unchanged, 0 rejected`);
    expect(stopped.stderr).toContain(`The import was stopped after line ${present}.`);
    const rest = await importing(given.file, given.program).ended;
    expect(rest).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`${LINES - present} new, 0 updated, ${present} unchanged`),
    });
    expect(await expectBeginning(given)).toBe(LINES);
  },
);

test('rejected lines are told with number and reason, none of their values, and the status is 1', async () => {
  const program = gateway.given.program();
  const given = await gateway.given.account({ program });
  const foreign = await gateway.given.account();
  const [posted] = await postSome(gateway, given, 1);
  const lines = [
    line(given.account, entry({ amount: '1' })),
    'x-secret {',
    '',
    line(foreign.account, entry()),
    line(given.account, entry({ amount: '1.001' })),
    line(given.account, entry({ transactionId: posted as string, memo: 'x-secret' })),
    line(given.account, entry({ amount: '2', availableBalance: '13.00' })),
    line(given.account, entry({ availableBalance: '13' })),
  ];
  const file = join(folder, `${program}.ndjson`);
  await writeFile(file, lines.join('\n'));
  const ended = await importing(file, program).ended;
  expect(ended).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('1 new, 0 updated, 0 unchanged, 6 rejected'),
  });
  const rejected = await rejectedLines(`${file}.rejected.ndjson`);
  expect(JSON.stringify(rejected)).not.toContain('secret');
  expect(
    rejected.map(({ line: number, code, errors }) => [number, code, ...errors.map(problem => problem.code)]),
  ).toEqual([
    [2, 'not_json'],
    [4, 'account_not_found'],
    [5, 'rule_broken', 'currency_digits'],
    [6, 'earlier_line_rejected'],
    [7, 'earlier_line_rejected'],
    [8, 'earlier_line_rejected'],
  ]);
  expect(await expectSound(gateway, given.account)).toMatchObject({ count: 2, balance: '1100' });
});
