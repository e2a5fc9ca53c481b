import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { UsageError } from '../../shared/usage-error.js';

/** Files of a bank are for their owner alone. */
const OWNER_ONLY = 0o600;

/** Ends the writing of a file, since the command was stopped. */
class Stopped extends Error {}

/**
 * Writes a file from its parts, so that nobody finds a half of it: it gets its name when it is complete. Gives false if
 * `stop` came first, and then there is no file. Throws `UsageError` where there can be none.
 */
export async function writeFileWhole(path: string, parts: AsyncIterable<Buffer>, stop: AbortSignal): Promise<boolean> {
  const partial = `${path}.partial`;
  const file = await open(partial, 'w', OWNER_ONLY).catch(() => {
    throw new UsageError('The file in --out cannot be written. Check that its folder exists and may be written to.');
  });
  try {
    for await (const part of parts) {
      if (stop.aborted) throw new Stopped();
      await file.writeFile(part);
    }
    await file.close();
    await rename(partial, path);
    return true;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    if (error instanceof Stopped) return false;
    throw error;
  }
}

/** Writes parts to standard output, as fast as its reader takes them. Gives false if `stop` came first. */
export async function writeToStream(
  stream: NodeJS.WriteStream,
  parts: AsyncIterable<Buffer>,
  stop: AbortSignal,
): Promise<boolean> {
  for await (const part of parts) {
    if (stop.aborted) return false;
    // A reader that has gone wants no more.
    if (!stream.writable) return true;
    if (!stream.write(part)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
  return true;
}
