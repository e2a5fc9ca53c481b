import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';
import { StatementVault } from '../../../src/bank/statement/statement.vault.js';
import { run, tillgate } from '../../cli/command-line.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { PROGRAM, type GivenAccount } from '../../support/given.js';
import { directly, freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { formsOf, issue, only, post, statementsOf, type Archive } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ closeMonthly: true });
});
afterAll(() => gateway.stop());

const renamed = (name: string) => ({ letterhead: { ...PROGRAM.letterhead, name } });

/** An account with interest in March 2024, of a program whose record has these changes; null for no record. */
async function given(changes: object | null = {}, program = gateway.given.program()): Promise<GivenAccount> {
  if (changes) await gateway.given.programRecord(program, changes);
  const of = await gateway.given.account({ program });
  await post(gateway, of, [{ at: '2024-03-05', amount: '20.00', type: 'INTEREST' }]);
  return of;
}

const FIELD_KEYS = `k1:${Buffer.alloc(32, 3).toString('base64')}`;
const REFUSED =
  'These programs lack what the documents must say, so nothing was issued. Complete them with tillgate programs set FILE, or name another --program.';

test('documents say what is on record when the run begins, and those that are issued stay as they are', async () => {
  const of = await given(renamed('First Bank'));
  await issue(gateway, 'close', '2024-03', of.program);
  await gateway.given.programRecord(of.program, renamed('Second Bank'));
  await issue(gateway, 'close', '2024-04', of.program);
  const statements = await statementsOf(gateway, of.account);
  expect(statements.map(({ content }) => content.issuer)).toEqual([
    { ...PROGRAM.letterhead, name: 'First Bank', errorResolution: PROGRAM.errorResolution },
    { ...PROGRAM.letterhead, name: 'Second Bank', errorResolution: PROGRAM.errorResolution },
  ]);
  await issue(gateway, '1099', '2024', of.program);
  expect(only(await formsOf(gateway, of.account)).content.payer).toEqual({
    ...PROGRAM.payer,
    state: null,
    stateTaxId: null,
  });
});

test('what a run keeps of its issuers is sealed', async () => {
  const of = await given(renamed('Quillfeather Bank'));
  await issue(gateway, '1099', '2024', of.program);
  const { rows } = await gateway.sql.query(
    `SELECT encode(sealed, 'escape') AS sealed FROM issue_run_issuer WHERE program = $1`,
    [of.program],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].sealed).not.toMatch(/Quillfeather|12-3456789/);
});

describe('a program that lacks what documents must say', () => {
  let own: TestGateway;
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
    own = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
    for (const [program, changes] of Object.entries(RECORDS)) {
      if (changes) await own.given.programRecord(program, changes);
      const of = await own.given.account({ program });
      await post(own, of, [{ at: '2024-03-05', amount: '20.00', type: 'INTEREST' }]);
    }
  });
  afterAll(async () => {
    await own.stop();
    await database.drop();
  });
  /** How the command ended that issues to all programs, or to one. */
  const ended = async (...args: string[]) => {
    const env = { DATABASE_URL: database.url, DATA_DIR: tmpdir(), FIELD_KEYS };
    const { status, stderr } = await run(['statements', ...args], env);
    return [status, stderr.trim().split('\n')];
  };
  const RECORDS = {
    bare: { letterhead: null, payer: null, errorResolution: null },
    complete: {},
    contact: { letterhead: { ...PROGRAM.letterhead, telephone: null }, payer: { ...PROGRAM.payer, taxId: null } },
    silent: { letterhead: { ...PROGRAM.letterhead, telephone: null }, errorResolution: null },
    unknown: null,
  };

  test('is refused before the first document, with all that each of them lacks', async () => {
    expect(await ended('close', '--month', '2024-03')).toEqual([
      2,
      [
        REFUSED,
        'bare: letterhead.name, letterhead.addressLines, errorResolution',
        'silent: errorResolution',
        'unknown: the record',
      ],
    ]);
    expect(await ended('1099', '--year', '2024')).toEqual([
      2,
      [
        REFUSED,
        'bare: payer.name, payer.addressLines, payer.telephone, payer.taxId',
        'contact: payer.taxId',
        'unknown: the record',
      ],
    ]);
    expect(await ended('close', '--month', '2024-03', '--program', 'silent')).toEqual([
      2,
      [REFUSED, 'silent: errorResolution'],
    ]);
    expect((await own.sql.query('SELECT FROM issue_run')).rows).toEqual([]);
    expect((await own.sql.query('SELECT FROM statement')).rows).toEqual([]);
  });

  test('does not keep another one from its documents that is named', async () => {
    // What it writes besides is its progress, where it takes long.
    const [code] = await ended('close', '--month', '2024-03', '--program', 'contact');
    expect(code).toBe(0);
    expect((await own.sql.query('SELECT program FROM statement')).rows).toEqual([{ program: 'contact' }]);
  });
});

test('the close of a month issues for the programs that are complete, and logs the others', async () => {
  const lastMonth = new Date();
  lastMonth.setUTCDate(0);
  const [good, bad] = [await given({}), await given({ letterhead: null })];
  const posting = { at: lastMonth.toISOString().slice(0, 10), amount: '1.00' };
  for (const account of [good, bad]) await post(gateway, account, [posting]);
  // What the schedule does on the first of a month.
  await gateway.sql.query(`SELECT graphile_worker.add_job('close_last_month')`);
  await until(async () => (await statementsOf(gateway, good.account)).length > 0);
  const line = gateway.log.find(text => text.includes('programs lack what statements must say')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    period: posting.at.slice(0, 7),
    incomplete: [{ program: bad.program, missing: ['letterhead.name', 'letterhead.addressLines'] }],
  });
  expect(await statementsOf(gateway, bad.account)).toEqual([]);

  // A run that left the program out is not taken for one that issues to it.
  await gateway.given.programRecord(bad.program);
  await issue(gateway, 'close', posting.at.slice(0, 7), bad.program);
  expect(await statementsOf(gateway, bad.account)).toHaveLength(1);
});

test('processes of different environments print one letterhead in a run, which is killed in the middle', async () => {
  const database = await freshDatabase();
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'tillgate-issuers-'))));
  const envOf = (folder: string | undefined) => ({ DATABASE_URL: database.url, DATA_DIR: folder ?? '', FIELD_KEYS });
  const [one, other] = [envOf(folders[0]), envOf(folders[1])];
  const set = async (name: string): Promise<void> => {
    const file = join(folders[0] as string, 'programs.json');
    await writeFile(file, JSON.stringify({ harbor: { ...PROGRAM, ...renamed(name) } }));
    expect((await run(['programs', 'set', file], one)).status).toBe(0);
  };
  const maker = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  const owner = await maker.given.customer({ program: 'harbor' });
  const accounts: GivenAccount[] = [];
  for (let count = 0; count < 250; count++) {
    const of = await maker.given.account({ program: 'harbor', owners: [owner.customer] });
    await post(maker, of, [{ at: '2024-03-05', amount: '10.00' }]);
    accounts.push(of);
  }
  await maker.stop();
  await set('First Bank');

  // One process begins the run and is killed when it has issued some documents.
  const command = tillgate(['statements', 'close', '--month', '2024-03'], one);
  const sql = new pg.Pool({ connectionString: directly(database.url) });
  const statementVault = new StatementVault(KeyRing.parse(FIELD_KEYS));
  const archive: Archive = { sql, openDocument: async (...document) => statementVault.open(...document) };
  const issued = async (): Promise<number> =>
    (await sql.query('SELECT count(*)::int AS count FROM statement')).rows[0].count;
  await until(async () => (await issued()) > 0);
  command.child.kill('SIGKILL');
  await command.ended;
  const ofTheFirst = await issued();

  // The letterhead changes, and another process, in another place and with other settings, goes on.
  await set('Second Bank');
  const server = tillgate(['serve'], {
    ...other,
    PORT: '0',
    POOL_SIZE: '3',
    DEMO_DATA: 'false',
    STATEMENTS_MONTHLY: 'true',
    CARDS_PREFIX: 'kort',
  });
  await server.printed(/^http\S+$/m);
  await until(async () => (await issued()) === accounts.length);
  const names = new Set<string>();
  for (const { account } of accounts) names.add(only(await statementsOf(archive, account)).content.issuer.name);
  expect([ofTheFirst < accounts.length, [...names]]).toEqual([true, ['First Bank']]);

  // The next run begins with what is on record now.
  expect((await run(['statements', 'close', '--month', '2024-04'], one)).status).toBe(0);
  const [, april] = await statementsOf(archive, accounts[0]?.account ?? '');
  expect(april?.content.issuer.name).toBe('Second Bank');
  server.child.kill('SIGTERM');
  await server.ended;
  await sql.end();
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});
