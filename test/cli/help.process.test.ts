import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { run, runProcess } from './command-line.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-help-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The help of every command, by its words: those under a command are found in its own help. */
async function allHelp(words: readonly string[] = []): Promise<[string, string][]> {
  const { status, stdout, stderr } = await run([...words, '--help'], {});
  expect([status, stderr]).toEqual([0, '']);
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter(name => name !== 'help');
  const inner = await Promise.all(names.map(name => allHelp([...words, name])));
  return [[words.join(' '), stdout], ...inner.flat()];
}

/** The command lines under `Examples:`. */
function examplesOf(help: string): string[] {
  const [, list = ''] = /^Examples:\n((?: .*\n)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}(\S.*)$/gm)].map(([, line = '']) => line);
}

/**
 * Every example as a shell would run it, but with a setting that stops each command once it has understood how it was
 * called.
 */
function runExample(line: string): { status: number | null; stderr: string } {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const sources = new URL('sources.mjs', import.meta.url).pathname;
  const script = `set -eo pipefail
    tillgate() { '${process.execPath}' --import '${sources}' '${main}' "$@"; }
    generate-accounts() { :; }
    complete() { :; }
    source() { cat "$1" > /dev/null; }
    ${line.replace(/\| source$/, '> /dev/null').replace(/^export /, '')}`;
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, POOL_SIZE: 'none' };
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env });
  return { status, stderr };
}

describe('the help', () => {
  test('of every command has a description, examples that it understands, and its exit statuses', async () => {
    const helps = await allHelp();
    expect(helps.map(([words]) => words)).toEqual(
      expect.arrayContaining(['', 'serve', 'import', 'statements close', 'keys rotate', 'events verify']),
    );
    for (const [words, help] of helps) {
      expect([words, help]).toEqual([
        words,
        expect.stringMatching(/^Usage: tillgate.*\n\n[A-Z][^\n]*(\n\S[^\n]*)*\.\n\n/),
      ]);
      expect([words, help]).toEqual([words, expect.stringMatching(/^Exit status:\n(.*\n)* {2}2 /m)]);
      expect([words, examplesOf(help)]).not.toEqual([words, []]);
      // Every argument and option says what it is.
      expect([words, help]).not.toEqual([words, expect.stringMatching(/^ {2}(<\w+>|-\S+( <\w+>)?)$/m)]);
    }
    const examples = helps.flatMap(([, help]) => examplesOf(help));
    expect(examples.length).toBeGreaterThan(15);
    for (const example of examples) {
      const { status, stderr } = runExample(example);
      const understood = status === 0 ? stderr === '' : /^(\{.*")?POOL_SIZE must be a whole number/.test(stderr);
      expect([example, understood ? 'is understood' : stderr]).toEqual([example, 'is understood']);
    }
  }, 480_000);

  test('has colours where they are asked for, and none otherwise', async () => {
    const escape = '\u001b[';
    expect((await run(['--help'], {})).stdout).not.toContain(escape);
    expect((await runProcess(['--help'], { FORCE_COLOR: '1' })).stdout).toContain(`${escape}1mUsage:`);
    expect((await runProcess(['--help'], { NO_COLOR: '1', FORCE_COLOR: '' })).stdout).not.toContain(escape);
    expect((await runProcess(['improt'], { FORCE_COLOR: '1' })).stderr).toContain(`${escape}31mThere is no command`);
  });
});

test('--version is that of package.json', async () => {
  const { version } = (await import('../../package.json', { with: { type: 'json' } })).default;
  expect(await run(['--version'], {})).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  ['a command', ['900-00-1234']],
  ['a command of a group', ['keys', 'Quill.Ada']],
  ['an option', ['migrate', '--Quill=900-00-1234']],
  ['an argument too many', ['migrate', 'Quill']],
  ['a choice', ['import', "Quill' is invalid for argument 'kind'. Allowed", 'file', '--program', 'demo']],
  ['a program', ['token', '--program', 'Ada Quill']],
  ['a customer', ['token', '--program', 'demo', '--customer', 'Quill']],
  ['a scope', ['token', '--program', 'demo', '--scope', 'Quill']],
  ['a month', ['statements', 'close', '--month', 'Quill']],
])('%s that is wrong is not said back', async (_what, args) => {
  const { status, stdout, stderr } = await run(args, { DATA_DIR: folder });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).not.toBe('');
  expect(stderr).not.toMatch(/Quill|900/);
});

test('an option that is mistyped is told, with the one that was meant', async () => {
  const { stderr } = await run(['migrate', '--jsno'], {});
  expect(stderr).toBe('There is no option --jsno. Did you mean --json?\nSee: tillgate migrate --help\n');
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
