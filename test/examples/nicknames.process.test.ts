import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runProcess, tillgate } from '../cli/command-line.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';

const EXAMPLE = new URL('../../examples/nicknames/nicknames.ts', import.meta.url);
const PAGE = new URL('../../docs/embedding.md', import.meta.url);

let database: FreshDatabase;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-nouns-'));
  env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), NOUNS: fileURLToPath(EXAMPLE) };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('the commands know the nouns of the setting NOUNS: migrations, rights, and what is served', async () => {
  const migrated = await runProcess(['migrate', '--json'], env);
  expect(JSON.parse(migrated.stdout)).toEqual({ applied: ['nicknames/1-table'] });
  expect(JSON.parse((await runProcess(['migrate', '--json'], env)).stdout)).toEqual({ applied: [] });
  const grants = await runProcess(['grants', '--role', 'pg_monitor'], env);
  expect(grants.stdout).toContain('account_nickname TO pg_monitor;');
  const { child, ended, printed } = tillgate(['serve'], { ...env, PORT: '0' });
  const [url = ''] = /^http:\S+$/m.exec(await printed(/^http:\S+$/m)) ?? [];
  const openApi = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: object };
  expect(Object.keys(openApi.paths)).toContain('/accounts/{accountId}/nickname');
  child.kill('SIGTERM');
  expect((await ended).status).toBe(0);
});

test('a gateway in production does not start without the tables of a noun', async () => {
  const fresh = await freshDatabase();
  try {
    const { status, stdout, stderr } = await runProcess(['serve'], {
      ...env,
      DATABASE_URL: fresh.url,
      NODE_ENV: 'production',
      AUTH_ISSUER: 'https://login.bank.example',
      AUTH_AUDIENCE: 'tillgate',
      AUTH_JWKS_URL: 'https://login.bank.example/keys',
      FIELD_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
      CONSOLE: 'false',
      PORT: '0',
    });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('The database lacks the migration nicknames/1-table. Run: tillgate migrate');
  } finally {
    await fresh.drop();
  }
});

test.each([
  ['./missing.js', 'NOUNS names a module that cannot be loaded.'],
  ['./empty.mjs', 'NOUNS names a module that has no list of nouns. Export one from it as `nouns`.'],
])('a gateway whose NOUNS is %s does not start, and says why', async (name, problem) => {
  await writeFile(join(folder, 'empty.mjs'), 'export {};\n');
  const { status, stderr } = await runProcess(['migrate'], { ...env, NOUNS: join(folder, name) });
  expect(status).toBe(2);
  expect(stderr).toContain(problem);
});

test('docs/embedding.md prints the example as it is', async () => {
  const example = await readFile(EXAMPLE, 'utf8');
  expect(await readFile(PAGE, 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
});
