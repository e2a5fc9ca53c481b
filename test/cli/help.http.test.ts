import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run } from './command-line.js';
import { allHelp, examplesOf, isOfShell, STOPPED, WHERE_STOPPED } from './helps.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-help-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the help of every command has a description, examples that it understands, and its exit statuses', async () => {
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
  for (const example of examples.filter(line => !isOfShell(line))) {
    const [, ...args] = example.split(' ');
    const { status, stderr } = await run(args, { DATA_DIR: folder, ...STOPPED });
    const understood = status === 0 ? stderr === '' : WHERE_STOPPED.test(stderr);
    expect([example, understood ? 'is understood' : stderr]).toEqual([example, 'is understood']);
  }
});

test('help has no colours where it is not shown on a terminal', async () => {
  expect((await run(['--help'], {})).stdout).not.toContain('\u001b[');
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
