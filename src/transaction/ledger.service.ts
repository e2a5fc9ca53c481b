import type { AccountView } from '../account/account.entity.js';
import type { StatementSender, Query } from '../platform/database/transaction.js';
import { append } from './transaction.appended.js';
import { TransactionNotFound, TransactionOfTransfer } from './transaction.errors.js';
import { LedgerHead, type EntryContent, type LedgerEntry } from './transaction.ledger.js';
import { permitReversal, reversalEntry, reversalIdsOf } from './transaction.reversal.js';
import { isTransferEntry } from './transaction.transfer.js';
import type {
  LedgerAddition,
  LedgerPresent,
  PostingRules,
  ReversalKey,
  ReversalBasis,
  TransactionRepository,
  WantedEntries,
} from './transaction.repository.js';

export { MAX_DESCRIPTION } from './transaction.description.js';
export type { PostedFacts } from './transaction.events.js';
export { minorUnitsOf, positiveMinorOf, type EntryContent } from './transaction.ledger.js';
export { ledgerChanges } from './transaction.appended.js';
export type { LedgerAddition, LedgerPresent, PostingRules, ReversalBasis } from './transaction.repository.js';
export { transferEntry, transferEntryId, type TransferContent, type TransferSide } from './transaction.transfer.js';

type OfferedReversal = Pick<ReversalKey, 'accountId' | 'transactionId'>;

/** The ledgers of accounts, for nouns whose commands add entries to them. */
export class LedgerService {
  constructor(private readonly repository: TransactionRepository) {}

  /**
   * Adds entries at the end of the ledger of a locked account. The ledger must not have their ids. Throws
   * `InvalidInput` if the balance would be out of its range.
   */
  adding(account: AccountView, program: string, contents: readonly EntryContent[]): LedgerAddition {
    const { accountId } = account;
    const head = new LedgerHead(account);
    const drafts = contents.map(content => {
      const { entry } = append(head, { content, expectedBalance: null, isOwnId: true }, '');
      return this.repository.draft({ accountId, program, ...entry });
    });
    return { accountId, head, drafts };
  }

  /** The present of accounts, and which of the ids their ledgers have. */
  present(transaction: StatementSender, wanted: readonly WantedEntries[]): Promise<LedgerPresent[]> {
    return this.repository.presentOf(transaction, wanted);
  }

  /** What programs say of postings. */
  rules(transaction: StatementSender, programs: readonly string[]): Promise<PostingRules[]> {
    return this.repository.rules(transaction, programs);
  }

  /** What decides on reversals of entries. */
  reversible(transaction: StatementSender, keys: readonly OfferedReversal[]): Promise<ReversalBasis[]> {
    return this.repository.reversible(
      transaction,
      keys.map(key => ({ ...key, reversalIds: key.transactionId ? reversalIdsOf(key.transactionId) : [] })),
    );
  }

  /**
   * Adds what reverses an entry of a locked account. Throws `TransactionNotFound`, `TransactionOfTransfer` unless it
   * `reversesTransfer`, `TransactionIsReversal`, `TransactionNotPosted`, `AlreadyReversed`, `BeyondTransaction`,
   * `TransactionMismatch`, `InvalidInput`.
   */
  reversing(
    account: AccountView,
    program: string,
    { entry, others, referenced, now, local }: ReversalBasis,
    reversesTransfer = false,
  ): LedgerAddition & { readonly entry: LedgerEntry } {
    if (!entry) throw new TransactionNotFound();
    if (!reversesTransfer && isTransferEntry(entry)) throw new TransactionOfTransfer();
    permitReversal(entry, others);
    const { accountId } = account;
    const head = new LedgerHead(account, others, referenced);
    const content = reversalEntry(entry, now, local);
    const added = append(head, { content, expectedBalance: null, isOwnId: true, reversesTransfer }, '').entry;
    return { accountId, head, drafts: [this.repository.draft({ accountId, program, ...added })], entry: added };
  }

  /** The statements that write what was added. */
  writing(additions: readonly LedgerAddition[]): Query[] {
    return this.repository.adding(additions);
  }
}
