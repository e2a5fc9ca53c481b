import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { UsageError } from '../../shared/usage-error.js';

/** Where lines come from. */
export interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  /** The share that has been read, 0 to 1, where it is known. */
  done(): number | null;
  /** Where rejected lines are told: beside the file, or in the current folder. */
  readonly rejectedPath: string;
  readonly rejectedFallback: string;
}

const STDIN = '-';
const CHUNK_BYTES = 256 * 1024;

/** Opens a file, or standard input for `-`. When `stop` is aborted, waiting for more ends at once. Throws `UsageError`. */
export async function openSource(file: string, stdin: Readable, stop: AbortSignal): Promise<Source> {
  const fallback = (name: string): string => resolve(`${name}.rejected.ndjson`);
  if (file === STDIN) {
    const path = fallback('stdin');
    return { chunks: stoppable(stdin, stop), done: () => null, rejectedPath: path, rejectedFallback: path };
  }
  const handle = await open(file).catch((error: unknown) => {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be opened: ${REASONS[code] ?? code}.`, { cause: error });
  });
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new UsageError(`${file} is a folder. Name a file with one JSON object per line, or - for standard input.`);
  }
  const stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
  return {
    chunks: stoppable(stream, stop),
    done: () => (stats.isFile() && stats.size > 0 ? Math.min(stream.bytesRead / stats.size, 1) : null),
    rejectedPath: resolve(`${file}.rejected.ndjson`),
    rejectedFallback: fallback(basename(file)),
  };
}

function stoppable(stream: Readable, stop: AbortSignal): AsyncIterable<Buffer> {
  // Stopped before anybody reads, it must not bring the process down. Whoever reads gets the error all the same.
  stream.on('error', () => {});
  return addAbortSignal(stop, stream);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};
