import type { AccountView } from '../account/account.entity.js';
import type { Asking, Query } from '../platform/database/transaction.js';
import { append } from './transaction.appended.js';
import { LedgerHead, type EntryContent } from './transaction.ledger.js';
import type { LedgerAddition, LedgerPresent, TransactionRepository, WantedEntries } from './transaction.repository.js';

export { MAX_DESCRIPTION } from './transaction.description.js';
export type { PostedFacts } from './transaction.events.js';
export { minorUnitsOf, positiveMinorOf, type EntryContent } from './transaction.ledger.js';
export type { LedgerAddition, LedgerPresent } from './transaction.repository.js';
export { transferEntry, transferEntryId, type TransferContent, type TransferSide } from './transaction.transfer.js';

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
  present(transaction: Asking, wanted: readonly WantedEntries[]): Promise<LedgerPresent[]> {
    return this.repository.presentOf(transaction, wanted);
  }

  /** The statements that write what was added. */
  writing(additions: readonly LedgerAddition[]): Query[] {
    return this.repository.adding(additions);
  }
}
