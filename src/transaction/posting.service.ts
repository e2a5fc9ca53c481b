import type { AccountView } from '../account/account.entity.js';
import { mustHaveFunds, mustNotBeClosed } from '../account/account.errors.js';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import type { StatementSender } from '../platform/database/transaction.js';
import type { ApprovalRules } from '../shared/approval.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import { decimalOf, isAbove } from '../shared/money.js';
import { append, ledgerChanges, shown } from './transaction.appended.js';
import type { TransactionView } from './transaction.entity.js';
import type { PostedFacts } from './transaction.events.js';
import { MAX_POSTINGS_A_CALL, type TransactionInput } from './transaction.inputs.js';
import {
  LedgerHead,
  offerOf,
  refersBooked,
  type ReturnedAmount,
  type OfferedEntry,
  type ReferencedTransaction,
} from './transaction.ledger.js';
import type {
  LedgerAddition,
  OfferedTransaction,
  RecordedTransaction,
  TransactionRepository,
} from './transaction.repository.js';
import { POST_TRANSACTIONS } from './transaction.operations.js';

export { derivedDescription } from './transaction.description.js';

/** So many transactions are as large as one ordinary command. */
const TRANSACTIONS_A_COMMAND = 10;

interface Postings {
  readonly transactions: readonly TransactionInput[];
  /** Whether debits beyond the available balance and the overdraft limit are refused. */
  readonly checkFunds: boolean;
  /** Whether the gateway made the ids: its sandbox stands for systems of the bank, which need no approval. */
  readonly areOwnIds?: boolean;
}

/** The records of transactions that are offered to one account. */
export interface LedgerFacts {
  readonly onRecord: readonly RecordedTransaction[];
  readonly referenced: readonly ReferencedTransaction[];
}

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  private readonly posting: AccountCommand<Postings, TransactionView[]>;

  constructor(
    accounts: AccountService,
    readonly repository: TransactionRepository,
  ) {
    this.posting = accounts.command<Postings, LedgerFacts, TransactionView[], LedgerAddition>(POST_TRANSACTIONS, {
      // Requests of releases without this check are repeated as they were.
      recorded: ({ accountId, input: { transactions, checkFunds } }) => {
        return { accountId, transactions, ...(checkFunds && { checkFunds }) };
      },
      weight: ({ transactions }) => Math.ceil(transactions.length / TRANSACTIONS_A_COMMAND),
      know: (transaction, asked) =>
        onRecordOf(
          repository,
          transaction,
          asked.map(({ accountId, input }) => input.transactions.map(one => ({ ...one, accountId }))),
        ),
      permit: (account, { onRecord, referenced }, { caller: { program }, accountId, input }) => {
        const { transactions, checkFunds, areOwnIds = false } = input;
        mustNotBeClosed(account);
        const present = onRecord.flatMap(({ entry }) => entry ?? []);
        const head = new LedgerHead(account, present, referenced);
        const offers = offersOf(transactions, account, onRecord);
        const entries = offers.map((offer, index) => {
          const before = head.balanceMinor;
          const appended = append(head, { ...offer, isOwnId: areOwnIds }, `/transactions/${index}`);
          if (checkFunds && head.balanceMinor < before) mustHaveFunds(account, head.balanceMinor - account.heldMinor);
          return appended;
        });
        const added = entries.filter(({ isNew }) => isNew);
        const drafts = added.map(({ entry }) => repository.draft({ accountId, program, ...entry }));
        return { result: entries.map(({ entry }) => shown(entry, account)), draft: { accountId, head, drafts } };
      },
      write: done => repository.adding(done.map(({ draft }) => draft)),
      event: ({ accountId, draft: { head, drafts } }) => ({
        object: `account/${accountId}`,
        data: {
          transactions: drafts.length,
          lastSeq: head.lastSeq,
          transactionIds: drafts.map(({ transaction_id }) => transaction_id as string),
        } satisfies PostedFacts,
      }),
      approval: {
        // What refers to no transaction gives nothing back.
        concerns: ({ transactions }) => transactions.some(refersBooked),
        needs: (rules, { caller, input: { areOwnIds = false }, draft: { head } }) =>
          !areOwnIds && needsApproval(rules, caller, head, head.givenBack),
        changes: ({ draft: { head } }) => ledgerChanges(head),
      },
    });
  }

  /**
   * Posts 1 to 500 transactions to an account in the order given, all or none. One that is on the ledger already,
   * with the same content, is given back as it stands. Throws `AccountNotFound`, `AccountClosed`,
   * `TransactionMismatch`, `BeyondTransaction`, `TransactionOfTransfer`, `InvalidInput`, and `InsufficientFunds` where
   * funds are checked.
   */
  async post(
    caller: Caller,
    accountId: string,
    { transactions, checkFunds, areOwnIds }: Postings,
    dryRun: boolean,
  ): Promise<TransactionView[]> {
    this.posting.allow(caller, accountId);
    if (transactions.length < 1 || transactions.length > MAX_POSTINGS_A_CALL) {
      throw new InvalidInput('rule_broken', [
        { pointer: '/transactions', code: 'size', detail: `Must have 1 to ${MAX_POSTINGS_A_CALL} elements.` },
      ]);
    }
    return this.posting(caller, accountId, { transactions, checkFunds, ...(areOwnIds && { areOwnIds }) }, dryRun);
  }
}

/**
 * Whether what a caller gives back needs an approval: all that is given back of one transaction counts together, so
 * that parts need it as the whole does. A person at the console is no system of the bank, whatever client the console
 * is.
 */
export function needsApproval(
  { reversalsAbove, postingClients = [] }: ApprovalRules,
  { clientId, signIn }: Pick<Caller, 'clientId' | 'signIn'>,
  { currency }: Pick<LedgerHead, 'currency'>,
  givenBack: readonly ReturnedAmount[],
): boolean {
  if (reversalsAbove === null || (signIn === null && postingClients.includes(clientId))) return false;
  return givenBack.some(({ totalMinor }) => isAbove(decimalOf(totalMinor, currency), reversalsAbove));
}

/** The records of transactions that are offered to each account. */
export async function onRecordOf(
  repository: TransactionRepository,
  transaction: StatementSender,
  offered: readonly (readonly OfferedTransaction[])[],
): Promise<LedgerFacts[]> {
  const references = offered.map(ofAccount => {
    const keys = ofAccount.filter(refersBooked).map(({ accountId, referenceTransactionId }) => {
      return [referenceTransactionId, { accountId, transactionId: referenceTransactionId }] as const;
    });
    return [...new Map(keys).values()];
  });
  const [onRecord, referenced] = await Promise.all([
    repository.onRecord(transaction, offered.flat()),
    repository.referenced(transaction, references.flat()),
  ]);
  let from = 0;
  let refersFrom = 0;
  return offered.map(({ length }, index) => ({
    onRecord: onRecord.slice(from, (from += length)),
    referenced: referenced.slice(refersFrom, (refersFrom += references[index]?.length ?? 0)),
  }));
}

/** What is offered, with local times and amounts in minor units. Throws `InvalidInput`, which names every bad field. */
function offersOf(
  transactions: readonly TransactionInput[],
  { currency }: AccountView,
  onRecord: readonly RecordedTransaction[],
): OfferedEntry[] {
  const problems: FieldProblem[] = [];
  const offers = transactions.flatMap((transaction, index) => {
    const times = onRecord[index]?.times;
    if (!times) throw new Error('a transaction of a locked account has no local times');
    const offer = offerOf(transaction, transaction.amount, currency, times);
    if (!Array.isArray(offer)) return offer;
    problems.push(...offer.map(problem => ({ ...problem, pointer: `/transactions/${index}${problem.pointer}` })));
    return [];
  });
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return offers;
}
