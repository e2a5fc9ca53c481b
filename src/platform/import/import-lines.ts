import { Refusal } from '../../shared/errors.js';
import type { Database } from '../database/orm.js';
import { readLines, writeLines, type ReadLine } from './batch.js';
import type { ImportKind } from './import-kind.js';
import { batchesOf, unzipped } from './lines.js';
import type { RejectedLines } from './rejected-lines.js';
import type { Source } from './source.js';
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
