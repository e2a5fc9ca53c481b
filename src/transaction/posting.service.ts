import type { AccountView } from '../account/account.entity.js';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import type { Asked } from '../platform/command/command.js';
import type { Asking } from '../platform/database/transaction.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import { decimalOf } from '../shared/money.js';
import type { TransactionView } from './transaction.entity.js';
import type { PostedFacts } from './transaction.events.js';
import { AccountClosed, TransactionMismatch } from './transaction.errors.js';
import { MAX_POSTINGS_A_CALL, type TransactionInput } from './transaction.inputs.js';
import { LedgerHead, offerOf, type Appended, type LedgerEntry, type OfferedEntry } from './transaction.ledger.js';
import type { OnRecord, TransactionRepository } from './transaction.repository.js';

/** So many transactions are as large as one ordinary command. */
const TRANSACTIONS_A_COMMAND = 10;

interface Postings {
  readonly transactions: readonly TransactionInput[];
}

/** The end of the ledger after postings, and what is added to it. */
interface Addition {
  readonly head: LedgerHead;
  readonly drafts: readonly Draft[];
}

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  private readonly posting: AccountCommand<Postings, TransactionView[]>;

  constructor(
    accounts: AccountService,
    readonly repository: TransactionRepository,
  ) {
    this.posting = accounts.command<Postings, readonly OnRecord[], TransactionView[], Addition>(
      'transaction.post',
      'operations',
      {
        weight: ({ transactions }) => Math.ceil(transactions.length / TRANSACTIONS_A_COMMAND),
        know: (transaction, asked) => this.know(transaction, asked),
        permit: (account, onRecord, { caller: { program }, accountId, input: { transactions } }) => {
          if (account.status === 'CLOSED') throw new AccountClosed();
          const present = onRecord.flatMap(({ entry }) => entry ?? []);
          const head = new LedgerHead(account.currency, account.lastSeq, account.balanceMinor, present);
          const offers = offersOf(transactions, account, onRecord);
          const entries = offers.map((offer, index) => append(head, offer, `/transactions/${index}`));
          const added = entries.filter(({ isNew }) => isNew);
          const drafts = added.map(({ entry }) => repository.draft({ accountId, program, ...entry }));
          return { result: entries.map(({ entry }) => shown(entry, account)), draft: { head, drafts } };
        },
        // The account moves in the transaction that adds to its ledger. Its row has been locked since it was read.
        write: done => {
          const moved = done.filter(({ draft }) => draft.drafts.length > 0);
          if (moved.length === 0) return [];
          const ledgers = moved.map(({ accountId, draft }) => ({ accountId, head: draft.head }));
          return [repository.moving(ledgers), repository.insertion(moved.flatMap(({ draft }) => draft.drafts))];
        },
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
   * `TransactionMismatch`, `InvalidInput`.
   */
  async post(caller: Caller, accountId: string, transactions: readonly TransactionInput[]): Promise<TransactionView[]> {
    this.posting.allow(caller, accountId);
    if (transactions.length < 1 || transactions.length > MAX_POSTINGS_A_CALL) {
      throw new InvalidInput('rule_broken', [
        { pointer: '/transactions', code: 'size', detail: `Must have 1 to ${MAX_POSTINGS_A_CALL} elements.` },
      ]);
    }
    return this.posting(caller, accountId, { transactions });
  }

  private async know(transaction: Asking, asked: readonly Asked<Postings>[]): Promise<OnRecord[][]> {
    const offered = asked.flatMap(({ accountId, input }) => input.transactions.map(one => ({ ...one, accountId })));
    const onRecord = await this.repository.onRecord(transaction, offered);
    let from = 0;
    return asked.map(({ input }) => onRecord.slice(from, (from += input.transactions.length)));
  }
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

function append(head: LedgerHead, offer: OfferedEntry, at: string): Appended {
  const result = head.offer(offer);
  if ('entry' in result) return result;
  const problem = { ...result, pointer: at + result.pointer };
  if (problem.code === 'different_transaction') throw new TransactionMismatch(problem);
  throw new InvalidInput('rule_broken', [problem]);
}

/** As plain data, since it is recorded as the command's outcome. */
function shown(entry: LedgerEntry, { accountId, currency }: AccountView): TransactionView {
  return {
    seq: entry.seq,
    transactionId: entry.transactionId,
    referenceTransactionId: entry.referenceTransactionId,
    reference: entry.reference,
    accountId,
    currency,
    amount: decimalOf(entry.amountMinor, currency),
    availableBalance: decimalOf(entry.balanceMinor, currency),
    debitCreditMemo: entry.debitCreditMemo,
    category: entry.category,
    transactionType: entry.transactionType,
    status: entry.status,
    description: entry.description,
    memo: entry.memo,
    transactionTime: entry.transactionTime,
    transactionTimestamp: entry.transactionTimestamp,
    postedTime: entry.postedTime,
    postedTimestamp: entry.postedTimestamp,
    additionalInformation: entry.additionalInformation,
    lineItem: entry.lineItem,
  };
}
