import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unwrapKeys } from '../../../src/platform/crypto/key-command.js';
import { run } from '../../cli/command-line.js';
import { freshDatabase, type FreshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { testUnless, unlessInstalled } from '../../support/unless.js';

const RING = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const folder = mkdtempSync(join(tmpdir(), 'tillgate-key-command-'));
let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** The cells of the recipe of docs/keys.md for a wrapping key: how to wrap, and the command. */
function recipeOf(wrappingKey: string): { wrap: string; command: string } {
  const row = readFileSync('docs/keys.md', 'utf8')
    .split('\n')
    .find(line => line.startsWith(`| ${wrappingKey} `));
  const [, wrap = '', command = ''] = [...(row ?? '').matchAll(/`([^`]+)`/g)].reduce<string[]>(
    (cells, [, code = '']) => [...cells, code.replaceAll(String.raw`\|`, '|')],
    [''],
  );
  return { wrap, command };
}

function shell(script: string, env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', script], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const installed = (program: string): string | null =>
  unlessInstalled(program, spawnSync('sh', ['-c', `command -v ${program}`]).stdout.toString());

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const show = (settings: Record<string, string>) => {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  return run(['programs', 'show', '--json'], { DATABASE_URL: database.url, DATA_DIR: folder, ...env });
};

testUnless(installed('age'))('the recipe for age opens keys', async () => {
  const { wrap, command } = recipeOf('age');
  writeFileSync(join(folder, 'ring.txt'), RING);
  shell(`age-keygen --output identity.txt 2> /dev/null; RECIPIENT=$(age-keygen -y identity.txt); ${wrap}`);
  const settings = {
    FIELD_KEYS_FILE: join(folder, 'field-keys'),
    KEY_COMMAND: command.replace('/run/secrets', folder),
  };
  expect(await show(settings)).toMatchObject({ status: 0, stdout: '{"programs":[]}\n', stderr: '' });
  // An identity that is not the one of the recipient.
  shell('rm identity.txt; age-keygen --output identity.txt 2> /dev/null');
  const refused = await show(settings);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('KEY_COMMAND ended with status 1. Run it by hand with the value of FIELD_KEYS');
});

testUnless(installed('softhsm2-util') ?? installed('pkcs11-tool') ?? installed('openssl'))(
  'the recipe for a PKCS#11 token opens keys',
  async () => {
    const { wrap, command } = recipeOf('PKCS#11');
    const [, module = ''] = /--module (\S+)/.exec(command) ?? [];
    mkdirSync(join(folder, 'tokens'));
    writeFileSync(join(folder, 'softhsm2.conf'), `directories.tokendir = ${folder}/tokens\n`);
    const env = { SOFTHSM2_CONF: join(folder, 'softhsm2.conf'), PIN: '87654321' };
    writeFileSync(join(folder, 'ring.txt'), RING);
    const token = `pkcs11-tool --module ${module} --token-label tillgate`;
    shell(
      `
      softhsm2-util --init-token --free --label tillgate --so-pin 12345678 --pin $PIN > /dev/null
      ${token} --login --pin $PIN --keypairgen --key-type rsa:4096 --id 01 > /dev/null 2>&1
      ${token} --read-object --type pubkey --id 01 2> /dev/null | openssl pkey -pubin -inform DER -out wrapping.pem
      ${wrap}`,
      env,
    );
    const settings = { ...env, FIELD_KEYS: readFileSync(join(folder, 'field-keys'), 'utf8'), KEY_COMMAND: command };
    expect(await show(settings)).toMatchObject({ status: 0, stdout: '{"programs":[]}\n', stderr: '' });
  },
);

test('a command that gives no keys is told by how it ended, and by nothing that it printed', async () => {
  const FIELD_KEYS = 'wrapped';
  const problems = {
    'echo k1:secret-part >&2; exit 3': 'KEY_COMMAND ended with status 3.',
    'kill -9 $$': 'KEY_COMMAND was ended by SIGKILL.',
    'echo k1:secret-part': 'KEY_COMMAND printed no valid key ring for FIELD_KEYS. Key 1 of the key ring must be id:key',
    'yes k1:secret-part': 'KEY_COMMAND printed more than 16384 bytes.',
  };
  for (const [command, problem] of Object.entries(problems)) {
    const { status, stdout, stderr } = await show({ FIELD_KEYS, KEY_COMMAND: command });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).not.toMatch(/secret-part|wrapped/);
  }
});

test('a command that hangs is ended, with what it has started', async () => {
  const pidFile = join(folder, 'pid');
  await expect(
    unwrapKeys({ command: `sleep 600 & echo $! > ${pidFile}; wait`, env: {} }, 'wrapped', 2000),
  ).rejects.toThrow('did not end within 2 s');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await until(() => !isRunning(pid));
});

test('the command gets the wrapped keys as its input, credentials of others, and no setting of the gateway', async () => {
  const KEY_COMMAND = `[ "$(printenv VAULT_TOKEN)" = kept ] && ! printenv FIELD_KEYS DATABASE_URL METRICS_TOKEN >&2 && cat`;
  const settings = { FIELD_KEYS: RING, METRICS_TOKEN: 'm'.repeat(32), VAULT_TOKEN: 'kept', KEY_COMMAND };
  expect(await show(settings)).toMatchObject({ status: 0, stdout: '{"programs":[]}\n', stderr: '' });
});

test('it needs the keys that it unwraps', async () => {
  expect((await show({ KEY_COMMAND: 'cat' })).stderr).toContain(
    'KEY_COMMAND is set, and FIELD_KEYS is not. Set both, or unset it.',
  );
});
