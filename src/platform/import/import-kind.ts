import type { Refusal } from '../../shared/errors.js';
import type { InputClass } from '../input/input.js';
import type { Transaction } from '../database/transaction.js';

/**
 * One kind of record that can be imported. To add one: a record class (`@Input`, with the rules that both doors have), an
 * implementation of this in the noun's `*.import.ts`, and a line in `src/imports.ts`.
 */
export interface ImportKind<Item extends object = object> {
  /** What a line has to be. */
  readonly input: InputClass<Item>;

  /** What the record is about. Records with one identity are never written together: the later one sees what became of the earlier. */
  identityOf(item: Item): string;

  /**
   * Writes records of different identities, in few statements for all of them, and tells what became of each, in their order.
   * It must give the same result whether they come together or one by one, and change nothing for what it refuses. It may run
   * again after its transaction was rolled back.
   */
  write(transaction: Transaction, program: string, items: readonly Item[]): Promise<Outcome[]>;
}

/** What became of a record. A refusal names fields and reasons, never a value. */
export type Outcome = 'new' | 'updated' | 'unchanged' | Refusal;
