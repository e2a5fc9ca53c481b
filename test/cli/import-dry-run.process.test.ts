import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BATCH_LINES } from '../../src/platform/import/source.js';
import { contentsOf } from '../support/contents.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, expectSound, line, post } from '../transaction/support/ledger.js';
import { run } from './command-line.js';
import { accountRecord, customerRecord } from './importing.js';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway({});
  folder = await mkdtemp(join(tmpdir(), 'tillgate-dry-run-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

async function importing(kind: string, program: string, lines: readonly string[], ...options: string[]) {
  const file = join(folder, `${unique(kind)}.ndjson`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const { connectionString = '' } = gateway.sql.options;
  const env = { DATABASE_URL: connectionString, DATA_DIR: folder };
  const { status, stdout, stderr } = await run(['import', kind, file, '--program', program, ...options], env);
  const rejected = await readFile(`${file}.rejected.ndjson`, 'utf8').catch(() => '');
  return { status, stdout, stderr, rejected };
}

/** What both runs tell, without their times. */
function toldBy({ stdout }: { stdout: string }): object {
  const {
    seconds: _seconds,
    rejectedFile: _file,
    dryRun: _dryRun,
    ...counts
  } = JSON.parse(stdout) as Record<string, unknown>;
  return counts;
}

test('a dry run reports what the import reports, also of lines that depend on lines of earlier batches', async () => {
  const given = await gateway.given.account();
  await post(gateway, given, [entry({ transactionId: 'before', amount: '5' })]);
  const many = Array.from({ length: 2 * BATCH_LINES }, (_, index) =>
    entry({ transactionId: `n${index}`, amount: '1' }),
  );
  const lines = [
    ...many,
    // The balance that it expects is the one after all of the lines before it.
    entry({ transactionId: 'right', amount: '1', availableBalance: `${2 * BATCH_LINES + 6}.00` }),
    entry({ transactionId: 'wrong', amount: '1', availableBalance: '1.00' }),
    // The same and a different transaction under an id of the first batch.
    many[0] ?? entry(),
    entry({ transactionId: 'n0', amount: '2' }),
    entry({ transactionId: 'digits', amount: '1.001' }),
    entry({ transactionId: 'before', amount: '6' }),
  ].map(one => line(given.account, one));
  lines.push('not json', line('nobody', entry()));
  await gateway.feedReady();
  const before = await contentsOf(gateway.sql);

  const tried = await importing('transactions', given.program, lines, '--check', '--json');
  expect(tried.status).toBe(1);
  expect(JSON.parse(tried.stdout)).toMatchObject({
    dryRun: true,
    new: 2 * BATCH_LINES + 1,
    unchanged: 1,
    rejected: 6,
    finished: true,
  });
  await gateway.feedReady();
  expect(await contentsOf(gateway.sql)).toEqual(before);

  const done = await importing('transactions', given.program, lines, '--json');
  // An import that ends early says why, and has put nothing aside.
  expect([done.status, done.rejected || done.stderr]).toEqual([tried.status, tried.rejected]);
  expect(toldBy(done)).toEqual(toldBy(tried));
  expect((await expectSound(gateway, given.account)).count).toBe(2 * BATCH_LINES + 2);
});

test('of every kind a dry run keeps nothing, and says so', async () => {
  const program = gateway.given.program();
  const owner = await gateway.given.customer({ program });
  await gateway.feedReady();
  const before = await contentsOf(gateway.sql);
  const customers = [customerRecord(), customerRecord(), customerRecord({ customerId: 'no uuid' })];
  for (const [kind, records, status] of [
    ['customers', customers, 1],
    ['accounts', [accountRecord([owner.customer])], 0],
  ] as const) {
    const told = await importing(
      kind,
      program,
      records.map(record => JSON.stringify(record)),
      '--check',
    );
    expect(told).toMatchObject({ status, stderr: '' });
    expect(told.stdout).toContain(
      `${kind}: ${status === 1 ? 2 : 1} new, 0 updated, 0 unchanged, ${status} rejected in `,
    );
    expect(told.stdout).toContain('This was a check: nothing was kept.\n');
  }
  expect(await contentsOf(gateway.sql)).toEqual(before);
});
