import { spawn } from 'node:child_process';

/** A key service on another continent answers in a second; one that hangs must not hold up a start for ever. */
const TIMEOUT_MS = 30_000;
/** More than 32 keys with the longest ids. */
const MAX_OUTPUT_BYTES = 16 * 1024;

/** A command of the shell that unwraps keys, and its environment, which has credentials of a KMS, and no settings. */
export interface KeyCommand {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * `KEY_COMMAND` gave no keys. The message says how it ended, and nothing of what it printed, which may be a part of a
 * key.
 */
export class KeyCommandFailed extends Error {
  override readonly name = 'KeyCommandFailed';
}

/**
 * Unwraps keys: runs the command by `/bin/sh` with the wrapped text as its standard input, and gives what it prints.
 * Its standard error is not read, and after half a minute the command and what it started are ended. Throws
 * `KeyCommandFailed`.
 */
export async function unwrapKeys(
  { command, env }: KeyCommand,
  wrapped: string,
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  // A group of its own, so that what a pipe has started ends with it.
  const child = spawn('/bin/sh', ['-c', command], { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise<string>((resolve, reject) => {
    const fail = (how: string): void => {
      clearTimeout(timer);
      reject(new KeyCommandFailed(how));
    };
    const giveUp = (how: string): void => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      child.stdout.destroy();
      fail(how);
    };
    const timer = setTimeout(() => giveUp(`did not end within ${timeoutMs / 1000} s`), timeoutMs);
    child.on('error', () => fail('could not be started, since /bin/sh cannot be run'));
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT_BYTES) giveUp(`printed more than ${MAX_OUTPUT_BYTES} bytes`);
      else chunks.push(chunk);
    });
    child.on('close', (status, signal) => {
      if (status !== 0) return fail(status === null ? `was ended by ${signal}` : `ended with status ${status}`);
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8').trim());
    });
    // A command that does not read its input is told so by its result.
    child.stdin.on('error', () => undefined);
    child.stdin.end(wrapped);
  });
}
