import type { AccountView } from '../account/account.entity.js';
import { mustHaveFunds, mustNotBeClosed } from '../account/account.errors.js';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import type { Asking } from '../platform/database/transaction.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import { append, shown } from './transaction.appended.js';
import type { TransactionView } from './transaction.entity.js';
import type { PostedFacts } from './transaction.events.js';
import { MAX_POSTINGS_A_CALL, type TransactionInput } from './transaction.inputs.js';
import { LedgerHead, offerOf, type OfferedEntry } from './transaction.ledger.js';
import type { LedgerAddition, Offered, OnRecord, TransactionRepository } from './transaction.repository.js';

export { derivedDescription } from './transaction.description.js';

/** So many transactions are as large as one ordinary command. */
const TRANSACTIONS_A_COMMAND = 10;

interface Postings {
  readonly transactions: readonly TransactionInput[];
  /** Whether debits beyond the available balance and the overdraft limit are refused. */
  readonly checkFunds: boolean;
}

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  private readonly posting: AccountCommand<Postings, TransactionView[]>;

  constructor(
    accounts: AccountService,
    readonly repository: TransactionRepository,
  ) {
    this.posting = accounts.command<Postings, readonly OnRecord[], TransactionView[], LedgerAddition>(
      'transaction.post',
      'operations',
      {
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
        permit: (account, onRecord, { caller: { program }, accountId, input: { transactions, checkFunds } }) => {
          mustNotBeClosed(account);
          const present = onRecord.flatMap(({ entry }) => entry ?? []);
          const head = new LedgerHead(account, present);
          const offers = offersOf(transactions, account, onRecord);
          const entries = offers.map((offer, index) => {
            const before = head.balanceMinor;
            const appended = append(head, offer, `/transactions/${index}`);
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
      },
    );
  }

  /**
   * Posts 1 to 500 transactions to an account in the order given, all or none. One that is on the ledger already,
   * with the same content, is given back as it stands. Throws `AccountNotFound`, `AccountClosed`,
   * `TransactionMismatch`, `InvalidInput`, and `InsufficientFunds` where funds are checked.
   */
  async post(
    caller: Caller,
    accountId: string,
    { transactions, checkFunds }: Postings,
    dryRun: boolean,
  ): Promise<TransactionView[]> {
    this.posting.allow(caller, accountId);
    if (transactions.length < 1 || transactions.length > MAX_POSTINGS_A_CALL) {
      throw new InvalidInput('rule_broken', [
        { pointer: '/transactions', code: 'size', detail: `Must have 1 to ${MAX_POSTINGS_A_CALL} elements.` },
      ]);
    }
    return this.posting(caller, accountId, { transactions, checkFunds }, dryRun);
  }
}

/** What is on record for transactions that are offered to each account. */
export async function onRecordOf(
  repository: TransactionRepository,
  transaction: Asking,
  offered: readonly (readonly Offered[])[],
): Promise<OnRecord[][]> {
  const onRecord = await repository.onRecord(transaction, offered.flat());
  let from = 0;
  return offered.map(({ length }) => onRecord.slice(from, (from += length)));
}

/** What is offered, with local times and amounts in minor units. Throws `InvalidInput`, which names every bad field. */
function offersOf(
  transactions: readonly TransactionInput[],
  { currency }: AccountView,
  onRecord: readonly OnRecord[],
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
