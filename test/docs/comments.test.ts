import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './fences.js';

/** Words that begin a question or a fragment, and no sentence: a comment is read alone, in a hover or beside its line. */
const WITHOUT_SUBJECT =
  /(?:\/\*\*\s*(?:\*\s*)?|(?<!\/\/[^\n]*\n\s*)\/\/ )((?:What|Who|Whom|Whose|Of|So|How|Whether)\b[^\n]*)/g;

test('a comment of the sources begins with its subject', async () => {
  const found: string[] = [];
  for await (const file of glob('{src,lib,packages/*/src}/**/*.{ts,tsx}', { cwd: ROOT })) {
    if (/generated|\btest\b/.test(file)) continue;
    const comments = (await readFile(join(ROOT, file), 'utf8')).matchAll(WITHOUT_SUBJECT);
    found.push(...[...comments].map(([, words = '']) => `${file}: ${words}`));
  }
  expect(found).toEqual([]);
});
