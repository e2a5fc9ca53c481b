import type { Caller } from '../../shared/caller.js';
import type { Refusal } from '../../shared/errors.js';
import type { Asking, Query } from '../database/in-two-flights.js';
import type { Command } from './command.js';

export type GroupCommand<Result> = Omit<Command<Result>, 'authorise'>;

/** Which account a command is about, and who gives it. */
export interface Asked {
  readonly accountId: string;
  readonly caller: Caller;
}

/**
 * What the commands of a group do, each step for many accounts in one statement. `Row` is what is written for one command.
 * What reads must send its statements before it waits for any.
 */
export interface GroupWork<Input, Subject, Fact, Result, Row> {
  /**
   * Locks the accounts until the transaction ends, and gives what each caller sees of its account now that nobody else changes it; null for nothing,
   * and unless it `waits` for what is held elsewhere as well.
   */
  lock(transaction: Asking, asked: readonly Asked[], waits: boolean): Promise<readonly (Subject | null)[]>;
  /** What else decides. */
  know(transaction: Asking, asked: readonly Asked[]): Promise<readonly Fact[]>;
  /** What is done, without doing it. Throws a `Refusal`. */
  decide(subject: Subject, fact: Fact, input: Input): { readonly result: Result; readonly row: Row };
  /** What writes the rows of commands that are done. */
  write(rows: readonly Row[]): Query;
  /** The refusal where a caller sees nothing. */
  readonly notFound: () => Refusal;
}
