import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';

const LOOK_EVERY_MS = 5000;

/**
 * The environment of a process whose files (`--env-file`) may change. What a file does not set, or the environment set
 * beside it, stays as it was at the start.
 */
export class Environment {
  private readonly fixed: NodeJS.ProcessEnv;

  private constructor(
    readonly files: readonly string[],
    fixed: NodeJS.ProcessEnv,
  ) {
    this.fixed = fixed;
  }

  static async open(files: readonly string[], env: NodeJS.ProcessEnv): Promise<Environment> {
    const read = await readAll(files);
    // A variable with the value of the file came from the file, as far as can be known.
    const fixed = Object.entries(env).filter(([name, value]) => read[name] === undefined || read[name] !== value);
    return new Environment(files, Object.fromEntries(fixed));
  }

  /** As it is with the files of now. */
  async now(): Promise<NodeJS.ProcessEnv> {
    return { ...(await readAll(this.files)), ...this.fixed };
  }
}

/** Later files come before earlier ones, as with Node.js. One that is missing sets nothing. */
async function readAll(files: readonly string[]): Promise<NodeJS.ProcessEnv> {
  const texts = await Promise.all(files.map(file => readFile(file, 'utf8').catch(() => '')));
  return Object.assign({}, ...texts.map(text => parseEnv(text))) as NodeJS.ProcessEnv;
}

/** Calls `changed` when one of the files has other content than before, and has it for two looks. */
export class FileWatch {
  private known: string | null = null;
  private seen = '';
  private looking: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => {
    this.looking = this.looking.then(() => this.look());
  }, LOOK_EVERY_MS).unref();

  constructor(
    private readonly files: () => readonly string[],
    private readonly changed: () => void,
  ) {}

  /** Takes the files as they are now for known. */
  async remember(): Promise<void> {
    this.known = this.seen = await digestOf(this.files());
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const now = await digestOf(this.files());
    const isSettled = now === this.seen;
    this.seen = now;
    if (!isSettled || now === this.known) return;
    this.known = now;
    this.changed();
  }
}

async function digestOf(files: readonly string[]): Promise<string> {
  const digests = await Promise.all(
    files.map(async file => hash('sha256', await readFile(file).catch(() => Buffer.alloc(0)), 'base64url')),
  );
  return digests.join(' ');
}
