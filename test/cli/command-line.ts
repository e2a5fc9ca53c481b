import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, RemoteInside } from '../support/gateway-process/client.js';
import { directUrlOf } from '../support/postgres.js';
import { functionsOf } from '../support/test-gateway.js';
import type * as Inside from './command-line.inside.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = `${ROOT}src/main.ts`;

export interface CommandResult {
  /** null where a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandLine {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandResult>;
  /** Resolves once standard output has this. Fails when the process ends before. */
  printed(text: string | RegExp): Promise<string>;
}

/** A gateway that other tests slow down refuses nothing for that, as `startTestGateway` does not. */
const PATIENCE = { OVERLOAD_MAX_DELAY_MS: '60000' };

/** The module of the functions that run commands. */
const PATH = 'test/cli/command-line';
/** The process of the gateways, once a test of the file has run a command. */
let opened: Promise<RemoteInside> | undefined;

/** `src/main.ts` as the few files that a run of Jest builds, which start in less time, or itself in other runs. */
export function bundledMain(): string {
  const bundled = join(tmpdir(), 'gateway/src/main.mjs');
  return existsSync(bundled) ? bundled : MAIN;
}

/** Starts `tillgate` with these arguments and settings, and no others. `flags` are those of Node.js. */
export function tillgate(
  args: readonly string[],
  env: Record<string, string>,
  cwd = ROOT,
  flags: readonly string[] = [],
  main = MAIN,
): CommandLine {
  const sources = ['--import', `${ROOT}test/cli/sources.mjs`, main];
  const child = spawn(process.execPath, [...flags, ...sources, ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: compileCache(),
      ...PATIENCE,
      ...directUrl(env),
      ...env,
    },
  });
  // Writing to a process that has ended fails; its status tells that it has.
  child.stdin.on('error', () => undefined);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, stdout, stderr }));
  const printed = async (text: string | RegExp): Promise<string> => {
    while (stdout.search(text) === -1) {
      const more = await Promise.race([once(child.stdout, 'data'), ended]);
      if (!Array.isArray(more)) throw new Error(`It ended with ${more.status}: ${more.stdout}${more.stderr}`);
    }
    return stdout;
  };
  return { child, ended, printed };
}

/**
 * In the folder of the run: hundreds of processes load the same modules, which only the first of them has to compile.
 */
export function compileCache(): string {
  return join(tmpdir(), 'compiled');
}

/** Through a pooler the address of the server itself is a setting as well. */
function directUrl({ DATABASE_URL: url }: Record<string, string>): Record<string, string> {
  const direct = url && URL.canParse(url) ? directUrlOf(url) : null;
  return direct === null ? {} : { DATABASE_DIRECT_URL: direct };
}

/** The object that the help of a command gives as an example of what `--json` prints. */
export async function documentedResult(...command: string[]): Promise<unknown> {
  const { stdout } = await run([...command, '--help'], {});
  const [, sample = ''] = /^Result with --json:\n(.*?)\n\n/ms.exec(stdout) ?? [];
  return JSON.parse(sample);
}

interface Given {
  /** What standard input has. */
  readonly input?: string | Buffer;
  readonly cwd?: string;
}

/** Runs it to its end in a process of its own: for what depends on the process, such as its folder or its colours. */
export async function runProcess(
  args: readonly string[],
  env: Record<string, string>,
  { input = '', cwd }: Given = {},
): Promise<CommandResult> {
  const { child, ended } = tillgate(args, env, cwd);
  child.stdin?.end(input);
  return ended;
}

/**
 * Runs it to its end in the process of the gateways, which has loaded the modules of the product. Its standard error
 * has no lines of progress.
 */
export async function run(
  args: readonly string[],
  env: Record<string, string>,
  { input = '' }: Pick<Given, 'input'> = {},
): Promise<CommandResult> {
  return begin(args, env, input).ended;
}

/** Like `run`, but does not wait for the end, and can send a signal. */
export function begin(
  args: readonly string[],
  env: Record<string, string>,
  input: string | Buffer = '',
): { readonly ended: Promise<CommandResult>; signal(name: 'SIGINT' | 'SIGTERM'): Promise<void> } {
  const settings = { ...PATIENCE, ...directUrl(env), ...env };
  const begun = (async () => {
    opened ??= ask().then(hosted => RemoteInside.open(hosted, '', async () => undefined));
    const commands = await opened;
    return { commands, id: await functionsOf<typeof Inside>(commands, PATH).begin(args, settings, input) };
  })();
  return {
    ended: begun.then(({ commands, id }) => functionsOf<typeof Inside>(commands, PATH).ended(id)),
    signal: async name => {
      const { commands, id } = await begun;
      await functionsOf<typeof Inside>(commands, PATH).signal(id, name);
    },
  };
}
