import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { Bulk } from '../command/bulk.js';
import type { CommandRequest } from '../command/command.js';
import type { TransactionRunner, Transaction } from '../database/transaction.js';
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

/** What is given cannot be imported as it is: the same command again would end alike. */
export class UnusableSource extends Error {
  override readonly name: string = 'UnusableSource';
}

/** How the bytes of a file are records. */
export interface RecordFormat {
  /** Reads records in batches, and checks them by the rules of their kind, without the database. */
  batches(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadLine[]>;
  /** The column of the file that has the field at a pointer, where the file has columns. */
  readonly columnOf: (pointer: string) => string | undefined;
}

/** Who imports: the caller of the commands that records of one identity become. */
export type Importer = (identity: string) => Caller;

/**
 * Writes one batch of lines: all of it, or nothing if this throws. A wrong line is refused and the others are written.
 */
export async function writeLines(
  transacting: TransactionRunner,
  kind: ImportKind,
  by: Importer,
  lines: readonly ReadLine[],
): Promise<LineOutcome[]> {
  return joined(lines, await writeSeparatingFailures(transacting, kind, by, recordsIn(lines)));
}

/** The records of the lines that are right. */
export function recordsIn(lines: readonly ReadLine[]): object[] {
  return lines.map(({ item }) => item).filter(item => !(item instanceof Refusal));
}

/** What became of each line, by what became of the records. */
export function joined(lines: readonly ReadLine[], ofRecords: readonly Outcome[]): LineOutcome[] {
  const outcomes = ofRecords.values();
  return lines.map(({ line, item }) => ({
    line,
    outcome: item instanceof Refusal ? item : (outcomes.next().value as Outcome),
  }));
}

/** Writes records in a transaction, and gives their outcomes in order. */
export async function writeRecords(
  transaction: Transaction,
  kind: ImportKind,
  by: Importer,
  items: readonly object[],
): Promise<readonly Outcome[]> {
  const commands = commandsOf(kind, by, items);
  return outcomesOf(commands, await kind.bulk.run(transaction, commands));
}

/** Records of one identity, in their order. */
export interface Records<Item extends object = object> {
  readonly identity: string;
  readonly items: readonly Item[];
}

/** The command that records of one identity are. */
export interface RecordsRequest extends CommandRequest<Records> {
  /** Where they are among all records. */
  readonly places: readonly number[];
}

/** In the order of the identities, so that two imports of the same records never wait for each other in a circle. */
export function commandsOf(kind: ImportKind, by: Importer, items: readonly object[]): RecordsRequest[] {
  const identities = Map.groupBy(items.keys(), place => kind.identityOf(items[place] as object));
  return [...identities]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([identity, places]) => ({
      caller: by(identity),
      accountId: kind.ofAccounts ? identity : '',
      places,
      input: {
        identity,
        items: places.map(place => items[place] as object),
      },
    }));
}

/** What became of each record. */
export function outcomesOf(
  commands: readonly RecordsRequest[],
  results: readonly (readonly Outcome[] | Refusal)[],
): Outcome[] {
  const outcomes: Outcome[] = [];
  commands.forEach(({ places }, n) => {
    const result = results[n] as readonly Outcome[] | Refusal;
    places.forEach(
      (place, index) => (outcomes[place] = result instanceof Refusal ? result : (result[index] as Outcome)),
    );
  });
  return outcomes;
}

/** The rules should leave nothing that PostgreSQL refuses. If they do, the one bad line fails, not the import. */
async function writeSeparatingFailures(
  transacting: TransactionRunner,
  kind: ImportKind,
  by: Importer,
  items: readonly object[],
): Promise<readonly Outcome[]> {
  if (items.length === 0) return [];
  try {
    return await transacting(transaction => writeRecords(transaction, kind, by, items));
  } catch (error) {
    const state = dataError(error);
    if (state === null) throw error;
    if (items.length === 1) return [new NotStorable(state)];
  }
  const outcomes: Outcome[] = [];
  for (const item of items) outcomes.push(...(await writeSeparatingFailures(transacting, kind, by, [item])));
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
  /** What a record is about: an account, or a thing of the program. Records of one identity are one command. */
  identityOf(item: Item): string;
  readonly ofAccounts: boolean;
  /** Each record sees the ones before it. A refused record changes nothing. */
  readonly bulk: ImportCommand<Item>;
}

/** The kind of command that records are, one for each identity. */
export type ImportCommand<Item extends object> = Pick<
  Bulk<Records<Item>, unknown, unknown, readonly Outcome[], unknown>,
  'run' | 'know' | 'decide' | 'writing'
>;

/** A refusal names fields and reasons, never a value. */
export type Outcome = 'new' | 'updated' | 'unchanged' | Refusal;
