import { expect } from '@jest/globals';
import { run } from './command-line.js';

/** With this setting a command stops once it has understood how it was called, and says so. */
export const STOPPED = { POOL_SIZE: 'none' };
export const WHERE_STOPPED = /^(\{.*")?POOL_SIZE must be a whole number/;

/** The help of every command, by its words: those under a command are found in its own help. */
export async function allHelp(words: readonly string[] = []): Promise<[string, string][]> {
  const { status, stdout, stderr } = await run([...words, '--help'], {});
  expect([status, stderr]).toEqual([0, '']);
  const [, list = ''] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter(name => name !== 'help');
  const inner = await Promise.all(names.map(name => allHelp([...words, name])));
  return [[words.join(' '), stdout], ...inner.flat()];
}

/** The command lines under `Examples:`. */
export function examplesOf(help: string): string[] {
  const [, list = ''] = /^Examples:\n((?: .*\n)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}(\S.*)$/gm)].map(([, line = '']) => line);
}

/** True for an example that is more than words: a shell has to read it. */
export function isOfShell(example: string): boolean {
  return !/^tillgate( [\w.,:/-]+)*$/.test(example);
}
