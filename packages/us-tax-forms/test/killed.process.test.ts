import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tillgate, run } from '../../../test/cli/command-line.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../../test/support/gateway-inside.js';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';
import { testUnless } from '../../../test/support/unless.js';
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

/** Starts a process that runs a script with `writePrivateFile`. */
function writing(script: string) {
  const files = new URL('../../../src/cli/private-file.ts', import.meta.url).href;
  const sources = new URL('../../../test/cli/sources.mjs', import.meta.url).href;
  const whole = `import { writePrivateFile } from '${files}';\n${script}`;
  return spawn(process.execPath, ['--import', sources, '--input-type=module', '--eval', whole]);
}

test('a run that is killed while it writes a file leaves nothing of it', async () => {
  const out = await mkdtemp(join(folder, 'body-'));
  const child = writing(`
    async function* content() {
      for (let line = 0; line < 3; line++) yield Buffer.from('${TAX_ID}'.repeat(100_000));
      console.log('written');
      await new Promise(() => setInterval(() => undefined, 1000));
    }
    await writePrivateFile('${out}/returns.xml', content());`);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await readdir(out)).toEqual([]);
});

const UNLESS_LINUX = process.platform === 'linux' ? null : 'files without a name are of Linux';

testUnless(UNLESS_LINUX)('a run that is killed while it finishes files leaves whole ones alone', async () => {
  const out = await mkdtemp(join(folder, 'whole-'));
  const times = 500_000;
  const script = `
    async function* content() {
      yield Buffer.from('<opening>');
      yield Buffer.from('${TAX_ID}'.repeat(${times}));
      yield Buffer.from('<closing>');
    }
    for (let n = 0; ; n++) {
      await writePrivateFile('${out}/returns-' + process.pid + '-' + n + '.xml', content());
      console.log('written');
    }`;
  const whole = '<opening><closing>'.length + times * TAX_ID.length;
  let written = 0;
  for (const laterMs of [0, 1, 2, 3, 5, 8, 12, 17]) {
    const child = writing(script);
    await once(child.stdout, 'data');
    await sleep(laterMs);
    child.kill('SIGKILL');
    await once(child, 'close');
    for (const name of await readdir(out)) {
      const text = await readFile(join(out, name), 'utf8');
      expect([name.endsWith('.xml'), text.length, text.endsWith('<closing>')]).toEqual([true, whole, true]);
      await rm(join(out, name));
      written += 1;
    }
  }
  expect(written).toBeGreaterThanOrEqual(8);
});

test('a file is whole and for its owner alone, also where the system has no command that names it', async () => {
  const out = await mkdtemp(join(folder, 'named-'));
  for (const path of [process.env['PATH'] ?? '', join(folder, 'nothing')]) {
    const child = writing(`
      process.env.PATH = '${path}';
      async function* content() {
        for (const part of ['<opening>', '${TAX_ID}', '<closing>']) yield Buffer.from(part);
      }
      await writePrivateFile('${out}/returns.xml', content());`);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await readdir(out)).toEqual(['returns.xml']);
    expect(await readFile(join(out, 'returns.xml'), 'utf8')).toBe(`<opening>${TAX_ID}<closing>`);
    expect((await stat(join(out, 'returns.xml'))).mode & 0o777).toBe(0o600);
    await rm(join(out, 'returns.xml'));
  }
});

test('a run that is killed while its returns are written leaves no file, and the next one files', async () => {
  const out = join(folder, 'returns');
  const env = { DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS };
  const files = ['--transmitter', join(folder, 'transmitter.json'), '--out', out];
  const command = ['tax', 'file', '--year', String(YEAR), '--program', bank.program, ...files];
  const lock = await gateway.sql.connect();
  try {
    // Others can read, so the command goes on until it has made its draft.
    await lock.query('BEGIN; LOCK TABLE tax_transmission IN EXCLUSIVE MODE');
    const { child, ended } = tillgate(command, env);
    await until(async () => (await filings()).length > 0);
    child.kill('SIGKILL');
    await ended;
    expect(await readdir(out)).toEqual([]);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
  expect(await run(command, env)).toMatchObject({ status: 0, stderr: '' });
  const written = await filings();
  expect(written.map(({ state }) => state)).toEqual(['EXPORTED', 'REPLACED']);
  expect(await readdir(out)).toEqual([written[0]?.transmissions[0]?.fileName]);

  // A third one takes the place of the second one, whose file is removed.
  expect(await run(command, env)).toMatchObject({ status: 0, stderr: '' });
  expect(await readdir(out)).toEqual([(await filings())[0]?.transmissions[0]?.fileName]);
});

interface Filing {
  readonly state: string;
  readonly transmissions: readonly { readonly fileName: string }[];
}

async function filings(): Promise<readonly Filing[]> {
  const { data } = await gateway
    .as(bank.caller)
    .graphql('{ taxFilings { nodes { state: status transmissions { fileName } } } }');
  return data.taxFilings.nodes;
}
