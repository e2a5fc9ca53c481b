import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { Bulk } from '../command/bulk.js';
import type { CommandRequest } from '../command/command.js';
import type { TransactionRunner, SqlTransaction } from '../database/transaction.js';
import type { InputClass } from '../input/input.js';

export interface LineOutcome {
  readonly line: number;
  readonly outcome: Outcome;
}

/** A line as a record, or the reason why it is none. */
export interface ReadLine {
  readonly line: number;
  readonly item: object | Refusal;
  /** The content of a line that is no record, as far as it could be read. */
  readonly value?: unknown;
}

/** The source cannot be imported as it is: the same command again would end alike. */
export class UnusableSource extends Error {
  override readonly name: string = 'UnusableSource';
}

/** The form in which the bytes of a file are records. */
export interface RecordFormat {
  /** Reads records in batches, and checks them by the rules of their kind, without the database. */
  batches(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadLine[]>;
  /** The column of the file that has the field at a pointer, where the file has columns. */
  readonly columnOf: (pointer: string) => string | undefined;
}

/** Gives the importer: the caller of the commands that records of one identity become. */
export type Importer = (identity: string) => Caller;

/** More identities than these have no rejected line on record, so that a file of them cannot fill the memory. */
const MAX_REJECTED_IDENTITIES = 100_000;

/** The first rejected line of each identity, as far as an import is, for kinds whose later records build on it. */
export class Rejections {
  private readonly lines = new Map<string, number>();

  constructor(private readonly kind: ImportKind) {}

  of(identity: string): number | null {
    return this.lines.get(identity) ?? null;
  }

  /** Adds those of these lines that are no records, or whose records were refused. */
  add(lines: readonly ReadLine[], outcomes: readonly LineOutcome[] = []): void {
    lines.forEach(({ line, item, value }, index) => {
      const isRecord = !(item instanceof Refusal);
      if (isRecord && !(outcomes[index]?.outcome instanceof Refusal)) return;
      const identity = this.kind.identityIn?.(isRecord ? item : value);
      if (typeof identity !== 'string') return;
      const first = this.lines.get(identity);
      const isFirst = first === undefined ? this.lines.size < MAX_REJECTED_IDENTITIES : line < first;
      if (isFirst) this.lines.set(identity, line);
    });
  }
}

/**
 * Writes one batch of lines in a transaction, or in up to `most` of them side by side where the kind allows it: while
 * the server writes one part, another is decided. If this throws, each part is written as a whole or not at all. A wrong
 * line is refused and the others are written.
 */
export async function writeLines(
  transacting: TransactionRunner,
  kind: ImportKind,
  by: Importer,
  lines: readonly ReadLine[],
  rejections: Rejections,
  most = 1,
): Promise<LineOutcome[]> {
  const parts = partsOf(kind, lines, kind.isDivisible ? most : 1);
  const written = parts.map(part => writeSeparatingFailures(transacting, kind, by, part, rejections));
  // None is left running when another one fails.
  await Promise.allSettled(written);
  const outcomes = (await Promise.all(written)).flat().sort((one, other) => one.line - other.line);
  rejections.add(lines, outcomes);
  return outcomes;
}

/** Divides lines into parts of about the same size. All lines of an identity are in one part, in their order. */
function partsOf(kind: ImportKind, lines: readonly ReadLine[], count: number): readonly (readonly ReadLine[])[] {
  if (count === 1) return [lines];
  const partOf = new Map<unknown, number>();
  const parts = Map.groupBy(lines, ({ item, value }) => {
    const identity = item instanceof Refusal ? kind.identityIn?.(value) : kind.identityOf(item);
    const part = partOf.get(identity) ?? partOf.size % count;
    partOf.set(identity, part);
    return part;
  });
  return [...parts.values()];
}

/** Writes records in a transaction, and gives their outcomes in order. */
export async function writeRecords(
  transaction: SqlTransaction,
  kind: ImportKind,
  by: Importer,
  items: readonly object[],
): Promise<readonly Outcome[]> {
  const lines = items.map((item, index) => ({ line: index + 1, item }));
  const commands = commandsOf(kind, by, lines, new Rejections(kind));
  const outcomes = outcomesOf(lines, commands, await kind.bulk.run(transaction, commands));
  return outcomes.map(({ outcome }) => outcome);
}

/** Records of one identity, in their order. */
export interface Records<Item extends object = object> {
  readonly identity: string;
  readonly items: readonly Item[];
  /** The number of the line of each. */
  readonly lines: readonly number[];
  /** The first line of the identity that is no record, or was refused in an earlier batch; null for none. */
  readonly rejectedLine: number | null;
}

/** The command that records of one identity are. */
export interface RecordsRequest extends CommandRequest<Records> {
  /** Where they are among all lines. */
  readonly places: readonly number[];
}

/** In the order of the identities, so that two imports of the same records never wait for each other in a circle. */
export function commandsOf(
  kind: ImportKind,
  by: Importer,
  lines: readonly ReadLine[],
  rejections: Rejections,
): RecordsRequest[] {
  rejections.add(lines);
  const records = lines.flatMap(({ line, item }, place) => (item instanceof Refusal ? [] : [{ line, item, place }]));
  const identities = Map.groupBy(records, ({ item }) => kind.identityOf(item));
  return [...identities]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([identity, all]) => ({
      caller: by(identity),
      accountId: kind.ofAccounts ? identity : '',
      places: all.map(({ place }) => place),
      input: {
        identity,
        items: all.map(({ item }) => item),
        lines: all.map(({ line }) => line),
        rejectedLine: rejections.of(identity),
      },
    }));
}

/** Turns the outcomes of the commands of records into the outcomes of their lines. */
export function outcomesOf(
  lines: readonly ReadLine[],
  commands: readonly RecordsRequest[],
  results: readonly (readonly Outcome[] | Refusal)[],
): LineOutcome[] {
  const outcomes = lines.map(({ item }) => item as Outcome);
  commands.forEach(({ places }, n) => {
    const result = results[n] as readonly Outcome[] | Refusal;
    places.forEach(
      (place, index) => (outcomes[place] = result instanceof Refusal ? result : (result[index] as Outcome)),
    );
  });
  return outcomes.map((outcome, place) => ({ line: (lines[place] as ReadLine).line, outcome }));
}

/** The rules should leave nothing that PostgreSQL refuses. If they do, the one bad line fails, not the import. */
async function writeSeparatingFailures(
  transacting: TransactionRunner,
  kind: ImportKind,
  by: Importer,
  lines: readonly ReadLine[],
  rejections: Rejections,
): Promise<LineOutcome[]> {
  const commands = commandsOf(kind, by, lines, rejections);
  if (commands.length === 0) return outcomesOf(lines, [], []);
  try {
    return await transacting(async transaction =>
      outcomesOf(lines, commands, await kind.bulk.run(transaction, commands)),
    );
  } catch (error) {
    const state = dataError(error);
    if (state === null) throw error;
    if (lines.length === 1) return outcomesOf(lines, commands, [new NotStorable(state)]);
  }
  const outcomes: LineOutcome[] = [];
  for (const line of lines) outcomes.push(...(await writeLines(transacting, kind, by, [line], rejections)));
  return outcomes;
}

/** The SQLSTATE if the data was refused: class 22 (data exception) or 23 (integrity constraint violation). */
function dataError(error: unknown): string | null {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code) ? code : null;
}

class NotStorable extends Refusal {
  readonly code = 'not_storable';
  constructor(sqlState: string) {
    super(`The database rejected a value of this record (SQLSTATE ${sqlState}).`);
  }
}

/**
 * A kind of record that can be imported. To add one: a record class (`@Input`, with the rules of GraphQL and REST), a
 * function that gives this in the noun's `*.import.ts`, and a line in `src/app/imports.ts`.
 */
export interface ImportKind<Item extends object = object> {
  /** The class of a line. */
  readonly input: InputClass<Item>;
  /**
   * Names the thing that a record is about: an account, or a thing of the program. Records of one identity are one
   * command.
   */
  identityOf(item: Item): string;
  readonly ofAccounts: boolean;
  /**
   * True if writing records of one identity touches nothing that records of another one touch, so that they can be
   * written side by side.
   */
  readonly isDivisible?: boolean;
  /**
   * For a kind whose records build on those before them: the identity that a line names, also one that is no record.
   * A value that is not a text is no id.
   */
  identityIn?(value: unknown): unknown;
  /** Each record sees the ones before it. A refused record changes nothing. */
  readonly bulk: ImportCommand<Item>;
}

/** The kind of command that records are, one for each identity. */
export type ImportCommand<Item extends object> = Pick<
  Bulk<Records<Item>, unknown, unknown, readonly Outcome[], unknown>,
  'run' | 'readFacts' | 'decide' | 'writing'
>;

/** A refusal names fields and reasons, never a value. */
export type Outcome = 'new' | 'updated' | 'unchanged' | Refusal;
