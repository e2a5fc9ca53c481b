import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { SqlQuery, StatementSender } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { oneByOrdinal, transpose, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import type { Window } from '../../shared/page.js';
import { Note, type NoteRead } from './note.entity.js';

/** The subject of notes, of one program. */
export interface NoteSubject {
  readonly program: string;
  readonly accountId?: string;
  readonly transactionId?: string;
  readonly customerId?: string;
}

/** Where a note stands in a list. */
export type NotePlace = Pick<Note, 'createdAt' | 'noteId'>;

// Commands of a group read theirs together.
const TRANSACTIONS = keyed(
  'notes_transactions',
  { account_id: 'text', transaction_id: 'text' },
  ({ k, each }) => `SELECT true, ${k.n}::int FROM ${each}transaction t
    WHERE t.account_id = ${k.account_id} AND t.transaction_id = ${k.transaction_id}`,
);

export class NoteRepository extends BatchedRepository<Note, NoteRead> {
  constructor(database: Database, keys: KeyRing) {
    super(database, Note, keys);
  }

  /** A part of the notes about something, in the order in which `sliceOf` takes them. */
  async between(subject: NoteSubject, window: Window<NotePlace>): Promise<NoteRead[]> {
    const options = { orderBy: { createdAt: 'desc', noteId: 'desc' }, ...cursorOptions(window) } as const;
    const found = await this.database.em().find(Note, subject, options);
    return inReadingOrder(found, window).map(note => this.found(note));
  }

  total(subject: NoteSubject): Promise<number> {
    return this.database.em().count(Note, subject);
  }

  /** Makes the statement that deletes the notes about a customer. */
  erasing(program: string, customerId: string): SqlQuery {
    return this.database.queryOf(this.database.em().createQueryBuilder(Note).delete({ program, customerId }));
  }

  /** Tells if each account has the transaction. */
  async areThere(
    transaction: StatementSender,
    keys: readonly { readonly accountId: string; readonly transactionId: string | null }[],
  ): Promise<boolean[]> {
    // An empty id is that of no transaction, and is text on Citus as well.
    const values = transpose(keys.map(({ accountId, transactionId }) => [accountId, transactionId ?? '']));
    const rows = await transaction.query<WithOrdinal<[boolean]>>(TRANSACTIONS, values);
    return oneByOrdinal(rows, keys.length, ([isThere]) => isThere).map(isThere => isThere ?? false);
  }
}
