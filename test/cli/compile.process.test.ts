import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { access, cp, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules', '.bin');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-compile-'));
  await cp(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await write('package.json', '{ "type": "module" }');
  await write('src/one.ts', 'export const one: number = 1;');
  await write('lib/two.ts', 'export const two: number = 2;');
  await write('migrations/first.ts', 'export const first: number = 1;');
  await write('packages/nicknames/src/three.ts', 'export const three: number = 3;');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(join(folder, file, '..'), { recursive: true });
  await writeFile(join(folder, file), text);
}

/** Gives the exit status. */
function compile(...args: string[]): Promise<number> {
  const env = { PATH: [COMPILER, process.env['PATH']].join(delimiter) };
  const script = join(ROOT, '.ci', 'compile.mjs');
  return new Promise(resolve => {
    execFile(process.execPath, [script, '--without-console', ...args], { cwd: folder, env }, error =>
      resolve(Number(error?.code ?? 0)),
    );
  });
}

async function has(file: string): Promise<boolean> {
  return access(join(folder, 'dist', file)).then(
    () => true,
    () => false,
  );
}

async function writtenAt(file: string): Promise<number> {
  return (await stat(join(folder, 'dist', file))).mtimeMs;
}

test('compiles what is new or has changed, and nothing where nothing has', async () => {
  expect(await compile()).toBe(0);
  expect([await has('src/one.js'), await has('migrations/first.js')]).toEqual([true, true]);
  const before = await writtenAt('.stamp');
  expect(await compile()).toBe(0);
  expect(await writtenAt('.stamp')).toBe(before);
  await write('src/two.ts', 'export const two: number = 2;');
  expect(await compile()).toBe(0);
  expect(await has('src/two.js')).toBe(true);
});

test('what was compiled of a source that is gone is removed', async () => {
  await compile();
  await rm(join(folder, 'migrations/first.ts'));
  expect(await compile()).toBe(0);
  expect([await has('src/one.js'), await has('migrations/first.js')]).toEqual([true, false]);
});

test('a source that is wrong fails each time until it is mended', async () => {
  await compile();
  await write('src/one.ts', 'export const one: number = "one";');
  expect(await compile()).not.toBe(0);
  expect(await compile()).not.toBe(0);
  await write('src/one.ts', 'export const one: number = 1;');
  expect(await compile()).toBe(0);
});

test('a folder that was cleared, or an output asked for from scratch, is compiled whole', async () => {
  await compile();
  await rm(join(folder, 'dist'), { recursive: true });
  expect(await compile()).toBe(0);
  expect(await has('src/one.js')).toBe(true);
  await rm(join(folder, 'dist/src/one.js'));
  expect(await compile('--all')).toBe(0);
  expect(await has('src/one.js')).toBe(true);
});
