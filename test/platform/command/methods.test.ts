import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const SERVICES = globSync('{src/bank,packages/*/src}/**/*.service.ts', { cwd: ROOT });
/** A member of a class with a value, such as a kind of command. */
const MEMBER = /^ {2}(?:private )?readonly (\w+) = /gm;

// V8 names a method in the stack of a later failure only while the method awaits.
test('a method awaits the command that it gives, so that the stack of a failure names the method', () => {
  const returned = SERVICES.flatMap(file => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const members = [...text.matchAll(MEMBER)].map(([, name]) => name as string);
    return members.filter(name => text.includes(`return this.${name}(caller`)).map(name => `${file}: ${name}`);
  });
  expect(SERVICES.length).toBeGreaterThan(20);
  expect(returned).toEqual([]);
});
