import { constants } from 'node:fs';
import { access, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../../shared/errors.js';
import type { Database } from '../database/orm.js';
import { readLines, writeLines, type ReadLine, type ImportKind } from './batch.js';
import { batchesOf, unzipped, type Source } from './source.js';
import type { Tally } from './tally.js';

export interface ImportOrder {
  readonly database: Database;
  readonly kind: ImportKind;
  readonly program: string;
  readonly source: Source;
  readonly rejected: RejectedLines;
  readonly tally: Tally;
  /** When it is aborted, the batch that is being written is finished and no other is begun. */
  readonly stop: AbortSignal;
}

/**
 * Imports the lines of a source, batch by batch, each in a transaction of its own. Whatever ends it, a signal or a power cut, what was
 * finished is in, the rest is not, and importing the same again from the start gives what one run would have given.
 * Throws `DamagedGzip`, or what the database or the source throws; `tally` says how far it got.
 */
export async function importLines({
  database,
  kind,
  program,
  source,
  rejected,
  tally,
  stop,
}: ImportOrder): Promise<void> {
  const write = async (lines: readonly ReadLine[]): Promise<void> => {
    const outcomes = await writeLines(database, kind, program, lines);
    await rejected.add(
      outcomes.flatMap(({ line, outcome }) => (outcome instanceof Refusal ? [{ line, refusal: outcome }] : [])),
    );
    tally.add(outcomes);
  };
  let writing = Promise.resolve();
  try {
    for await (const lines of batchesOf(unzipped(source.chunks))) {
      // While the database writes one batch, the next one is read.
      const read = await readLines(kind, lines);
      await writing;
      if (stop.aborted) return;
      writing = write(read);
      // Its failure is thrown where it is waited for, which comes later.
      writing.catch(() => {});
    }
    await writing;
  } catch (error) {
    // Whatever became of the input, the batch that is being written comes to its end, or fails for a reason of its own.
    await writing;
    if (stop.aborted && (error as Error).name === 'AbortError') return;
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw new DamagedGzip(error);
    throw error;
  } finally {
    tally.end();
  }
}

/** The input is gzip and ends too early, or its bytes were changed. */
export class DamagedGzip extends Error {
  override readonly name = 'DamagedGzip';
  constructor(cause: unknown) {
    super('The gzip input is incomplete or damaged. Create the file again.', { cause });
  }
}

/** More reasons for one line help nobody. */
const MAX_ERRORS = 50;

/** The file that tells which lines were rejected and why, made with the first of them. It holds no values of the lines. */
export class RejectedLines {
  private file: FileHandle | null = null;
  private constructor(
    private place: string,
    private readonly fallback: string,
  ) {}

  /** Removes what an earlier import has left there. `fallback` is for a place that cannot be written to. */
  static async prepare(place: string, fallback: string): Promise<RejectedLines> {
    try {
      await access(dirname(place), constants.W_OK);
      await rm(place, { force: true });
      return new RejectedLines(place, fallback);
    } catch {
      await rm(fallback, { force: true });
      return new RejectedLines(fallback, fallback);
    }
  }

  /** Where the rejected lines are, or null if there are none. */
  get path(): string | null {
    return this.file && this.place;
  }

  async add(rejected: readonly { readonly line: number; readonly refusal: Refusal }[]): Promise<void> {
    if (rejected.length === 0) return;
    this.file ??= await this.open();
    const lines = rejected.map(({ line, refusal: { code, message, errors } }) => {
      const record = { line, code, detail: message, errors: errors?.slice(0, MAX_ERRORS) ?? [] };
      return `${JSON.stringify(record)}\n`;
    });
    await this.file.appendFile(lines.join(''));
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  private async open(): Promise<FileHandle> {
    try {
      return await open(this.place, 'w', 0o600);
    } catch (error) {
      if (this.place === this.fallback) throw error;
      this.place = this.fallback;
      return open(this.place, 'w', 0o600);
    }
  }
}
