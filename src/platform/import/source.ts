import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { addAbortSignal, Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../../shared/usage-error.js';

/** Where lines come from. */
export interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  /** The size of the file as it is, zipped or not; null where it is unknown. */
  readonly sizeBytes: number | null;
  /** Where rejected lines are written: beside the file, or in the current folder. */
  readonly rejectedPath: string;
  readonly rejectedFallback: string;
  /** Closes the file, also where nobody has read it. */
  close(): void;
}

const STDIN = '-';
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a file, or standard input for `-`. When `stop` is aborted, waiting for more ends at once. Throws `UsageError`.
 */
export async function openSource(file: string, stdin: Readable, stop: AbortSignal): Promise<Source> {
  const fallback = (name: string): string => resolve(`${name}.rejected.ndjson`);
  if (file === STDIN) {
    const path = fallback('stdin');
    const chunks = stoppable(stdin, stop);
    return { chunks, sizeBytes: null, rejectedPath: path, rejectedFallback: path, close: () => undefined };
  }
  const handle = await open(file).catch((error: unknown) => {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file} cannot be opened: ${REASONS[code] ?? code}.`, { cause: error });
  });
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new UsageError(`${file} is a folder. Name a file of records, or - for standard input.`);
  }
  const stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
  return {
    chunks: stoppable(stream, stop),
    sizeBytes: stats.isFile() && stats.size > 0 ? stats.size : null,
    rejectedPath: resolve(`${file}.rejected.ndjson`),
    rejectedFallback: fallback(basename(file)),
    close: () => stream.destroy(),
  };
}

function stoppable(stream: Readable, stop: AbortSignal): AsyncIterable<Buffer> {
  // An abort before anything reads must not end the process. A reader gets the error all the same.
  stream.on('error', () => {});
  return addAbortSignal(stop, stream);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

/** A longer line is rejected, and its bytes are not kept. The largest body of a REST request is the same. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** A batch is one transaction: large enough to be fast, small enough to hold its locks only briefly. */
export const BATCH_LINES = 8000;
/** Lines can be long and memory is bounded, so a batch ends here even if it has few lines. */
const BATCH_BYTES = 4 * 1024 * 1024;

export interface Line {
  /** Counted from 1 with blank lines, as editors do. */
  readonly number: number;
  /** Without its end; null where it is longer than `MAX_LINE_BYTES`. */
  readonly bytes: Buffer | null;
}

const NEWLINE = 0x0a;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/** The lines that are not blank, in batches. Holds one batch and one chunk at a time, however long the input. */
export async function* batchesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const line of linesOf(chunks)) {
    batch.push(line);
    bytes += line.bytes?.length ?? 0;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
  };
  const finish = (): Line => {
    const bytes = length > MAX_LINE_BYTES ? null : parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { number: ++number, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      start = end + 1;
      const line = finish();
      if (!isBlank(line)) yield line;
    }
    if (start < chunk.length) take(chunk.subarray(start));
  }
  const last = finish();
  if (!isBlank(last)) yield last;
}

function isBlank({ bytes }: Line): boolean {
  return bytes?.every(byte => BLANKS.has(byte)) ?? false;
}

/** The part of a source that was needed for what has come out of it. */
export interface Consumption {
  bytes: number;
}

/**
 * The bytes as they are, or unzipped if they are gzip: its first two bytes (RFC 1952, 2.3.1) begin no line of JSON.
 * `consumed` counts the bytes of the source that what was given is made of, and not those that are read ahead, which
 * may be a whole small file.
 */
export async function* unzipped(
  chunks: AsyncIterable<Buffer>,
  consumed: Consumption = { bytes: 0 },
): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const whole = from(head, iterator);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (isGzip) {
    const unzip = createGunzip();
    // An error of the source ends the unzipping, and the reader gets it.
    for await (const chunk of pipeline(Readable.from(whole), unzip, () => {}) as AsyncIterable<Buffer>) {
      consumed.bytes = unzip.bytesWritten;
      yield chunk;
    }
  } else {
    for await (const chunk of whole) {
      consumed.bytes += chunk.length;
      yield chunk;
    }
  }
}

async function* from(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // A reader that stops early closes the source.
    await rest.return?.();
  }
}
