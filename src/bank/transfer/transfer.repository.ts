import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import { BatchedRepository, type Draft } from '../../platform/repository/batched-repository.js';
import { nameKey } from '../owner/owner.entity.js';
import { byOrdinal, transpose, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { keyed } from '../../platform/database/keyed.js';
import type { EntryContent, LedgerAddition } from '../transaction/ledger.service.js';
import { Transfer, TransferKey, type TransferRead } from './transfer.entity.js';

// The names that approvers of transfers read.
const OWNER_NAMES = keyed(
  'transfers_owner_names',
  { account_id: 'text' },
  ({ k, each }) => `SELECT concat_ws(' ', nullif(c.name_first, ''), c.name_last), ${k.n}::int
    FROM ${each}account_owner v JOIN customer c ON c.customer_id = v.customer_id
    WHERE v.account_id = ${k.account_id} ORDER BY v.position`,
);

// Names are compared as they are looked for.
const PAYEES = keyed(
  'transfers_payees',
  { account_id: 'text', last_name: 'text' },
  ({
    k,
    each,
  }) => `SELECT true, ${k.n}::int FROM ${each}account_owner v JOIN customer c ON c.customer_id = v.customer_id
    WHERE v.account_id = ${k.account_id} AND ${nameKey('c.name_last')} = ${nameKey(k.last_name)}`,
);

const PAYING_OTHERS = {
  name: 'transfers_paying_others',
  text: `SELECT true FROM program WHERE program_id = $1 AND transfers ->> 'customersTo' = 'PROGRAM'`,
};

/** The name of a transfer in its program. */
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

/** An entry that a ledger got of a transfer. */
export type TransferEntry = Pick<EntryContent, 'transactionId'> & { readonly seq: number };

/** A transfer that a command makes or takes back, with its entries: that of the account first that the money left. */
export interface MadeTransfer {
  readonly rows: TransferRows;
  readonly entries: readonly [TransferEntry, TransferEntry];
}

/** The draft of a command. */
export interface TransferDraft {
  readonly transfers: readonly MadeTransfer[];
  /** The additions to the ledgers. */
  readonly additions: readonly LedgerAddition[];
}

/** Transfers beside their accounts, and the ids by which a program finds them. */
export class TransferRepository extends BatchedRepository<Transfer, TransferRead> {
  readonly keys: BatchedRepository<TransferKey, TransferKey>;
  private readonly rewriting: (drafts: readonly Draft[]) => SqlQuery;

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

  /** Tells if each name is the last name of an owner of the account. */
  async payees(
    transaction: StatementSender,
    named: readonly { readonly accountId: string; readonly lastName: string }[],
  ): Promise<boolean[]> {
    const keys = transpose(named.map(({ accountId, lastName }) => [accountId, lastName]));
    const rows = await transaction.query<WithOrdinal<[boolean]>>(PAYEES, keys);
    return byOrdinal(rows, named.length, () => true).map(found => found.length > 0);
  }

  /** Those of the accounts whose owner is named; none where the program lets customers pay their own alone. */
  async payableOf(
    program: string,
    named: readonly { readonly accountId: string; readonly lastName: string }[],
  ): Promise<string[]> {
    const [rules, confirmed] = await Promise.all([
      this.database.query(PAYING_OTHERS, [program]),
      this.payees(this.database, named),
    ]);
    return named.flatMap(({ accountId }, index) => (rules.length > 0 && confirmed[index] ? [accountId] : []));
  }

  /** The names of those who own accounts now, of each in their order. */
  async ownerNames(accountIds: readonly string[]): Promise<string[][]> {
    const rows = await this.database.query<WithOrdinal<[name: string]>>(OWNER_NAMES, [accountIds]);
    return byOrdinal(rows, accountIds.length, ([name]) => name);
  }

  /** The statements that write new transfers. */
  adding(transfers: readonly TransferRows[]): SqlQuery[] {
    const rows = transfers.flatMap(({ from, to }) => [from, to]);
    return [
      this.keys.insertion(transfers.map(({ from }) => this.keys.draft(from))),
      this.insertion(rows.map(row => this.draft(row))),
    ];
  }

  /** The statement that writes what became of transfers. */
  rewritten(transfers: readonly TransferRows[]): SqlQuery {
    return this.rewriting(transfers.flatMap(({ from, to }) => [this.draft(from), this.draft(to)]));
  }
}
