import type { AccountView } from '../account/account.entity.js';
import { mustHaveFunds, mustNotBeClosed } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import type { ApprovalRules } from '../../shared/approval.js';
import type { Caller } from '../../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { decimalOf, isAboveAny } from '../../shared/money.js';
import { append, postingChanges, shown } from './transaction.appended.js';
import type { TransactionView } from './transaction.entity.js';
import type { BookedFacts, PostedFacts } from './transaction.events.js';
import type { NewTransaction } from './transaction.inputs.js';
import { LedgerHead, isBooked, offerOf, type OfferedEntry, type ReferencedTransaction } from './transaction.ledger.js';
import type { LedgerAddition, RecordedTransaction, TransactionRepository } from './transaction.repository.js';
import { POST_TRANSACTIONS } from './transaction.operations.js';

export { derivedDescription } from './transaction.description.js';

/** The number of transactions that are as large as one ordinary command. */
const TRANSACTIONS_A_COMMAND = 10;

interface Postings {
  readonly transactions: readonly NewTransaction[];
  /** True if debits beyond the available balance and the overdraft limit are refused. */
  readonly checkFunds: boolean;
  /**
   * True if they are the gateway's own: its sandbox stands for systems of the bank, which need no approval, and gives
   * back no more than is left of a transaction.
   */
  readonly areOwn?: boolean;
}

/** The records of transactions that are offered to one account. */
interface PostingFacts {
  readonly onRecord: readonly RecordedTransaction[];
  readonly referenced: readonly ReferencedTransaction[];
}

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  constructor(
    private readonly accounts: AccountService,
    readonly repository: TransactionRepository,
  ) {}

  private readonly posting = this.accounts.command<Postings, PostingFacts, TransactionView[], LedgerAddition>(
    POST_TRANSACTIONS,
    {
      // Requests of releases without this check are repeated as they were.
      recorded: ({ accountId, input: { transactions, checkFunds } }) => {
        return { accountId, transactions, ...(checkFunds && { checkFunds }) };
      },
      weight: ({ transactions }) => Math.ceil(transactions.length / TRANSACTIONS_A_COMMAND),
      readFacts: async (transaction, requests) => {
        const offered = requests.map(({ accountId, input }) => input.transactions.map(one => ({ ...one, accountId })));
        const references = requests.map(({ accountId, input: { transactions, areOwn = false } }) =>
          (areOwn ? transactions : []).flatMap(({ referenceTransactionId }) =>
            referenceTransactionId ? [{ accountId, transactionId: referenceTransactionId }] : [],
          ),
        );
        const [onRecord, referenced] = await Promise.all([
          this.repository.onRecord(transaction, offered.flat()),
          this.repository.referenced(transaction, references.flat()),
        ]);
        const ofEach = [divided(onRecord, offered), divided(referenced, references)] as const;
        return requests.map((_, index) => ({ onRecord: ofEach[0][index] ?? [], referenced: ofEach[1][index] ?? [] }));
      },
      permit: (account, { onRecord, referenced }, { caller: { program }, accountId, input }) => {
        const { transactions, checkFunds, areOwn = false } = input;
        mustNotBeClosed(account);
        const entriesOnRecord = onRecord.flatMap(({ entry }) => entry ?? []);
        const head = new LedgerHead(account, entriesOnRecord, referenced);
        const offers = offersOf(transactions, account, onRecord);
        const entries = offers.map((offer, index) => {
          const before = head.balanceMinor;
          const appended = append(head, { ...offer, isOwn: areOwn }, `/transactions/${index}`);
          if (checkFunds && head.balanceMinor < before) mustHaveFunds(account, head.balanceMinor - account.heldMinor);
          return appended;
        });
        const drafts = head.added.map(added => this.repository.draft({ accountId, program, ...added }));
        return { result: entries.map(({ entry }) => shown(entry, account)), draft: { accountId, head, drafts } };
      },
      write: accepted => this.repository.adding(accepted.map(({ draft }) => draft)),
      event: ({ accountId, draft: { head, drafts } }) => ({
        object: `account/${accountId}`,
        data: {
          transactions: drafts.length,
          lastSeq: head.lastSeq,
          transactionIds: drafts.map(({ transaction_id }) => transaction_id as string),
          ...bookedFacts(head),
        } satisfies PostedFacts,
      }),
      approval: {
        concerns: ({ transactions, areOwn = false }) => !areOwn && transactions.some(isBooked),
        needs: (rules, { caller, draft: { head } }) => needsApproval(rules, caller, head, head.turnoverMinor),
        changes: ({ draft: { head } }) => postingChanges(head),
      },
    },
  );

  /**
   * Posts 1 to 500 transactions to an account in the order given, all or none. One that is on the ledger already,
   * with the same content, is given back as it stands. Throws `AccountNotFound`, `AccountClosed`,
   * `TransactionMismatch`, `InvalidInput`, `InsufficientFunds` where funds are checked, and `BeyondTransaction` of the
   * gateway's own.
   */
  async post(
    caller: Caller,
    accountId: string,
    { transactions, checkFunds, areOwn }: Postings,
    dryRun: boolean,
  ): Promise<TransactionView[]> {
    return await this.posting(caller, accountId, { transactions, checkFunds, ...(areOwn && { areOwn }) }, dryRun);
  }
}

/**
 * True if postings of a caller need an approval: their amounts together, credits and debits alike, are more than the
 * program lets one person post. A person at the console is no system of the bank, whatever client the console is.
 */
export function needsApproval(
  { postingsAbove, postingClients }: ApprovalRules,
  { clientId, signIn }: Pick<Caller, 'clientId' | 'signIn'>,
  { currency }: Pick<AccountView, 'currency'>,
  turnoverMinor: bigint,
): boolean {
  if (signIn === null && postingClients.includes(clientId)) return false;
  return isAboveAny({ amount: decimalOf(turnoverMinor, currency), currency }, postingsAbove);
}

/** The facts of a posting of one booked transaction; null for others. */
function bookedFacts({ added, currency }: LedgerHead): BookedFacts | null {
  const [entry, ...others] = added;
  if (!entry || others.length > 0 || !isBooked(entry)) return null;
  const { amountMinor, debitCreditMemo, transactionType, referenceTransactionId } = entry;
  const amount = decimalOf(amountMinor, currency);
  return { amount, currency, direction: debitCreditMemo, transactionType, referenceTransactionId };
}

/** The elements of a list, as many for each of these as it has, in their order. */
export function divided<Element>(list: readonly Element[], each: readonly (readonly unknown[])[]): Element[][] {
  let from = 0;
  return each.map(({ length }) => list.slice(from, (from += length)));
}

/**
 * Makes offers of transactions, with local times and amounts in minor units. Throws `InvalidInput`, which names every
 * bad field.
 */
function offersOf(
  transactions: readonly NewTransaction[],
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
