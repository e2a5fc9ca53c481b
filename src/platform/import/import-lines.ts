import { constants } from 'node:fs';
import { access, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../../shared/errors.js';
import type { Database } from '../database/orm.js';
import { inParts, inTransaction, type TransactionRunner } from '../database/transaction.js';
import {
  Rejections,
  UnusableSource,
  writeLines,
  type ReadLine,
  type Importer,
  type ImportKind,
  type LineOutcome,
  type RecordFormat,
} from './batch.js';
import { unzipped, type Consumption, type Source } from './source.js';
import { Tally, type Share } from '../report/progress.js';

export interface ImportOrder {
  readonly database: Database;
  readonly kind: ImportKind;
  readonly format: RecordFormat;
  readonly by: Importer;
  readonly source: Source;
  readonly rejected: RejectedLines;
  readonly tally: ImportTally;
  /** When it is aborted, the batch that is being written is finished and no other begins. */
  readonly stop: AbortSignal;
  readonly dryRun: boolean;
}

/** The most lines of a dry run, which holds the locks of all of them until it is over. */
const MAX_DRY_RUN_LINES = 1_000_000;

/** The parts of a batch that are written side by side: the server works on one while this process works on another. */
const SIDE_BY_SIDE = 2;

/**
 * Imports the lines of a source in batches, each in one transaction or two. However it ends, finished batches are
 * stored, the others are not or in part, and importing the same source again gives the result of one whole run. Throws
 * `DamagedGzip`, or what the database or the source throws; `tally` says how far it got.
 *
 * A dry run has the same outcomes, since its batches are parts of one transaction, and stores nothing. Throws
 * `DryRunTooLong`.
 */
export function importLines(order: ImportOrder): Promise<void> {
  const { database, dryRun } = order;
  if (dryRun) return inParts(database, true, transacting => importThrough(transacting, order));
  return importThrough(work => inTransaction(database, work), order);
}

async function importThrough(transacting: TransactionRunner, order: ImportOrder): Promise<void> {
  const { kind, format, by, source, rejected, tally, stop, dryRun } = order;
  const consumed: Consumption = { bytes: 0 };
  const rejections = new Rejections(kind);
  const write = async (lines: readonly ReadLine[], bytesSoFar: number): Promise<void> => {
    // A dry run has one transaction, in which nothing is side by side.
    const outcomes = await writeLines(transacting, kind, by, lines, rejections, dryRun ? 1 : SIDE_BY_SIDE);
    await rejected.add(
      outcomes.flatMap(({ line, outcome }) => (outcome instanceof Refusal ? [{ line, refusal: outcome }] : [])),
      format,
    );
    tally.add(outcomes, bytesSoFar);
  };
  let writing = Promise.resolve();
  try {
    // While the database writes one batch, the next one is read.
    for await (const read of format.batches(unzipped(source.chunks, consumed))) {
      const bytesSoFar = consumed.bytes;
      await writing;
      if (stop.aborted) return;
      if (dryRun && tally.rows + read.length > MAX_DRY_RUN_LINES) throw new DryRunTooLong();
      writing = write(read, bytesSoFar);
      // Its failure is thrown where it is awaited, which is later.
      writing.catch(() => {});
    }
    await writing;
  } catch (error) {
    // However the input ended, the batch that is being written is finished, or fails for a reason of its own.
    await writing;
    if (stop.aborted && (error as Error).name === 'AbortError') return;
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw new DamagedGzip(error);
    throw error;
  } finally {
    tally.end();
  }
}

/** The source has more lines than a dry run tries. */
class DryRunTooLong extends UnusableSource {
  override readonly name = 'DryRunTooLong';
  constructor() {
    super(
      `A check tries at most ${MAX_DRY_RUN_LINES} lines, since it holds their locks until it is over. Split the file, or import it without --check into a copy of the database.`,
    );
  }
}

/** The gzip input ends too early, or its bytes were changed. */
class DamagedGzip extends UnusableSource {
  override readonly name = 'DamagedGzip';
  constructor(cause: unknown) {
    super('The gzip input is incomplete or damaged. Create the file again.', { cause });
  }
}

/** The most reasons that are told of one line, so that a broken file gives no endless report. */
const MAX_ERRORS = 50;

/** The file of rejected lines and the reasons, made with the first of them. It has no values of the lines. */
export class RejectedLines {
  private file: FileHandle | null = null;
  private constructor(
    private place: string,
    private readonly fallback: string,
  ) {}

  /** Removes the file of an earlier import. `fallback` is for a place that cannot be written to. */
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

  /** The path of the file, or null if no line was rejected. */
  get path(): string | null {
    return this.file && this.place;
  }

  async add(
    rejected: readonly { readonly line: number; readonly refusal: Refusal }[],
    { columnOf }: Pick<RecordFormat, 'columnOf'>,
  ): Promise<void> {
    if (rejected.length === 0) return;
    this.file ??= await this.open();
    const lines = rejected.map(({ line, refusal: { code, message, errors } }) => {
      const faults = (errors ?? []).slice(0, MAX_ERRORS).map(fault => ({ column: columnOf(fault.pointer), ...fault }));
      const record = { line, code, detail: message, errors: faults };
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

/** The progress of an import. */
export class ImportTally extends Tally implements Share {
  readonly counts = { new: 0, updated: 0, unchanged: 0, rejected: 0 };
  /** Every line up to this one is either in the database or rejected. */
  lastLine = 0;
  private bytes = 0;

  /** `sizeBytes`: of the source as it is, zipped or not; null where that is unknown. */
  constructor(private readonly sizeBytes: number | null = null) {
    super();
  }

  /** `bytesSoFar`: how much of the source the lines up to the last of these are. */
  add(outcomes: readonly LineOutcome[], bytesSoFar = 0): void {
    this.bytes = bytesSoFar;
    for (const { outcome } of outcomes) this.counts[outcome instanceof Refusal ? 'rejected' : outcome] += 1;
    this.lastLine = outcomes.at(-1)?.line ?? this.lastLine;
  }

  /** The share of the source whose lines are either in the database or rejected. */
  done(): number | null {
    return this.sizeBytes === null ? null : Math.min(this.bytes / this.sizeBytes, 1);
  }

  get rows(): number {
    return this.counts.new + this.counts.updated + this.counts.unchanged + this.counts.rejected;
  }

  get failures(): string {
    return this.counts.rejected > 0 ? `${this.counts.rejected} rejected` : '';
  }

  /** `12 new, 0 updated, 3 unchanged, 0 rejected in 0.2 s (75 rows/s)` */
  summary(): string {
    const counts = Object.entries(this.counts).map(([name, count]) => `${count} ${name}`);
    return this.summaryOf(counts.join(', '));
  }
}
