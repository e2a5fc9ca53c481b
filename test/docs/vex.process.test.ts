import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ROOT } from './fences.js';

const VEX = join(ROOT, '.ci/vex.mjs');
const ID = 'GHSA-aaaa-bbbb-cccc';
const URL_OF_ADVISORY = `https://github.com/advisories/${ID}`;
const ADVISORY = { source: 1, name: 'sax', title: 'Reads too much', url: URL_OF_ADVISORY };
const FOUND = {
  vulnerabilities: {
    sax: { nodes: ['node_modules/sax'], via: [ADVISORY] },
    reader: { nodes: ['node_modules/reader'], via: ['sax'] },
  },
};
const STATEMENT = { state: 'not_affected', justification: 'code_not_reachable', detail: 'It reads no such file.' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-vex-'));
  await mkdir(join(folder, '.ci'));
  const packages = { 'node_modules/sax': { version: '1.6.1' }, 'node_modules/reader': { version: '2.0.0' } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(statements: object, audit: object): Promise<string> {
  await writeFile(join(folder, '.ci/vex.json'), JSON.stringify(statements));
  const input = JSON.stringify(audit);
  const { status, stderr } = spawnSync(process.execPath, [VEX], { cwd: folder, input, encoding: 'utf8' });
  expect(status).toBe(stderr === '' ? 0 : 1);
  return stderr;
}

test('an advisory needs a statement, which the document has', async () => {
  expect(await write({}, FOUND)).toMatch(/^GHSA-aaaa-bbbb-cccc \(sax: Reads too much\) has no statement/);
  expect(await write({ [ID]: { ...STATEMENT, state: 'exploitable' } }, FOUND)).toMatch(/has no statement/);
  expect(await write({ [ID]: STATEMENT }, FOUND)).toBe('');
  expect(JSON.parse(await readFile(join(folder, 'dist/vex.cdx.json'), 'utf8'))).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    vulnerabilities: [
      {
        id: ID,
        source: { name: 'GitHub Advisory Database', url: URL_OF_ADVISORY },
        affects: [{ ref: 'pkg:npm/sax@1.6.1' }],
        analysis: STATEMENT,
      },
    ],
  });
});

test('a statement about nothing that is installed fails, and so does an audit without a result', async () => {
  expect(await write({ [ID]: STATEMENT }, { vulnerabilities: {} })).toMatch(/is about nothing that is installed/);
  expect(await write({}, { message: '405 Method Not Allowed' })).toMatch(/gave no result: 405/);
});
