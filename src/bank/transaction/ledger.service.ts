import type { AccountView } from '../account/account.entity.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { InvalidInput } from '../../shared/errors.js';
import { append } from './transaction.appended.js';
import { TransactionNotFound, TransactionOfTransfer } from './transaction.errors.js';
import { LedgerHead, type EntryContent, type LedgerEntry } from './transaction.ledger.js';
import { permitReversal, reversalEntry, reversalIdOf } from './transaction.reversal.js';
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
export { minorUnitsOf, positiveMinorOf, type EntryContent, type LedgerEntry } from './transaction.ledger.js';
export { ledgerChanges } from './transaction.appended.js';
export type { LedgerAddition, LedgerPresent, PostingRules, ReversalBasis } from './transaction.repository.js';
export { transferEntry, transferEntryId, type TransferSide } from './transaction.transfer.js';

type OfferedReversal = Pick<ReversalKey, 'accountId' | 'transactionId'>;

/** The ledger of a locked account while entries are added to it. */
export class OpenLedger implements LedgerAddition {
  readonly accountId: string;
  readonly head: LedgerHead;
  readonly drafts: Draft[] = [];

  constructor(
    account: AccountView,
    private readonly draftOf: (entry: LedgerEntry) => Draft,
  ) {
    this.accountId = account.accountId;
    this.head = new LedgerHead(account);
  }

  /** Throws `InvalidInput` if the balance would be out of its range, moved by so much. */
  mayMove(amountMinor: bigint): void {
    const problem = this.head.rangeProblem(amountMinor);
    if (problem) throw new InvalidInput('rule_broken', [problem]);
  }

  /** Adds an entry at the end. Throws `InvalidInput`. */
  add(content: EntryContent): LedgerEntry {
    const { entry } = append(this.head, { content, expectedBalance: null, isOwn: true }, '');
    this.drafts.push(this.draftOf(entry));
    return entry;
  }
}

/** The ledgers of accounts, for nouns whose commands add entries to them. */
export class LedgerService {
  constructor(private readonly repository: TransactionRepository) {}

  /**
   * Adds entries at the end of the ledger of a locked account. The ledger must not have their ids. Throws
   * `InvalidInput` if the balance would be out of its range.
   */
  adding(account: AccountView, program: string, contents: readonly EntryContent[]): LedgerAddition {
    const ledger = this.open(account, program);
    for (const content of contents) ledger.add(content);
    return ledger;
  }

  /** The ledger of a locked account, to which entries are added as by `adding`, one after another. */
  open(account: AccountView, program: string): OpenLedger {
    return new OpenLedger(account, entry => this.repository.draft({ accountId: account.accountId, program, ...entry }));
  }

  /** The present of accounts, and which of the ids their ledgers have. */
  present(transaction: StatementSender, wanted: readonly WantedEntries[]): Promise<LedgerPresent[]> {
    return this.repository.presentOf(transaction, wanted);
  }

  /** Reads the rules of programs for postings. */
  rules(transaction: StatementSender, programs: readonly string[]): Promise<PostingRules[]> {
    return this.repository.rules(transaction, programs);
  }

  /** Reads the facts that decide on reversals of entries. */
  reversible(transaction: StatementSender, keys: readonly OfferedReversal[]): Promise<ReversalBasis[]> {
    return this.repository.reversible(
      transaction,
      keys.map(key => ({ ...key, reversalId: key.transactionId && reversalIdOf(key.transactionId) })),
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
    const added = append(head, { content, expectedBalance: null, isOwn: true }, '').entry;
    return { accountId, head, drafts: [this.repository.draft({ accountId, program, ...added })], entry: added };
  }

  /** The statements that write what was added. */
  writing(additions: readonly LedgerAddition[]): SqlQuery[] {
    return this.repository.adding(additions);
  }
}
