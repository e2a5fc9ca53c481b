import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ROOT } from './fences.js';

const CHECK = join(ROOT, '.ci/evidence.mjs');
const MARKS = '<!-- Counts: npm run generate -->\n\n<!-- End of the counts -->';
const HEAD = '| control | how it is met | test or page |\n| - | - | - |';
const HOLDS = "| A.1 | By locks | `safe/lock`: it's locked |";
const REASON = '| A.2 to A.3 | **Not met**: there is no safe |  |';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-evidence-'));
  await write('.ci/controls.json', JSON.stringify({ 'docs/controls.md': { Safes: 'A.1-3' } }));
  await write('test/safe/lock.http.test.ts', `test("it's locked", () => undefined);`);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

function writeControls(...rows: string[]): Promise<void> {
  return write('docs/controls.md', `# Controls\n\n${MARKS}\n\n## Safes\n\n${[HEAD, ...rows].join('\n')}\n`);
}

function run(...args: string[]): string[] {
  const { status, stderr } = spawnSync(process.execPath, [CHECK, ...args], { cwd: folder, encoding: 'utf8' });
  const lines = stderr.split('\n').filter(line => line !== '');
  expect(status).toBe(lines.length > 0 ? 1 : 0);
  return lines;
}

test('controls with a test or a reason pass, and are counted', async () => {
  await writeControls(HOLDS, REASON);
  expect(run('--check')).toEqual(['docs/controls.md has other counts. Run: npm run generate']);
  expect(run()).toEqual([]);
  expect(await readFile(join(folder, 'docs/controls.md'), 'utf8')).toContain('| Safes | 1 | 0 | 0 | 2 | 0 |');
  expect(run('--check')).toEqual([]);
});

test('a control without a test, page or reason fails, and so does one that is left out or unknown', async () => {
  await writeControls('| A.1 | By locks |  |', '| A.4 | **Operator**: it |  |');
  expect(run()).toEqual([
    'docs/controls.md: A.1 has no test, no page and no reason.',
    'docs/controls.md: A.4 is no control of Safes.',
    'docs/controls.md: Safes lacks A.2, A.3.',
  ]);
});

test('a test or page that is not there fails, by its name as well', async () => {
  await writeControls(HOLDS.replace('locked', 'open'), REASON.replace(/\*\*.*/, 'On paper | [paper](paper.md) |'));
  expect(run()).toEqual([
    "docs/controls.md: A.1 names a test that is not there: safe/lock: it's open",
    'docs/controls.md: A.2 to A.3 names paper.md, which is not there.',
  ]);
});

test('a page on security that names a test that is not there fails', async () => {
  await writeControls(HOLDS, REASON);
  await write('docs/threat-model.md', '| threat | test |\n| - | - |\n| a thief | `safe/lock`, `safe/door` |\n');
  await write('SECURITY.md', 'Doors are shut. Tests: `safe`, `safe/wall`. See `safe/roof`.\n');
  expect(run()).toEqual([
    'SECURITY.md names the test safe/wall, which is not there.',
    'docs/threat-model.md names the test safe/door, which is not there.',
  ]);
});
