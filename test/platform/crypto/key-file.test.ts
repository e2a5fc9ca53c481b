import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadOrCreateKeys } from '../../../src/platform/crypto/secret-file.js';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('keys are made once, for their owner alone, and found again', async () => {
  const dataDir = join(folder, 'not', 'there', 'yet');
  const made = await loadOrCreateKeys(dataDir);
  const sealed = KeyRing.parse(made).seal('a', 1);
  expect(KeyRing.parse(await loadOrCreateKeys(dataDir)).open('a', sealed)).toBe(1);
  expect((await stat(join(dataDir, 'field-keys'))).mode & 0o777).toBe(0o600);
});

test('many that start at once agree on one key and leave no other file behind', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => loadOrCreateKeys(folder)));
  expect(new Set(made).size).toBe(1);
  expect(await readdir(folder)).toEqual(['field-keys']);
});

test('a key file that is there is never written to', async () => {
  const ring = `${KeyRing.generate()},${KeyRing.generate()}`;
  await writeFile(join(folder, 'field-keys'), `${ring}\n`);
  expect(await loadOrCreateKeys(folder)).toBe(ring);
  expect(await readFile(join(folder, 'field-keys'), 'utf8')).toBe(`${ring}\n`);
});
