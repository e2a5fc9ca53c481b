import 'reflect-metadata';
import { readFile, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { NOUNS } from '../../src/app/nouns.js';

const SRC = new URL('../../src/', import.meta.url);
/** What only a registration connects with the gateway. */
const PARTS = /\.(entity|resolver|routes|openapi|events|import)\.ts$/;
/** Nouns without a table, resolvers and routes, whose words and rules others use. */
const WITHOUT_PARTS = ['demo', 'person'];

test('every noun registers its parts, and is in the one list of nouns', async () => {
  const known = ['app', 'bank', 'cli', 'platform', 'shared', ...WITHOUT_PARTS];
  const foldersIn = async (folder: string) =>
    (await readdir(new URL(folder, SRC), { withFileTypes: true }))
      .filter(entry => entry.isDirectory() && !known.includes(entry.name))
      .map(({ name }) => `${folder}${name}`);
  const list = await readFile(new URL('app/nouns.ts', SRC), 'utf8');
  const nouns = [...(await foldersIn('./')), ...(await foldersIn('./bank/'))];
  expect(nouns.length).toBeGreaterThan(15);
  for (const folder of nouns) {
    const files = await readdir(new URL(`${folder}/`, SRC), { recursive: true });
    const noun = basename(folder);
    expect([noun, files.some(file => PARTS.test(file))]).toEqual([noun, true]);
    expect(files).toContain(`${noun}.noun.ts`);
    expect(list).toContain(`'.${folder}/${noun}.noun.js'`);
  }
});

test('no class, type of events or kind of records is registered by two nouns', () => {
  const registered = [
    ...NOUNS.all.flatMap(({ entities = [] }) => entities),
    ...NOUNS.all.flatMap(({ resolvers = [] }) => resolvers.map(({ of }) => of)),
    ...NOUNS.all.flatMap(({ events = [] }) => events.map(({ type }) => type)),
    ...NOUNS.all.flatMap(({ imports = {} }) => Object.keys(imports)),
  ];
  expect(registered.length).toBeGreaterThan(100);
  expect(new Set(registered).size).toBe(registered.length);
});
