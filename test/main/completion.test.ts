import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run } from './command-line.js';

let folder: string;
let script: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-completion-'));
  await mkdir(join(folder, 'records'));
  await writeFile(join(folder, 'red square.ndjson'), '');
  script = (await run(['completion', 'bash'], {})).stdout;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What bash offers when Tab is pressed after these words, the last of which may be empty or half. */
function complete(...words: string[]): string[] {
  const ask = `${script}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _tillgate tillgate "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
    if [ \${#COMPREPLY[@]} -gt 0 ]; then printf '%s\\n' "\${COMPREPLY[@]}"; fi`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-uc', ask, 'bash', 'tillgate', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

test.each([
  ['commands', [''], ['serve', 'migrate', 'token', 'import', 'statements', 'keys', 'events', 'completion', 'help']],
  ['the rest of a command', ['st'], ['statements']],
  ['the commands of a group', ['statements', ''], ['close', '1099', 'help']],
  [
    'options, once a dash is there',
    ['token', '--'],
    ['--program', '--scope', '--customer', '--ttl', '--json', '--help'],
  ],
  ['options after an argument', ['import', 'customers', '--pr'], ['--program']],
  ['the choices of an argument', ['import', ''], ['customers', 'accounts', 'beneficiaries', 'transactions']],
  ['files', ['import', 'customers', 're'], ['records', 'red square.ndjson']],
  [
    'files after an option with its value',
    ['import', '--program', 'demo', 'customers', 're'],
    ['records', 'red square.ndjson'],
  ],
  ['files for an option', ['events', 'verify', '--heads', 'rec'], ['records']],
  ['files for an option with =', ['events', 'verify', '--heads', '=', 'rec'], ['records']],
  ['options after one with =', ['statements', 'close', '--month', '=', '2026-06', '--pro'], ['--program']],
  ['nothing where any word may stand', ['token', '--program', ''], []],
  ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['nothing for what there is not', ['frobnicate', 'x', ''], []],
])('bash completes %s', (_what, words, offered) => {
  expect(complete(...words).sort()).toEqual([...offered].sort());
});

test('bash has the function for the command tillgate', () => {
  const { stdout } = spawnSync('bash', ['--norc', '-c', `${script}\ncomplete -p tillgate`], { encoding: 'utf8' });
  expect(stdout).toBe('complete -F _tillgate tillgate\n');
});

test('the script for zsh is that for bash behind the bridge that zsh has for it', async () => {
  const { status, stdout } = await run(['completion', 'zsh'], {});
  expect(status).toBe(0);
  expect(stdout).toContain('bashcompinit\n');
  expect(stdout.endsWith(script)).toBe(true);
});

test('the script for fish knows every command and option, with what it means', async () => {
  const { status, stdout } = await run(['completion', 'fish'], {});
  expect(status).toBe(0);
  for (const line of stdout.trimEnd().split('\n').slice(2)) {
    expect(line).toMatch(/^complete -c tillgate -n '[^']+' (-[asl] |-F$)/);
  }
  const within = '__fish_seen_subcommand_from statements; and __fish_seen_subcommand_from close';
  expect(stdout).toContain(`complete -c tillgate -n '${within}' -l month -x -d 'the month, such as 2026-06'\n`);
  expect(stdout).toContain(" -l heads -r -F -d '");
  expect(stdout).toContain(" -a 'import' -d 'Import the bank\\'s own records");
});

test('another shell is told which there are', async () => {
  const { status, stderr } = await run(['completion', 'tcsh'], {});
  expect([status, stderr.split('\n')[0]]).toEqual([2, '<shell> must be one of bash, zsh, fish.']);
});
