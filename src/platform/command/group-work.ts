import type { Caller } from '../../shared/caller.js';
import type { Refusal } from '../../shared/errors.js';
import type { Asking, Query } from '../database/transaction.js';
import type { Command } from './command.js';

export type GroupCommand<Result> = Omit<Command<Result>, 'authorise'>;

/** Which account a command is about, and who gives it. */
export interface Asked {
  readonly accountId: string;
  readonly caller: Caller;
}

/** What a command gives if nothing that is read forbids it, and what is to be written for it. */
export interface Prepared<Result, Draft> {
  readonly result: Result;
  readonly draft: Draft;
}

/** A command that is to be done, and what was known when that was decided. */
export interface Permitted<Fact, Draft> {
  readonly draft: Draft;
  readonly fact: Fact;
}

/**
 * What the commands of a group do, each step for many accounts in one statement. `Draft` is what is written for one command.
 * What reads must send its statements before it waits for any.
 */
export interface GroupWork<Input, Subject, Fact, Result, Draft> {
  /**
   * Locks the accounts until the transaction ends, and gives what each caller sees of its account now that nobody else changes it; null for nothing,
   * and unless it `waits` for what is held elsewhere as well.
   */
  lock(transaction: Asking, asked: readonly Asked[], waits: boolean): Promise<readonly (Subject | null)[]>;
  /** What else decides. */
  know(transaction: Asking, asked: readonly Asked[]): Promise<readonly Fact[]>;
  /** All that needs nothing of what is read: it is made meanwhile. Throws a `Refusal` of the input. */
  prepare(accountId: string, input: Input): Prepared<Result, Draft>;
  /** Throws a `Refusal` of what may not be done. */
  permit(subject: Subject, fact: Fact): void;
  /** What writes commands that are done. */
  write(permitted: readonly Permitted<Fact, Draft>[]): Query;
  /** The refusal where a caller sees nothing. */
  readonly notFound: () => Refusal;
}
