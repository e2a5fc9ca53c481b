import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { Query } from '../platform/database/transaction.js';
import { BatchedRepository, type Draft } from '../platform/repository/batched-repository.js';
import { columnsOf } from '../platform/repository/by-ordinal.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import type { LedgerHead } from './transaction.ledger.js';

// The row of an account is locked as long as entries are added to its ledger, so what was read of it is what moves.
const MOVE = {
  name: 'ledgers_move',
  text: `UPDATE account a SET last_seq = m.last_seq, balance_minor = m.balance_minor
    FROM unnest($1::text[], $2::int8[], $3::int8[]) m(account_id, last_seq, balance_minor) WHERE a.account_id = m.account_id`,
};

/** The end of an account's ledger. */
export interface MovedLedger {
  readonly accountId: string;
  readonly head: LedgerHead;
}

export class TransactionRepository extends BatchedRepository<Transaction, TransactionView> {
  constructor(database: Database, keys: KeyRing) {
    super(database, Transaction, keys);
  }

  /** Adds entries to ledgers, and moves the accounts to the ledgers' ends. */
  addition(ledgers: readonly MovedLedger[], drafts: readonly Draft[]): Query[] {
    return [this.moving(ledgers), this.insertion(drafts)];
  }

  /** Moves accounts to the ends of their ledgers. */
  moving(ledgers: readonly MovedLedger[]): Query {
    const values = ledgers.map(({ accountId, head }) => [accountId, head.lastSeq, head.balanceMinor]);
    return { statement: MOVE, values: columnsOf(values) };
  }
}
