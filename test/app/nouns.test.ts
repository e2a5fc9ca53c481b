import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

const BANK = new URL('../../src/bank/', import.meta.url);
/** What only a registration connects with the gateway. */
const PARTS = /\.(entity|resolver|rest|events|import)\.ts$/;
/** Nouns without a table, resolvers and operations of REST, whose words and rules others use. */
const WITHOUT_PARTS = ['person'];

test('every noun registers its parts, and is in the one list of nouns', async () => {
  const entries = await readdir(BANK, { withFileTypes: true });
  const nouns = entries.filter(entry => entry.isDirectory() && !WITHOUT_PARTS.includes(entry.name));
  const list = await readFile(new URL('../app/nouns.ts', BANK), 'utf8');
  expect(nouns.length).toBeGreaterThan(15);
  for (const { name: noun } of nouns) {
    const files = await readdir(new URL(`${noun}/`, BANK), { recursive: true });
    expect([noun, files.some(file => PARTS.test(file))]).toEqual([noun, true]);
    expect(files).toContain(`${noun}.noun.ts`);
    expect(list).toContain(`'../bank/${noun}/${noun}.noun.js'`);
  }
});
