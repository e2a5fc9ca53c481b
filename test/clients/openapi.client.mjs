// Generators of REST clients read the OpenAPI document of a running gateway. What they write has to compile, and one of
// these clients is called.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ACCOUNT, address, tokenOf } from './gateway.mjs';

const modules = fileURLToPath(new URL('node_modules', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tillgate-openapi-'));
const input = join(folder, 'openapi.json');

before(async () => {
  const response = await fetch(`${address}/openapi.json`);
  assert.equal(response.status, 200);
  writeFileSync(input, await response.text());
  // What is written imports the packages that are installed here.
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
after(() => rmSync(folder, { recursive: true, force: true }));

function run(program, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(join(modules, '.bin', program), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  assert.equal(status, 0, `${program} ended with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

function write(file, text) {
  writeFileSync(join(folder, file), text);
}

/** Compiles a use of what was written, and with it all that the use imports. */
function compile(name, use) {
  write(`use-${name}.ts`, use);
  const options = {
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions: options, include: [name, `use-${name}.ts`] }));
  run('tsc', ['-p', `tsconfig.${name}.json`]);
}

void test('orval gives each type one name by its defaults, with the client of axios', () => {
  const target = join(folder, 'orval-default/api.ts');
  const output = { target, mode: 'single' };
  write('orval.config.mjs', `export default ${JSON.stringify({ tillgate: { input: { target: input }, output } })};`);
  run('orval', ['--config', 'orval.config.mjs']);
  const names = [...readFileSync(target, 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name]) => name,
  );
  assert.ok(names.includes('SearchHits'));
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

void test('orval writes a client that compiles and reads the gateway', async () => {
  const target = join(folder, 'orval/api.ts');
  const output = { target, client: 'fetch', mode: 'single', baseUrl: address };
  const config = { tillgate: { input: { target: input, validation: true }, output } };
  write('orval.config.mjs', `export default ${JSON.stringify(config)};`);
  run('orval', ['--config', 'orval.config.mjs']);
  compile(
    'orval',
    `import { getAccount, type Transfer } from './orval/api.ts';
export const amountOf = ({ amount }: Transfer): number => amount;
export const read = async (id: string): Promise<number> => (await getAccount(id)).status;
`,
  );
  const { getAccount } = await import(pathToFileURL(target).href);
  const answer = await getAccount(ACCOUNT, { headers: { authorization: `Bearer ${await tokenOf()}` } });
  assert.equal(answer.status, 200);
  assert.equal(answer.data.accountId, ACCOUNT);
});

void test('hey-api writes types, an SDK and rules of Zod that compile', () => {
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'];
  const printed = run('openapi-ts', ['-i', input, '-o', 'hey', '-p', ...plugins]);
  assert.doesNotMatch(printed, /warn/i);
  compile(
    'hey',
    `import { getAccount } from './hey/sdk.gen.ts';
import type { Transfer } from './hey/types.gen.ts';
export const amountOf = ({ amount }: Transfer): number => amount;
export const read = (accountId: string) => getAccount({ path: { accountId } });
`,
  );
});

void test('kubb writes types and a client that compile', () => {
  write(
    'kubb.config.mjs',
    `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './kubb', clean: true, format: false, lint: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types' } }),
    pluginClient({ output: { path: 'client' }, client: 'fetch' }),
  ],
});
`,
  );
  run('kubb', ['generate', '--config', 'kubb.config.mjs'], { KUBB_DISABLE_TELEMETRY: '1' });
  compile(
    'kubb',
    `import { getAccount } from './kubb/client/getAccount.ts';
import type { Transfer } from './kubb/types/Transfer.ts';
export const amountOf = ({ amount }: Transfer): number => amount;
export const read = (accountId: string) => getAccount(accountId);
`,
  );
});
