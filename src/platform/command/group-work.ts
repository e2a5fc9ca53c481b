import type { Caller } from '../../shared/caller.js';
import type { Refusal } from '../../shared/errors.js';
import type { Query } from '../database/flights.js';
import type { Transaction } from '../database/transaction.js';
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
  /** Locks the accounts until the transaction ends, and gives those it got: all that there are if it `waits`, else none that are held elsewhere. */
  lock(transaction: Transaction, asked: readonly Asked[], waits: boolean): Promise<ReadonlySet<string>>;
  /** What each caller sees of the account now that nobody else changes it; null for nothing. */
  see(transaction: Transaction, asked: readonly Asked[]): Promise<readonly (Subject | null)[]>;
  /** What else decides. */
  know(transaction: Transaction, asked: readonly Asked[]): Promise<readonly Fact[]>;
  /** What is done, without doing it. Throws a `Refusal`. */
  decide(subject: Subject, fact: Fact, input: Input): { readonly result: Result; readonly row: Row };
  /** What writes the rows of commands that are done. */
  write(rows: readonly Row[]): Query;
  /** The refusal where a caller sees nothing. */
  readonly notFound: () => Refusal;
}
