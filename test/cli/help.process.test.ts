import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProcess } from './command-line.js';
import { allHelp, examplesOf, isOfShell, STOPPED, WHERE_STOPPED } from './helps.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-help-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs an example in a shell. */
function runExample(line: string): { status: number | null; stderr: string } {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const sources = new URL('sources.mjs', import.meta.url).pathname;
  const script = `set -eo pipefail
    tillgate() { '${process.execPath}' --import '${sources}' '${main}' "$@"; }
    generate-accounts() { :; }
    ${line.replace(/^export /, '')}`;
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, ...STOPPED };
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env });
  return { status, stderr };
}

test('the examples in the help that need a shell are understood in one', async () => {
  const examples = (await allHelp()).flatMap(([, help]) => examplesOf(help)).filter(isOfShell);
  expect(examples.length).toBeGreaterThan(3);
  for (const example of examples) {
    const { status, stderr } = runExample(example);
    const understood = status === 0 ? stderr === '' : WHERE_STOPPED.test(stderr);
    expect([example, understood ? 'is understood' : stderr]).toEqual([example, 'is understood']);
  }
});

test('help has colours where they are asked for, and none otherwise', async () => {
  const escape = '\u001b[';
  expect((await runProcess(['--help'], { FORCE_COLOR: '1' })).stdout).toContain(`${escape}1mUsage:`);
  expect((await runProcess(['--help'], { NO_COLOR: '1', FORCE_COLOR: '' })).stdout).not.toContain(escape);
  expect((await runProcess(['improt'], { FORCE_COLOR: '1' })).stderr).toContain(`${escape}31mThere is no command`);
});

describe('a reader that goes away', () => {
  test.each([
    ['stdout', ['--help']],
    ['stderr', ['improt']],
  ] as const)('from %s ends nothing with a crash', async (name, args) => {
    const main = new URL('../../src/main.ts', import.meta.url).pathname;
    const sources = new URL('sources.mjs', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--import', sources, main, ...args]);
    child[name].destroy();
    let said = '';
    const other = name === 'stdout' ? child.stderr : child.stdout;
    other.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [status, signal] = await once(child, 'close');
    expect([status, signal, said]).toEqual([name === 'stdout' ? 0 : 2, null, '']);
  });
});
