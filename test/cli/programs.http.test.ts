import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PROGRAM } from '../support/given.js';
import { directly, freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { rejectedLines } from './importing.js';
import { run } from './command-line.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 5).toString('base64')}`;

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let sql: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-programs-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  sql = new pg.Client({ connectionString: directly(database.url) });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await sql.query('DELETE FROM program');
});

async function fileOf(content: unknown): Promise<string> {
  const file = join(folder, 'programs.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const set = async (content: unknown) => run(['programs', 'set', await fileOf(content)], env);
const show = (...options: string[]) => run(['programs', 'show', ...options], env);

describe('programs set', () => {
  test('makes and changes programs, and says how many; the same file again changes nothing', async () => {
    const programs = { harbor: PROGRAM, inland: { name: 'Inland' } };
    expect(await set(programs)).toEqual({
      status: 0,
      stdout: 'programs: 2 new, 0 updated, 0 unchanged\n',
      stderr: '',
    });
    expect((await set(programs)).stdout).toBe('programs: 0 new, 0 updated, 2 unchanged\n');
    expect((await set({ inland: { name: 'Inland Bank' } })).stdout).toBe('programs: 0 new, 1 updated, 0 unchanged\n');
    const { rows } = await sql.query('SELECT program_id, name, version FROM program ORDER BY 1');
    expect(rows).toEqual([
      { program_id: 'harbor', name: 'Harbor', version: 1 },
      { program_id: 'inland', name: 'Inland Bank', version: 2 },
    ]);
    const events = await sql.query('SELECT program, action FROM event ORDER BY id');
    expect(events.rows).toEqual([
      { program: 'harbor', action: 'program.create' },
      { program: 'inland', action: 'program.create' },
      { program: 'inland', action: 'program.update' },
    ]);
    expect((await run(['events', 'verify'], env)).status).toBe(0);
  });

  test('names every mistake with its program and field, repeats no value, and writes nothing', async () => {
    const { status, stdout, stderr } = await set({
      harbor: { ...PROGRAM, colour: 'SECRET-1', payer: { ...PROGRAM.payer, taxId: 'SECRET-2' } },
      inland: 5,
      'no program': { name: '' },
      old: {
        ...PROGRAM,
        letterhead: { ...PROGRAM.letterhead, addressLines: ['1 Quay', 7] },
        payer: { ...PROGRAM.payer, taxId: '00-1234567' },
      },
      other: { programId: 'harbor', name: 'Other' },
      port: PROGRAM,
    });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toEqual([
      'harbor: A field is unknown. Use one of letterhead, payer, errorResolution, logo, approvals, transfers, clients, checkFunds, exactSearch, statementsWithoutActivity, operatorGroups, retentionYears, programId, name.',
      'harbor: payer.taxId: Must be an employer identification number such as 12-3456789; none begins with 00.',
      'program 2: Must be an object.',
      'program 3: programId: Must be 1 to 64 visible ASCII characters, not . or .., which are steps of a path.',
      'program 3: name: Must be 1 to 100 printable characters, at least one of them a letter or a digit.',
      'old: letterhead.addressLines.1: Must be a string.',
      'old: payer.taxId: Must be an employer identification number such as 12-3456789; none begins with 00.',
      'other: programId: Must be the id under which the file has the record.',
    ]);
    expect((await sql.query('SELECT FROM program')).rows).toEqual([]);
  });

  test.each([
    ['no JSON', '{ "harbor": SECRET', 'FILE must be JSON in UTF-8.'],
    ['no YAML', 'harbor: [SECRET', 'FILE is no YAML on line 1 (BAD_INDENT). Correct it.'],
    ['a list', '[]', 'The file must be an object with the programs by their ids.'],
    ['a program twice', '{"harbor": {}, "harbor": {}}', 'FILE has a name twice in one object. Remove one of them.'],
  ])('refuses %s', async (_what, content, message) => {
    expect(await set(content)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${message.replace('FILE', join(folder, 'programs.json'))}\n`,
    });
  });

  test('refuses a file that is not there', async () => {
    expect(await run(['programs', 'set', join(folder, 'nowhere')], env)).toMatchObject({
      status: 2,
      stderr: `${join(folder, 'nowhere')} cannot be opened. Check the path and the permissions.\n`,
    });
  });
});

describe('programs show', () => {
  test('shows what is on record and what is missing, with the tax id masked', async () => {
    const approvals = { changingOwners: true, reversalsAbove: [{ currency: 'USD', amount: '100' }] };
    await set({
      harbor: { ...PROGRAM, approvals, clients: ['core'], checkFunds: true, exactSearch: true },
      inland: { name: 'Inland' },
    });
    expect((await show()).stdout).toBe(`harbor: Harbor
  letterhead        Harbor Example Bank | 1 Quay Street | Port Ambergill, OR 97000 | +1 503 555 0100
  payer             Harbor Example Bank, N.A. | 2 Quay Street | Port Ambergill, OR 97000 | +1 503 555 0101 | ******6789
  error resolution  +1 503 555 0111 | PO Box 11 | Port Ambergill, OR 97000
  logo              none
  approvals         reversals above 100 USD, changing owners
  transfers         none
  clients           core
  checks funds of   holds
  finds people by   whole names
  without activity  statements where there is a balance
  groups            none
  retention         none
  statements        ready
  forms 1099-INT    ready
inland: Inland
  letterhead        none
  payer             none
  error resolution  none
  logo              none
  approvals         none
  transfers         none
  clients           none
  checks funds of   none
  finds people by   names and beginnings
  without activity  statements where there is a balance
  groups            none
  retention         none
  statements        lack letterhead.name, letterhead.addressLines, errorResolution
  forms 1099-INT    lack payer.name, payer.addressLines, payer.telephone, payer.taxId
`);
    expect((await show('--program', 'inland')).stdout).toMatch(/^inland: Inland\n/);
  });

  test('says that there is nothing to show, or not of that program', async () => {
    expect(await show()).toMatchObject({
      status: 0,
      stdout: 'No program has a record. Make one with tillgate programs set FILE.\n',
    });
    expect(await show('--program', 'nobody')).toMatchObject({
      status: 2,
      stderr: 'The program in --program has no record. Make one with tillgate programs set FILE.\n',
    });
  });
});

describe('import programs', () => {
  const importing = async (records: readonly object[], ...options: string[]) => {
    const file = join(folder, 'programs.ndjson');
    await writeFile(file, records.map(record => `${JSON.stringify(record)}\n`).join(''));
    return { file, ...(await run(['import', 'programs', file, ...options], env)) };
  };

  test('takes a record a line, each for its own program', async () => {
    const records = ['harbor', 'inland'].map(programId => ({ programId, ...PROGRAM }));
    expect((await importing(records)).stdout).toMatch(/^programs: 2 new, 0 updated, 0 unchanged, 0 rejected in /);
    expect((await importing(records)).stdout).toMatch(/^programs: 0 new, 0 updated, 2 unchanged, 0 rejected in /);
  });

  test('for one program rejects the lines of others', async () => {
    const records = ['harbor', 'inland'].map(programId => ({ programId, ...PROGRAM }));
    const { status, file } = await importing(records, '--program', 'inland');
    expect(status).toBe(1);
    expect(await rejectedLines(`${file}.rejected.ndjson`)).toMatchObject([
      { line: 1, code: 'rule_broken', errors: [{ pointer: '/programId', code: 'taken' }] },
    ]);
  });

  test('other records still need their program', async () => {
    const { status, stderr } = await run(['import', 'customers', 'nowhere'], env);
    expect([status, stderr]).toEqual([2, 'The option --program <program> is missing.\nSee: tillgate import --help\n']);
  });
});
