import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../platform/cli/usage-error.js';
import type { ChainHead } from './event.chain.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * The heads that the last run kept in a file, by account; none where there is no file yet. Throws `UsageError` for a file that is no such
 * file, and where the heads of this run could not be kept: nobody should wait for a verification to learn that.
 */
export async function readHeads(file: string): Promise<Map<string, ChainHead>> {
  try {
    await access(dirname(file), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(
      'The file of --heads cannot be written: its folder is missing, or this user may not write there.',
      { cause: error },
    );
  }
  const heads = (await textOf(file)).split('\n').filter(line => line !== '');
  return new Map(heads.map(line => headOf(line)).map(head => [head.accountId, head]));
}

export async function writeHeads(file: string, heads: Iterable<ChainHead>): Promise<void> {
  const text = Array.from(heads, ({ accountId, chainSeq, hash }) => `${accountId} ${chainSeq} ${hash}\n`).join('');
  // A run that is killed here leaves the heads of the last one.
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new UsageError('The file of --heads cannot be read.', { cause: error });
  }
}

/** A line of the file: the account, the number of its last event, and that event's hash, parted by spaces. */
function headOf(line: string): ChainHead {
  const [accountId, chainSeq, hash] = line.split(' ');
  if (!accountId || !Number.isSafeInteger(Number(chainSeq)) || !HASH.test(hash ?? '')) {
    throw new UsageError('The file of --heads is not one that this command wrote.');
  }
  return { accountId, chainSeq: Number(chainSeq), hash: hash as string };
}
