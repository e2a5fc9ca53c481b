import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type * as Pages from './pages.js';
import { read } from './reading.js';
import { objectsOf } from './tags.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const INSTALLED = ['fontkit', 'bidi-js', '@expo-google-fonts/source-sans-3'];

let folder: string;
let pages: typeof Pages;
// A copy of the sources beside which only the packages are installed that have to be there.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-test-fonts-'));
  for (const path of ['package.json', 'lib', 'lib/typeset/test/pages.ts']) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await mkdir(join(folder, 'node_modules/@expo-google-fonts'), { recursive: true });
  for (const name of INSTALLED) await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  pages = (await import(pathToFileURL(join(folder, 'lib/typeset/test/pages.ts')).href)) as typeof Pages;
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['Chinese', '李明华 Corp'],
  ['Japanese', 'さくら電気料金'],
  ['Korean', '홍길동 씨'],
  ['Hebrew', 'Refund יוסי 4521'],
  ['Arabic', 'محمد'],
  ['Thai', 'สมชาย'],
  ['Devanagari', 'शर्मा'],
])('characters of a font that is not installed are boxes that can be read back: %s', async (_script, line) => {
  const pdf = pages.pageOf([line], { weight: 'regular', size: 10, color: '0 0 0' });
  const names = [...objectsOf(pdf).values()].join(' ').match(/\/FontName\/[^/]+/g) ?? [];
  expect(new Set(names.map(name => name.split('+')[1]))).toEqual(new Set(['SourceSans3-Regular']));
  const { text } = await read(pdf);
  for (const word of line.split(' ')) expect(text.normalize('NFKC')).toContain(word);
});
