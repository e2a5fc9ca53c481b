import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tillgate, run } from '../../../test/cli/command-line.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../../test/support/gateway-inside.js';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';
import { until } from '../../../test/support/until.js';
import { TaxBank, TRANSMITTER, YEAR, interest } from './bank.js';

const FIELD_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const TAX_ID = '222222201';

let database: FreshDatabase;
let folder: string;
let gateway: GatewayInThisProcess;
let bank: TaxBank;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-killed-'));
  gateway = await startGatewayInside({ databaseUrl: database.url, fieldKeys: FIELD_KEYS });
  bank = await TaxBank.open(gateway, [{ key: '1', last: 'Quill', taxId: TAX_ID, accounts: [[interest('12.34')]] }]);
  await bank.issue();
  await writeFile(join(folder, 'transmitter.json'), JSON.stringify(TRANSMITTER));
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a run that is killed while it writes a file leaves nothing of it', async () => {
  const out = await mkdtemp(join(folder, 'body-'));
  const script = `import { ReturnFile } from '${new URL('../src/filing/return-files.ts', import.meta.url).href}';
    const file = await ReturnFile.begin('${out}', 'returns.xml');
    for (let line = 0; line < 3; line++) await file.add('${TAX_ID}'.repeat(100_000));
    console.log('written');
    setInterval(() => undefined, 1000);`;
  const sources = new URL('../../../test/cli/sources.mjs', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', sources, '--input-type=module', '--eval', script]);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await readdir(out)).toEqual([]);
});

test('the next run removes the files of one that was killed before it had finished', async () => {
  const out = join(folder, 'returns');
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  const files = ['--transmitter', join(folder, 'transmitter.json'), '--out', out];
  const command = ['tax', 'file', '--year', String(YEAR), '--program', bank.program, ...files];
  const written = () => readdir(out).catch(() => []);
  const lock = await gateway.sql.connect();
  let killed: string[];
  try {
    // Others can read, so the command goes on until it says which files it has written.
    await lock.query('BEGIN; LOCK TABLE tax_transmission IN EXCLUSIVE MODE');
    const { child, ended } = tillgate(command, env);
    await until(async () => (await written()).some(name => name.endsWith('.xml')));
    child.kill('SIGKILL');
    await ended;
    killed = await written();
    expect(await readFile(join(out, killed[0] ?? ''), 'utf8')).toContain(TAX_ID);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  expect(await run(command, env)).toMatchObject({ status: 0, stderr: '' });
  const after = await written();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(killed);
  const { data } = await gateway
    .as(bank.caller)
    .graphql('{ taxFilings { nodes { state forms transmissions { fileName } } } }');
  expect(data.taxFilings.nodes).toEqual([
    { state: 'EXPORTED', forms: 1, transmissions: [{ fileName: after[0] }] },
    // PostgreSQL may carry out the statement that waited for the lock when its client is gone.
    { state: 'REPLACED', forms: 0, transmissions: expect.any(Array) },
  ]);
});
