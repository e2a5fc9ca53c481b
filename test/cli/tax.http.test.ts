import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { TaxBank, TRANSMITTER, YEAR, idOf, interest } from '../../packages/us-tax-forms/test/bank.js';
import { documentedResult, run } from './command-line.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
let gateway: TestGateway;
let bank: TaxBank;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-tax-'));
  env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  bank = await TaxBank.open(gateway, [
    { key: '1', last: 'Quill', taxId: '222222201', accounts: [[interest('12.34')]] },
  ]);
  await bank.issue();
  await writeFile(join(folder, 'transmitter.json'), JSON.stringify(TRANSMITTER));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function filing(out: string): string[] {
  const order = ['tax', 'file', '--year', String(YEAR), '--program', bank.program];
  return [...order, '--transmitter', join(folder, 'transmitter.json'), '--out', out];
}
const namesIn = (text: string): string[] => Object.keys(JSON.parse(text) as object);
const documented = async (...command: string[]): Promise<string[]> =>
  Object.keys((await documentedResult(...command)) as object);

test('returns are filed and answered, each with the result that the help shows', async () => {
  const out = join(folder, 'returns');
  const filed = await run([...filing(out), '--json'], env);
  expect(filed).toMatchObject({ status: 0, stderr: '' });
  expect(namesIn(filed.stdout)).toEqual(await documented('tax', 'file'));
  const [name = ''] = await readdir(out);
  expect((await stat(join(out, name))).mode & 0o777).toBe(0o600);

  const { filings } = JSON.parse(filed.stdout) as { filings: readonly { filingId: string }[] };
  const { filingId = '' } = filings[0] ?? {};
  const sent = await run(['tax', 'mark', '--filing', filingId, '--state', 'sent', '--receipt', 'R-1', '--json'], env);
  expect(sent).toMatchObject({ status: 0, stderr: '' });
  expect(namesIn(sent.stdout)).toEqual(await documented('tax', 'mark'));
  expect(await run(filing(out), env)).toMatchObject({ status: 2, stderr: expect.stringMatching(filingId) });

  const answer = join(folder, 'answer.xml');
  const transmission = idOf(await readFile(join(out, name), 'utf8'));
  const status = '<TransmissionStatusCd>Rejected</TransmissionStatusCd>';
  await writeFile(answer, `<ack><UniqueTransmissionId>${transmission}</UniqueTransmissionId>${status}</ack>`);
  const rejected = await run(['tax', 'acknowledge', answer, '--json'], env);
  expect(rejected).toMatchObject({ status: 1, stderr: '' });
  expect(namesIn(rejected.stdout)).toEqual(await documented('tax', 'acknowledge'));

  const replaced = await run(filing(out), env);
  expect(replaced).toMatchObject({ status: 0, stdout: expect.stringMatching(/^replacement: 1 forms, filing /) });
});

test.each([
  [[], 'Name --transmitter FILE for XML, or --template FILE for CSV.'],
  [['--transmitter', '/nowhere.json'], '--transmitter cannot be read'],
  [['--template', '/nowhere.csv'], '--template cannot be read'],
])('it refuses %j', async (options, reason) => {
  const common = ['tax', 'file', '--year', String(YEAR), '--program', bank.program, '--out', join(folder, 'none')];
  expect(await run([...common, ...options], env)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) });
});

test('a year whose format is not known is refused by name', async () => {
  const command = filing(join(folder, 'none')).map(word => (word === String(YEAR) ? '2019' : word));
  expect(await run(command, env)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('taxYear: The format of the returns of this year'),
  });
});
