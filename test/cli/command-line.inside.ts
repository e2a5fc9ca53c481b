import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Gateway } from '../../src/app/gateway.js';
import { runCommandLine } from '../../src/cli/command-line.js';
import type { CommandProcess } from '../../src/cli/command-process.js';
import type { CommandResult } from './command-line.js';

/** Which a command writes where it takes long, as it does on a slow machine. */
const PROGRESS_LINE = /^[\w. -]+: (\d+ %, )?\d+ rows, .*\n/gm;

interface RunningCommand {
  readonly signals: EventEmitter;
  readonly result: Promise<CommandResult>;
}

const running = new Map<number, RunningCommand>();
let last = 0;

/** Begins a command, and gives its number. */
export function begin(
  _gateway: Gateway,
  args: readonly string[],
  env: Record<string, string>,
  input: string | Buffer,
): number {
  const signals = new EventEmitter();
  const stdout = new Written();
  const stderr = new Written();
  const command = {
    argv: [process.execPath, 'tillgate', ...args],
    env,
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    on: (name: string, listener: (name: string) => void) => signals.on(name, listener),
    // Nothing is left to be ended.
    exit: () => undefined,
    exitCode: 0,
  };
  const result = runCommandLine(command as unknown as CommandProcess).then(() => ({
    status: command.exitCode,
    stdout: stdout.text,
    stderr: stderr.text.replaceAll(PROGRESS_LINE, ''),
  }));
  // It is awaited by `ended`.
  result.catch(() => undefined);
  running.set(++last, { signals, result });
  return last;
}

export function signal(_gateway: Gateway, id: number, name: 'SIGINT' | 'SIGTERM'): void {
  running.get(id)?.signals.emit(name, name);
}

/** Waits for the end of a command. */
export async function ended(_gateway: Gateway, id: number): Promise<CommandResult> {
  const command = running.get(id) as RunningCommand;
  try {
    return await command.result;
  } finally {
    running.delete(id);
  }
}

/** A stream that is no terminal, and keeps what is written to it. */
class Written extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
