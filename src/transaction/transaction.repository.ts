import type { AccountView } from '../account/account.entity.js';
import { PRESENT, localTime } from '../account/account.service.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { Asking, Query } from '../platform/database/transaction.js';
import { BatchedRepository, type Draft } from '../platform/repository/batched-repository.js';
import { batcher } from '../platform/repository/batcher.js';
import { columnsOf, oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import { marking } from './balance/balance-marks.js';
import { Transaction, type TransactionRead } from './transaction.entity.js';
import type { LedgerEntry, LocalTimes, MovedLedger } from './transaction.ledger.js';

// The row of an account is locked as long as entries are added to its ledger, so what was read of it is what moves.
const MOVE = {
  name: 'ledgers_move',
  text: `UPDATE account a SET last_seq = m.last_seq, balance_minor = m.balance_minor
    FROM unnest($1::text[], $2::int8[], $3::int8[]) m(account_id, last_seq, balance_minor) WHERE a.account_id = m.account_id`,
};

const LOCAL_TIMES = {
  name: 'transactions_local_times',
  text: `SELECT ${localTime('k.transaction_timestamp')}, ${localTime('k.posted_timestamp')}, k.n::int
    FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[])
      WITH ORDINALITY k(account_id, transaction_timestamp, posted_timestamp, n)
    JOIN account a ON a.account_id = k.account_id`,
};

/** The present of the programs of accounts, also as local times of the accounts. */
const PRESENT_TIME = {
  name: 'transactions_present_time',
  text: `SELECT p.now, ${localTime('p.now')}, k.n::int FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
    JOIN account a ON a.account_id = k.account_id ${PRESENT}`,
};
/** Nothing is written to an account that is not there. */
const NO_ACCOUNT = { now: '', local: { transactionTime: '', postedTime: '' } };

/** What all entries of one ledger have. */
export type OfLedger = Pick<AccountView, 'accountId' | 'currency'>;

/** A transaction that is offered to an account's ledger. */
export interface Offered {
  readonly accountId: string;
  readonly transactionId: string;
  readonly transactionTimestamp: string;
  readonly postedTimestamp?: string | null;
}

interface Wanted {
  readonly account: OfLedger;
  readonly transactionId: string;
}

/** What is on record for a transaction that is offered. */
export interface OnRecord {
  /** The entry with its id, or null. */
  readonly entry: LedgerEntry | null;
  /** Null where there is no such account. */
  readonly times: LocalTimes | null;
}

/** A transaction that is to be reversed; null for what cannot be an id. */
export interface ReversalKey {
  readonly accountId: string;
  readonly transactionId: string | null;
  readonly reversalId: string | null;
}

/** What decides on a reversal. */
export interface Reversible {
  /** The transaction, or null. */
  readonly entry: LedgerEntry | null;
  /** What has the id of its reversal, or null. */
  readonly other: LedgerEntry | null;
  /** The present of the program. */
  readonly now: string;
  readonly local: LocalTimes;
}

/** The end of an account's ledger after entries were added, and what is to be written of them. */
export interface LedgerAddition extends MovedLedger {
  readonly drafts: readonly Draft[];
}

export class TransactionRepository extends BatchedRepository<Transaction, TransactionRead, never, OfLedger> {
  /** One transaction of an account that the caller sees, or null. */
  readonly find = batcher<Wanted, TransactionRead | null>(async wanted => {
    const keys = wanted.map(({ account: { accountId }, transactionId }) => [accountId, transactionId]);
    const rows = await this.database.queryTogether<WithOrdinal<unknown[]>>(this.present, columnsOf(keys));
    return oneByOrdinal(rows, wanted.length, (row, index) => this.read(row, wanted[index]?.account));
  });

  private readonly present = {
    name: 'transactions_present',
    text: `SELECT ${this.columns('t')}, k.n::int FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(account_id, transaction_id, n)
      JOIN transaction t ON t.account_id = k.account_id AND t.transaction_id = k.transaction_id`,
  };

  constructor(database: Database, keys: KeyRing) {
    super(database, Transaction, keys);
  }

  /** What is on record for each transaction that is offered. */
  async onRecord(transaction: Asking, offered: readonly Offered[]): Promise<OnRecord[]> {
    const keys = offered.map(({ accountId, transactionId }) => [accountId, transactionId]);
    const instants = offered.map(({ accountId, transactionTimestamp, postedTimestamp = null }) => [
      accountId,
      transactionTimestamp,
      postedTimestamp,
    ]);
    const [rows, local] = await Promise.all([
      transaction.query<WithOrdinal<unknown[]>>(this.present, columnsOf(keys)),
      transaction.query<WithOrdinal<[string, string | null]>>(LOCAL_TIMES, columnsOf(instants)),
    ]);
    const entries = oneByOrdinal(rows, offered.length, row => this.read(row));
    const times = oneByOrdinal(local, offered.length, ([transactionTime, postedTime]) => ({
      transactionTime,
      postedTime,
    }));
    return offered.map((_, index) => ({ entry: entries[index] ?? null, times: times[index] ?? null }));
  }

  /** What decides on reversals. */
  async reversible(transaction: Asking, keys: readonly ReversalKey[]): Promise<Reversible[]> {
    const ids = keys.flatMap(({ accountId, transactionId, reversalId }) => [
      [accountId, transactionId],
      [accountId, reversalId],
    ]);
    const [rows, present] = await Promise.all([
      transaction.query<WithOrdinal<unknown[]>>(this.present, columnsOf(ids)),
      transaction.query<WithOrdinal<[now: string, local: string]>>(PRESENT_TIME, [
        keys.map(({ accountId }) => accountId),
      ]),
    ]);
    const entries = oneByOrdinal(rows, ids.length, row => this.read(row));
    const times = oneByOrdinal(present, keys.length, ([now, local]) => ({
      now,
      local: { transactionTime: local, postedTime: local },
    }));
    return keys.map((_, index) => {
      const { now, local } = times[index] ?? NO_ACCOUNT;
      return { entry: entries[2 * index] ?? null, other: entries[2 * index + 1] ?? null, now, local };
    });
  }

  /**
   * Writes what was added to ledgers. An account moves in the transaction that adds to its ledger, and its row has been
   * locked since it was read.
   */
  adding(additions: readonly LedgerAddition[]): Query[] {
    const moved = additions.filter(({ drafts }) => drafts.length > 0);
    if (moved.length === 0) return [];
    const ends = moved.map(({ accountId, head }) => [accountId, head.lastSeq, head.balanceMinor]);
    const rows = this.insertion(moved.flatMap(({ drafts }) => drafts));
    return [{ statement: MOVE, values: columnsOf(ends) }, rows, ...marking(moved)];
  }
}
