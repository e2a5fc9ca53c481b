import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../../shared/errors.js';
import { valueOfJson, readRecord } from '../input/read-input.js';
import { MAX_LINE_BYTES, type Line } from './source.js';
import type { Transacting, Transaction } from '../database/transaction.js';
import type { InputClass } from '../input/input.js';

export interface LineOutcome {
  readonly line: number;
  readonly outcome: Outcome;
}

/** A line as a record, or the reason why it is none. */
export interface ReadLine {
  readonly line: number;
  readonly item: object | Refusal;
}

/** After so many lines other work may run, such as writing the batch before. */
const LINES_AT_ONCE = 100;

/** Checks lines by the rules of their kind, without the database. */
export async function readLines(kind: ImportKind, lines: readonly Line[]): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  for (const line of lines) {
    read.push({ line: line.number, item: readOrRefuse(() => recordIn(kind, line)) });
    if (read.length % LINES_AT_ONCE === 0) await setImmediate();
  }
  return read;
}

/**
 * Writes one batch of lines: all of it, or nothing if this throws. A wrong line is refused and the others are written.
 * Transactions are events, since readers follow ledgers; other imported records are the bank's own and are none.
 */
export async function writeLines(
  transacting: Transacting,
  kind: ImportKind,
  program: string,
  lines: readonly ReadLine[],
): Promise<LineOutcome[]> {
  const items = lines.map(({ item }) => item).filter(item => !(item instanceof Refusal));
  const outcomes = (await writeSeparatingFailures(transacting, kind, program, items)).values();
  return lines.map(({ line, item }) => ({
    line,
    outcome: item instanceof Refusal ? item : (outcomes.next().value as Outcome),
  }));
}

/** Writes records in order. Each sees the earlier ones, as if it came in a batch of its own. */
export async function writeInOrder(
  transaction: Transaction,
  kind: ImportKind,
  program: string,
  items: readonly object[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let together: object[] = [];
  let identities = new Set<string>();
  for (const item of items) {
    const identity = kind.identityOf(item);
    if (identities.has(identity)) {
      outcomes.push(...(await kind.write(transaction, program, together)));
      together = [];
      identities = new Set();
    }
    together.push(item);
    identities.add(identity);
  }
  if (together.length > 0) outcomes.push(...(await kind.write(transaction, program, together)));
  return outcomes;
}

/** The rules should leave nothing that PostgreSQL refuses. If they do, the one bad line fails, not the import. */
async function writeSeparatingFailures(
  transacting: Transacting,
  kind: ImportKind,
  program: string,
  items: readonly object[],
): Promise<Outcome[]> {
  if (items.length === 0) return [];
  try {
    return await transacting(transaction => writeInOrder(transaction, kind, program, items));
  } catch (error) {
    const state = dataError(error);
    if (state === null) throw error;
    if (items.length === 1) return [new NotStorable(state)];
  }
  const outcomes: Outcome[] = [];
  for (const item of items) outcomes.push(...(await writeSeparatingFailures(transacting, kind, program, [item])));
  return outcomes;
}

/** The SQLSTATE if the data was refused: class 22 (data exception) or 23 (integrity constraint violation). */
function dataError(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code) ? code : null;
}

function recordIn(kind: ImportKind, { bytes }: Line): object {
  if (bytes === null) throw new LineTooLong();
  return readRecord(kind.input, parse(bytes));
}

function readOrRefuse(read: () => object): object {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return valueOfJson(bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The message of the parser would quote the line.
    throw new NotJson();
  }
}

class LineTooLong extends Refusal {
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

class NotStorable extends Refusal {
  readonly code = 'not_storable';
  constructor(sqlState: string) {
    super(`The database rejected a value of this record (SQLSTATE ${sqlState}).`);
  }
}

/** Stands for the program of an import where each record names its own. No program has this id. */
export const EACH_OWN = '';

/**
 * A kind of record that can be imported. To add one: a record class (`@Input`, with the rules of GraphQL and REST), an
 * implementation of this in the noun's `*.import.ts`, and a line in `src/app/imports.ts`.
 */
export interface ImportKind<Item extends object = object> {
  /** The class of a line. */
  readonly input: InputClass<Item>;

  /**
   * What the record is about. Records of one identity are never written together: the later one sees the earlier one.
   */
  identityOf(item: Item): string;

  /**
   * Writes records of different identities in few statements, and gives the outcome of each in order. The result must
   * be the same whether they come together or one by one, and a refused record must change nothing. It may run again
   * after its transaction was rolled back.
   */
  write(transaction: Transaction, program: string, items: readonly Item[]): Promise<Outcome[]>;
}

/** A refusal names fields and reasons, never a value. */
export type Outcome = 'new' | 'updated' | 'unchanged' | Refusal;
