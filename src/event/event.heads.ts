import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../shared/usage-error.js';
import type { ChainHead } from './event.chain.js';

const HASH = /^[0-9a-f]{64}$/;
/** What begins the line of a program's denied attempts. The line of an account begins with its id, and has a word less. */
const DENIED = 'denied';

/**
 * The heads that the last run kept in a file; none where there is no file yet. Throws `UsageError` for a file that is no such
 * file, and where the heads of this run could not be kept: nobody should wait for a verification to learn that.
 */
export async function readHeads(file: string): Promise<ChainHead[]> {
  try {
    await access(dirname(file), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(
      'The file of --heads cannot be written. Check that its folder exists and that this user may write there.',
      { cause: error },
    );
  }
  const lines = (await textOf(file)).split('\n').filter(line => line !== '');
  return lines.map(line => headOf(line));
}

export async function writeHeads(file: string, heads: Iterable<ChainHead>): Promise<void> {
  const text = Array.from(heads, head => `${lineOf(head)}\n`).join('');
  // A run that is killed here leaves the heads of the last one.
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new UsageError('The file of --heads cannot be read. Check its permissions.', { cause: error });
  }
}

/** What the chain is of, the number of its last event, and that event's hash, with spaces between, which neither ids nor programs have. */
function lineOf({ kind, of, seq, hash }: ChainHead): string {
  return `${kind === 'denied' ? `${DENIED} ` : ''}${of} ${seq} ${hash}`;
}

function headOf(line: string): ChainHead {
  const words = line.split(' ');
  const kind = words.length === 4 && words[0] === DENIED ? 'denied' : 'account';
  const [of, seq, hash] = kind === 'denied' ? words.slice(1) : words;
  if (!of || !Number.isSafeInteger(Number(seq)) || !HASH.test(hash ?? '')) {
    throw new UsageError('The file of --heads was not written by this command. Name another file.');
  }
  return { kind, of, seq: Number(seq), hash: hash as string };
}
