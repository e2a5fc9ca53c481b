import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { StatementSender, Query } from '../platform/database/transaction.js';
import { BatchedRepository, type Draft } from '../platform/repository/batched-repository.js';
import type { LedgerAddition } from '../transaction/ledger.service.js';
import { Transfer, TransferKey, type TransferRead } from './transfer.entity.js';

/** What finds a transfer in its program. */
export interface NamedTransfer {
  readonly program: string;
  /** Null for what cannot be an id. */
  readonly transferId: string | null;
}

/** A transfer as it is stored beside each of its accounts. */
export interface TransferRows {
  readonly from: TransferRead;
  readonly to: TransferRead;
}

/** What is to be written of a transfer. */
export interface TransferDraft {
  readonly rows: TransferRows;
  /** What both ledgers get, that of the account first that the money leaves. */
  readonly additions: readonly LedgerAddition[];
}

/** Transfers beside their accounts, and the ids by which a program finds them. */
export class TransferRepository extends BatchedRepository<Transfer, TransferRead> {
  readonly keys: BatchedRepository<TransferKey, TransferKey>;
  private readonly rewriting: (drafts: readonly Draft[]) => Query;

  constructor(database: Database, keys: KeyRing) {
    super(database, Transfer, keys, { parent: 'accountId', order: ['seq'], descending: true });
    this.keys = new BatchedRepository(database, TransferKey);
    this.rewriting = this.updating(['status', 'reversedAt']);
  }

  /** A transfer of a program, as the account that the money left has it. */
  async find(program: string, transferId: string): Promise<TransferRead | null> {
    const key = await this.keys.one(program, transferId);
    return key && this.one(key.fromAccountId, transferId);
  }

  /** As `find`, read now from where writes go: it decides which accounts a command locks. */
  async findNow(program: string, transferId: string): Promise<TransferRead | null> {
    const [accountId] = await this.accountsOf(this.database, [{ program, transferId }]);
    const [transfer] = accountId ? await this.each(this.database, [[accountId, transferId]]) : [];
    return transfer ?? null;
  }

  /** The account that the money of each transfer left, in a transaction; null where there is no such transfer. */
  async accountsOf(transaction: StatementSender, named: readonly NamedTransfer[]): Promise<(string | null)[]> {
    const keys = await this.keys.each(
      transaction,
      named.map(({ program, transferId }) => [program, transferId]),
    );
    return keys.map(key => key?.fromAccountId ?? null);
  }

  /** The statements that write new transfers. */
  adding(transfers: readonly TransferRows[]): Query[] {
    const rows = transfers.flatMap(({ from, to }) => [from, to]);
    return [
      this.keys.insertion(transfers.map(({ from }) => this.keys.draft(from))),
      this.insertion(rows.map(row => this.draft(row))),
    ];
  }

  /** The statement that writes what became of transfers. */
  rewritten(transfers: readonly TransferRows[]): Query {
    return this.rewriting(transfers.flatMap(({ from, to }) => [this.draft(from), this.draft(to)]));
  }
}
