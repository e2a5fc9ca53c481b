import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../../shared/errors.js';
import { valueOfJson, readRecord } from '../input/read-input.js';
import type { ImportKind, ReadLine, RecordFormat } from './batch.js';
import { MAX_LINE_BYTES, batchesOf, type Line } from './source.js';

/** After so long other work runs, such as writing the batch before. */
const AT_ONCE_MS = 2;

/** Lets a long reading rest. Lines take a microsecond or many milliseconds, so it goes by time and not by lines. */
export class Pace {
  private sinceMs = performance.now();

  get isDue(): boolean {
    return performance.now() - this.sinceMs >= AT_ONCE_MS;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.sinceMs = performance.now();
  }
}

/** One JSON object a line. */
export function jsonLines(kind: ImportKind): RecordFormat {
  return {
    async *batches(chunks) {
      for await (const lines of batchesOf(chunks)) yield await readLines(kind, lines);
    },
    columnOf: () => undefined,
  };
}

/** Checks lines by the rules of their kind, without the database. */
export async function readLines(kind: ImportKind, lines: readonly Line[]): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  const pace = new Pace();
  for (const line of lines) {
    read.push(readLine(kind, line));
    if (pace.isDue) await pace.rest();
  }
  return read;
}

/** Returns what a function gives, or the refusal that it throws. */
export function orRefusal<Value>(read: () => Value): Value | Refusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function readLine(kind: ImportKind, { number: line, bytes }: Line): ReadLine {
  const value = orRefusal(() => valueIn(bytes));
  if (value instanceof Refusal) return { line, item: value };
  const item = orRefusal(() => readRecord(kind.input, value));
  return item instanceof Refusal ? { line, item, value } : { line, item };
}

function valueIn(bytes: Buffer | null): unknown {
  if (bytes === null) throw new LineTooLong();
  try {
    return valueOfJson(bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The message of the parser would quote the line.
    throw new NotJson();
  }
}

export class LineTooLong extends Refusal {
  readonly code = 'line_too_long';
  constructor() {
    super(`The line is longer than ${MAX_LINE_BYTES} bytes. Check that each line is one record.`);
  }
}

class NotJson extends Refusal {
  readonly code = 'not_json';
  constructor() {
    super('The line must be one JSON object in UTF-8.');
  }
}
