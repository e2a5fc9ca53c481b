import type { AccountView } from '../account/account.entity.js';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import type { Asked } from '../platform/command/command.js';
import type { Asking } from '../platform/database/transaction.js';
import type { Draft } from '../platform/repository/batched-repository.js';
import { byOrdinal, columnsOf, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import { decimalOf } from '../shared/money.js';
import type { TransactionView } from './transaction.entity.js';
import { AccountClosed, TransactionMismatch } from './transaction.errors.js';
import { MAX_POSTINGS_A_CALL, type TransactionInput } from './transaction.inputs.js';
import {
  ENTRY_PROBLEMS,
  LedgerHead,
  amountMinorOf,
  contentOf,
  type LedgerEntry,
  type OfferedEntry,
} from './transaction.ledger.js';
import type { TransactionRepository } from './transaction.repository.js';
import { ledgerEntryOf, transactionColumns, type TransactionRow } from './transaction.row.js';

/** So many transactions are as large as one ordinary command. */
const TRANSACTIONS_A_COMMAND = 10;

interface Postings {
  readonly transactions: readonly TransactionInput[];
}

/** What decides on postings beside their account. */
interface Known {
  /** Of the transactions that are offered, those that are on the ledger. */
  readonly present: readonly LedgerEntry[];
  /** The instants in the postings on the account's clock. */
  readonly clock: ReadonlyMap<string, string>;
}

/** The end of the ledger after postings, and what is added to it. */
interface Addition {
  readonly head: LedgerHead;
  readonly drafts: readonly Draft[];
}

const PRESENT = {
  name: 'postings_present',
  text: `SELECT ${transactionColumns(`'UTC'`)}, k.n FROM unnest($1::text[], $2::text[], $3::int[]) k(account_id, transaction_id, n)
    JOIN transaction t ON t.account_id = k.account_id AND t.transaction_id = k.transaction_id`,
};

// PostgreSQL converts instants to local times, here as in every read: Node's time zones may be of another release.
const CLOCKS = {
  name: 'postings_clocks',
  text: `SELECT k.instant, to_char(k.instant::timestamptz AT TIME ZONE a.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS'), k.n
    FROM unnest($1::text[], $2::text[], $3::int[]) k(account_id, instant, n) JOIN account a ON a.account_id = k.account_id`,
};

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  private readonly posting: AccountCommand<Postings, TransactionView[]>;

  constructor(
    accounts: AccountService,
    readonly repository: TransactionRepository,
  ) {
    this.posting = accounts.command<Postings, Known, TransactionView[], Addition>('transaction.post', 'operations', {
      weight: ({ transactions }) => Math.ceil(transactions.length / TRANSACTIONS_A_COMMAND),
      know,
      permit: (account, { present, clock }, { caller, accountId, input: { transactions } }) => {
        if (account.status === 'CLOSED') throw new AccountClosed();
        const head = new LedgerHead(account.currency, account.lastSeq, account.balanceMinor, present);
        const entries = append(head, offersOf(transactions, account.currency));
        const added = entries.filter(({ isNew }) => isNew).map(({ entry }) => entry);
        const { program } = caller;
        const drafts = added.map(entry => repository.draft({ accountId, program, ...entry }));
        return { result: entries.map(({ entry }) => shown(entry, account, clock)), draft: { head, drafts } };
      },
      write: done => {
        const moved = done.filter(({ draft }) => draft.drafts.length > 0);
        const heads = moved.map(({ accountId, draft }) => ({ accountId, head: draft.head }));
        return moved.length > 0
          ? repository.addition(
              heads,
              moved.flatMap(({ draft }) => draft.drafts),
            )
          : [];
      },
      event: ({ accountId, draft: { head, drafts } }) => ({
        object: `account/${accountId}`,
        data: { transactions: drafts.length, lastSeq: head.lastSeq },
      }),
    });
  }

  /**
   * Posts 1 to 500 transactions to an account in the order given, all or none. One that is on the ledger already, with the
   * same content, is given back as it stands. Throws `AccountNotFound`, `AccountClosed`, `TransactionMismatch`, `InvalidInput`.
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
}

async function know(transaction: Asking, asked: readonly Asked<Postings>[]): Promise<Known[]> {
  const ids = asked.flatMap(({ accountId, input }, index) =>
    input.transactions.map(({ transactionId }) => [accountId, transactionId, index + 1] as const),
  );
  const instants = asked.flatMap(({ accountId, input }, index) =>
    [...new Set(input.transactions.flatMap(instantsOf))].map(instant => [accountId, instant, index + 1] as const),
  );
  const [rows, times] = await Promise.all([
    transaction.query<WithOrdinal<TransactionRow>>(PRESENT, columnsOf(ids)),
    transaction.query<WithOrdinal<[instant: string, local: string]>>(CLOCKS, columnsOf(instants)),
  ]);
  const present = byOrdinal(rows, asked.length, row => ledgerEntryOf(row));
  const clocks = byOrdinal(times, asked.length, ([instant, local]) => [instant, local] as const);
  return asked.map((_, index) => ({ present: present[index] ?? [], clock: new Map(clocks[index]) }));
}

function instantsOf({ transactionTimestamp, postedTimestamp }: TransactionInput): string[] {
  return postedTimestamp ? [transactionTimestamp, postedTimestamp] : [transactionTimestamp];
}

/** What is offered, with the amounts in minor units. Throws `InvalidInput`, which names every bad one. */
function offersOf(transactions: readonly TransactionInput[], currency: string): OfferedEntry[] {
  const problems: FieldProblem[] = [];
  const offers = transactions.map((transaction, index) => {
    const amount = amountMinorOf(transaction.amount, currency);
    if (typeof amount !== 'bigint') problems.push({ pointer: `/transactions/${index}/amount`, ...amount });
    if (transaction.status === 'POSTED' && !transaction.postedTimestamp) {
      problems.push({
        pointer: `/transactions/${index}/postedTimestamp`,
        code: 'required',
        detail: 'A transaction with the status POSTED needs this field. Send the time of posting.',
      });
    }
    return {
      content: contentOf(transaction, typeof amount === 'bigint' ? amount : 0n),
      expectedBalance: transaction.availableBalance ?? null,
    };
  });
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return offers;
}

function append(head: LedgerHead, offers: readonly OfferedEntry[]): { entry: LedgerEntry; isNew: boolean }[] {
  return offers.map((offer, index) => {
    const result = head.offer(offer);
    if (!('problem' in result)) return result;
    const { field, detail } = ENTRY_PROBLEMS[result.problem];
    const pointer = `/transactions/${index}/${field}`;
    if (result.problem === 'different_transaction') throw new TransactionMismatch(pointer);
    throw new InvalidInput('rule_broken', [{ pointer, code: result.problem, detail }]);
  });
}

function shown(
  { amountMinor, balanceMinor, ...entry }: LedgerEntry,
  { accountId, currency }: AccountView,
  clock: ReadonlyMap<string, string>,
): TransactionView {
  const { seq, transactionId, referenceTransactionId, reference, debitCreditMemo, category, transactionType, status } =
    entry;
  const { description, memo, transactionTimestamp, postedTimestamp, additionalInformation, lineItem } = entry;
  return {
    ...{ seq, transactionId, referenceTransactionId, reference, accountId, currency },
    amount: decimalOf(amountMinor, currency),
    availableBalance: decimalOf(balanceMinor, currency),
    ...{ debitCreditMemo, category, transactionType, status, description, memo },
    transactionTime: clock.get(transactionTimestamp) as string,
    transactionTimestamp,
    postedTime: postedTimestamp === null ? null : (clock.get(postedTimestamp) as string),
    postedTimestamp,
    ...{ additionalInformation, lineItem },
  };
}
