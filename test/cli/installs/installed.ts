import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

export const execute = promisify(execFile);

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What is installed in a folder, and how its command line is called there. */
export interface Installation {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
}

export async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  await execute('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
}

/** The package `node` brings the program in a script that runs when it is installed, which npm has to be allowed. */
export async function installNode(place: string, version: string): Promise<string> {
  await mkdir(place);
  await writeFile(join(place, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  await npm(place, 'install', `node@${version}`);
  return join(place, 'node_modules', 'node', 'bin', 'node');
}

/** Packs the package in a folder as it would be published, and gives the file. */
export async function pack(source: string, destination: string): Promise<string> {
  await mkdir(destination, { recursive: true });
  const { stdout } = await execute('npm', ['pack', '--silent', '--pack-destination', destination], { cwd: source });
  return join(destination, stdout.trim().split('\n').at(-1) ?? '');
}

/** An empty folder in which somebody installs the file of a package, as its user does. */
export async function installFile(folder: string, file: string, ...args: readonly string[]): Promise<void> {
  await mkdir(folder);
  await npm(folder, 'install', file, ...args);
}

export async function commandLine(
  { folder, command: [program, ...first] }: Installation,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<CommandResult> {
  const child = spawn(program, [...first, ...args], { cwd: folder, env });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  return { status, stdout, stderr };
}

/** `PATH` with this Node.js before all others, for what looks for one. */
export function pathOf(node: string): string {
  return `${dirname(node)}:${process.env['PATH']}`;
}

/** How much is installed, in words. */
export async function weightOf(folder: string): Promise<string> {
  const { stdout } = await execute('du', ['-sm', join(folder, 'node_modules')]);
  return `${await packagesIn(join(folder, 'node_modules'))} packages, ${stdout.split('\t')[0]} MB`;
}

async function packagesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter(path => /(^|\/node_modules\/)(@[^/]+\/)?[^/@]+\/package\.json$/.test(path)).length;
}
