import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { UsageError } from '../cli/usage-error.js';

/** Where lines come from. */
export interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  /** How much there is, where that is known. */
  readonly sizeBytes: number | null;
  /** How much has been read. */
  bytesRead(): number;
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
    let bytes = 0;
    stdin.on('data', (chunk: Buffer) => (bytes += chunk.length)).pause();
    return {
      ...{ chunks: addAbortSignal(stop, stdin), sizeBytes: null, bytesRead: () => bytes },
      ...{ rejectedPath: path, rejectedFallback: path },
    };
  }
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be opened: ${REASONS[error.code ?? ''] ?? error.code ?? 'unknown reason'}.`);
  });
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new UsageError(`${file} is a folder: name a file of one JSON object a line, or - for standard input.`);
  }
  const stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
  return {
    chunks: addAbortSignal(stop, stream) as AsyncIterable<Buffer>,
    sizeBytes: stats.isFile() ? stats.size : null,
    bytesRead: () => stream.bytesRead,
    rejectedPath: resolve(`${file}.rejected.ndjson`),
    rejectedFallback: fallback(basename(file)),
  };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is no folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};
