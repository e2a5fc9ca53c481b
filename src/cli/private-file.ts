import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, rename, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../shared/usage-error.js';

/** Files of a bank are for their owner alone. */
const OWNER_ONLY = 0o600;
/** Opens a file without a name in a folder: O_TMPFILE of open(2), which Node.js does not name. Linux alone has it. */
const WITHOUT_NAME = process.platform === 'linux' ? constants.O_RDWR | constants.O_DIRECTORY | 0o20_000_000 : null;

/**
 * Writes a file for its owner alone, which has no name before it is whole, so a process that is killed leaves nothing of
 * it. Where the system or its folder cannot do that, a killed process leaves a `.partial`.
 */
export async function writePrivateFile(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const whole = await openWithoutName(dirname(path));
  if (whole) {
    try {
      await writeFile(whole, content);
      if (await giveName(whole, path)) return;
      await writePartial(path, whole.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>);
    } finally {
      await whole.close();
    }
  } else await writePartial(path, content);
}

async function writePartial(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const partial = `${path}.partial`;
  await writeFile(partial, content, { mode: OWNER_ONLY }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).syscall !== 'open') throw error;
    throw new UsageError('A file in the folder cannot be written. Check that the folder may be written to.');
  });
  await rename(partial, path);
}

async function openWithoutName(folder: string): Promise<FileHandle | null> {
  // Some file systems, such as NFS, have no such files.
  return WITHOUT_NAME === null ? null : open(folder, WITHOUT_NAME, OWNER_ONLY).catch(() => null);
}

/** Node.js makes no link to a file that has no name, so `ln` does it. Gives false where that is not there, or fails. */
function giveName(file: FileHandle, path: string): Promise<boolean> {
  const link = spawn('ln', ['-L', '--', '/proc/self/fd/3', path], { stdio: ['ignore', 'ignore', 'ignore', file.fd] });
  return new Promise(resolve => {
    link.once('error', () => resolve(false));
    link.once('close', status => resolve(status === 0));
  });
}
