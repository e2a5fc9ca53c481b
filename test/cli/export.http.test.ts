import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { readCamt053 } from '../support/reports/camt053.js';
import { until } from '../support/until.js';
import { issue, post } from '../statement/issue/issuing.js';
import { begin, documentedResult, run } from './command-line.js';

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: TestGateway;
const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-export-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function givenAccount(fields: Parameters<TestGateway['given']['account']>[0] = {}): Promise<GivenAccount> {
  const of = await gateway.given.account(fields);
  await post(gateway, of, [
    { at: '2024-02-10', amount: '100' },
    { at: '2024-03-05', amount: '12.50', type: 'INTEREST', description: '=Interest, "March"' },
  ]);
  return of;
}

const MARCH = ['--from', '2024-03-01', '--to', '2024-03-31'];

describe('export transactions', () => {
  test('writes what the gateway answers, into a file that only its owner may read', async () => {
    const of = await givenAccount();
    const file = join(folder, 'march.xml');
    const args = ['export', 'transactions', '--account', of.account, ...MARCH, '--format', 'camt.053'];
    const ended = await run([...args, '--out', file], env);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^transactions: 1 exported in [\d.]+ s \(\d+ rows\/s\)\n$/);
    const written = await readFile(file);
    const path = `/accounts/${of.account}/transactions?startTime=2024-03-01&endTime=2024-03-31&format=camt.053`;
    expect(written).toEqual((await gateway.as(of.caller).rest.get(path)).bytes);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const printed = await run([...args], env);
    expect([printed.status, printed.stdout]).toEqual([0, written.toString()]);
    expect(await readdir(folder)).not.toContain('march.xml.partial');
  });

  test('tells its result as the help shows it', async () => {
    const of = await givenAccount();
    const args = ['export', 'transactions', '--account', of.account, ...MARCH, '--format', 'bai2', '--json'];
    const { stdout } = await run([...args, '--out', join(folder, 'march.bai2')], env);
    const documented = (await documentedResult('export', 'transactions')) as object;
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(Object.keys(documented));
  });

  test('of an account that does not exist writes nothing', async () => {
    const file = join(folder, 'nothing.ofx');
    const args = ['export', 'transactions', '--account', 'nobody-1', ...MARCH, '--format', 'ofx', '--out', file];
    const { status, stdout, stderr } = await run(args, env);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).not.toContain('nobody-1');
    await expect(stat(file)).rejects.toThrow();
  });

  test.each([
    [['--format', 'qif', ...MARCH], 'one of csv, camt.053, ofx, ofx1, bai2'],
    [['--format', 'ofx', '--bom', ...MARCH], '--bom is for --format csv'],
    [['--format', 'ofx', '--from', '2024-02-30', '--to', '2024-03-01'], '--from must be a day'],
    [['--format', 'ofx', '--from', '2024-03-02', '--to', '2024-03-01'], '--to must not be before --from'],
    [['--format', 'ofx', ...MARCH, '--out', '/nowhere/at/all.ofx'], '--out cannot be written'],
  ])('with %j is refused', async (args, message) => {
    const { account } = await givenAccount();
    const ended = await run(['export', 'transactions', '--account', account, ...args], env);
    expect([ended.status, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(message);
  });
});

describe('export statements', () => {
  test('writes the statements of a month, each into a file, and the same bytes again', async () => {
    const program = gateway.given.program();
    const accounts = [
      await givenAccount({ program }),
      await givenAccount({ program, accountId: `../${program}/a*b` }),
    ] as const;
    await issue(gateway, 'close', '2024-03', program);
    const out = join(folder, 'of', program);
    const args = ['export', 'statements', '--month', '2024-03', '--program', program, '--out', out];
    const ended = await run([...args, '--format', 'camt.053', '--json'], env);
    expect(JSON.parse(ended.stdout)).toMatchObject({ format: 'camt.053', statements: 2, finished: true });
    const names = await readdir(out);
    expect(names.sort()).toEqual(
      [accounts[0].account, `%2E%2E%2F${program}%2Fa%2Ab`]
        .map(name => `${name}-statement-2024-03-31.camt053.xml`)
        .sort(),
    );
    const files = await Promise.all(names.map(name => readFile(join(out, name))));
    const found = files.map(file => readCamt053(file.toString()));
    expect(found.map(({ account }) => account).sort()).toEqual(accounts.map(({ account }) => account).sort());
    expect(found.map(({ opening, closing }) => [opening, closing])).toEqual([
      ['100.00', '112.50'],
      ['100.00', '112.50'],
    ]);
    expect((await run([...args, '--format', 'camt.053'], env)).status).toBe(0);
    expect(await Promise.all(names.map(name => readFile(join(out, name))))).toEqual(files);
    // The PDFs, and of one account alone.
    await run([...args, '--format', 'pdf', '--account', accounts[0].account], env);
    const pdfs = (await readdir(out)).filter(name => name.endsWith('.pdf'));
    expect(pdfs).toEqual([`${accounts[0].account}-statement-2024-03-31.pdf`]);
    expect((await readFile(join(out, String(pdfs[0])))).toString('latin1', 0, 5)).toBe('%PDF-');
  });

  test('that is stopped says so, and leaves no half of a file', async () => {
    const program = gateway.given.program();
    const all = 150;
    for (let count = 0; count < all; count++) await gateway.given.statement({ statementDate: '2023-05-31' });
    const out = join(folder, 'stopped', program);
    const { ended, signal } = begin(
      ['export', 'statements', '--month', '2023-05', '--format', 'bai2', '--out', out],
      env,
    );
    await until(async () => (await readdir(out).catch(() => [])).length > 2);
    await signal('SIGTERM');
    const { status, stderr, stdout } = await ended;
    expect([status, stderr]).toEqual([143, expect.stringContaining('The export was stopped.')]);
    const names = await readdir(out);
    expect(names.filter(name => name.endsWith('.partial'))).toEqual([]);
    expect(stdout).toContain(`statements: ${names.length} exported`);
    expect(names.length).toBeLessThan(all);
  });
});

describe('export 1099', () => {
  test('writes a line for each form, corrections marked, with both parties and all boxes', async () => {
    const program = gateway.given.program();
    const of = await gateway.given.account({ program });
    const tax = { of, documentType: 'TAX_1099', statementDate: '2023-12-31' } as const;
    const first = await gateway.given.statement({ ...tax, issuedAt: '2024-01-15T12:00:00Z' });
    const boxes = { 1: '-0.50', 7: 'Portugal' };
    const correction = await gateway.given.statement({
      ...tax,
      correctsStatementId: first.statement,
      issuedAt: '2024-02-15T12:00:00Z',
      content: {
        boxes,
        correctedStatementId: first.statement,
        correctionKind: 'AMOUNT',
        recipientTaxId: '123454417',
      },
    });
    // Another program's.
    await gateway.given.statement({ documentType: 'TAX_1099', statementDate: '2023-12-31' });
    const file = join(folder, 'forms.csv');
    const ended = await run(['export', '1099', '--year', '2023', '--program', program, '--out', file], env);
    expect(ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/^forms: 2 exported in /) });
    const lines = (await readFile(file, 'utf8')).split('\r\n');
    expect(lines[0]).toMatch(/^accountId,statementId,taxYear,issuedOn,correctionKind,.*,box1,box2,.*,box17$/);
    // The whole tax id where it was kept, and what the form shows where it was not.
    const parties = (taxId: string) =>
      `Harbor Bank,01-7654321,"1 Quay Street, Portland, ME 04101",,Marisol Whitcombe,${taxId},12 Lantern Hill Road`;
    expect(lines[1]).toBe(
      `${of.account},${first.statement},2025,2026-01-15,,,${correction.statement},${parties('***-**-4417')},****4242,USD,true,1234.50,,,0.10,,,Portugal,,,,,,,,ME,0042,`,
    );
    expect(lines[2]).toBe(
      `${of.account},${correction.statement},2025,2026-01-15,AMOUNT,${first.statement},,${parties('123454417')},****4242,USD,true,-0.50,,,,,,Portugal,,,,,,,,,,`,
    );
    expect(lines.slice(3)).toEqual(['']);
    await run(['export', '1099', '--year', '2023', '--program', program, '--out', file, '--bom'], env);
    expect((await readFile(file)).subarray(0, 3)).toEqual(Buffer.from('\ufeff'));
  });
});
