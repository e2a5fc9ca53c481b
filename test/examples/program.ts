import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly ended: Promise<ProgramResult>;
}

/** Starts a program in the folder of an example, with these settings and no others. */
export function start(example: string, command: readonly string[], env: Record<string, string>): RunningProgram {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: `${EXAMPLES}${example}`,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([status]) => ({ status: status as number | null, stdout, stderr }));
  return { child, ended };
}
