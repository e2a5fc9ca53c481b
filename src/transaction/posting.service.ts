import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { Caller } from '../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../shared/errors.js';
import type { Json } from '../shared/json.js';
import { decimalOf } from '../shared/money.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
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

/** Posting: the bank's own systems add to an account's ledger. */
export class PostingService {
  constructor(private readonly accounts: AccountService) {}

  /**
   * Posts 1 to 500 transactions to an account in the order given, all or none. One that is on the ledger already, with the
   * same content, is given back as it stands. Throws `AccountNotFound`, `AccountClosed`, `TransactionMismatch`, `InvalidInput`.
   */
  post(caller: Caller, accountId: string, transactions: readonly TransactionInput[]): Promise<TransactionView[]> {
    if (transactions.length < 1 || transactions.length > MAX_POSTINGS_A_CALL) {
      throw new InvalidInput('rule_broken', [
        { pointer: '/transactions', code: 'size', detail: `Must have 1 to ${MAX_POSTINGS_A_CALL} elements.` },
      ]);
    }
    const command = {
      name: 'transaction.post',
      scope: 'operations' as const,
      accountId,
      input: { accountId, transactions: transactions as unknown as Json },
      event: (posted: TransactionView[]) => ({
        object: `account/${accountId}`,
        data: { transactions: posted.length, firstSeq: posted[0]?.seq ?? null, lastSeq: posted.at(-1)?.seq ?? null },
      }),
    };
    return this.accounts.change(caller, command, async (em, account) => {
      if (account.status === 'CLOSED') throw new AccountClosed();
      const offers = offersOf(transactions, account.currency);
      const present = await em.find(Transaction, {
        accountId,
        transactionId: { $in: offers.map(({ content }) => content.transactionId) },
      });
      const head = new LedgerHead(account.currency, account.lastSeq, account.balanceMinor, present.map(entryOf));
      const entries = append(head, offers);
      await write(em, caller.program, account, head, entries);
      const instants = entries.flatMap(({ entry: { transactionTimestamp, postedTimestamp } }) =>
        postedTimestamp === null ? [transactionTimestamp] : [transactionTimestamp, postedTimestamp],
      );
      const clock = await clockOf(em, account.timeZone, instants);
      return entries.map(({ entry }) => shown(entry, account, clock));
    });
  }
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
        detail: 'Is required of a posted transaction.',
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

async function write(
  em: EntityManager,
  program: string,
  { accountId }: AccountView,
  head: LedgerHead,
  entries: { entry: LedgerEntry; isNew: boolean }[],
): Promise<void> {
  for (const { entry, isNew } of entries) {
    if (!isNew) continue;
    const { seq, postedTimestamp, transactionTimestamp, ...columns } = entry;
    em.create(
      Transaction,
      {
        accountId,
        seq: BigInt(seq),
        program,
        ...columns,
        transactionTimestamp: new Date(transactionTimestamp),
        postedTimestamp: postedTimestamp === null ? null : new Date(postedTimestamp),
      },
      { persist: true },
    );
  }
  // The account's row is locked since the command began, so what was read is what is moved.
  await em.execute('UPDATE account SET last_seq = ?, balance_minor = ? WHERE account_id = ?', [
    head.lastSeq,
    head.balanceMinor.toString(),
    accountId,
  ]);
}

function entryOf({ seq, transactionTimestamp, postedTimestamp, ...columns }: Transaction): LedgerEntry {
  return {
    ...columns,
    seq: Number(seq),
    transactionTimestamp: transactionTimestamp.toISOString(),
    postedTimestamp: postedTimestamp?.toISOString() ?? null,
  };
}

/** Instants on the clock of a time zone. PostgreSQL says them, here as in every read: Node's time zones are of another release. */
async function clockOf(
  em: EntityManager,
  timeZone: string,
  instants: readonly string[],
): Promise<(instant: string) => string> {
  const rows = await em.execute<{ instant: string; local: string }[]>(
    `SELECT value AS instant, to_char(value::timestamptz AT TIME ZONE ?, 'YYYY-MM-DD"T"HH24:MI:SS') AS local FROM json_array_elements_text(?::json)`,
    [timeZone, JSON.stringify([...new Set(instants)])],
  );
  const locals = new Map(rows.map(({ instant, local }) => [instant, local]));
  return instant => locals.get(instant) as string;
}

function shown(
  { amountMinor, balanceMinor, ...entry }: LedgerEntry,
  { accountId, currency }: AccountView,
  localTimeOf: (instant: string) => string,
): TransactionView {
  const { seq, transactionId, referenceTransactionId, reference, debitCreditMemo, category, transactionType, status } =
    entry;
  const { description, memo, transactionTimestamp, postedTimestamp, additionalInformation, lineItem } = entry;
  return {
    ...{ seq, transactionId, referenceTransactionId, reference, accountId, currency },
    amount: decimalOf(amountMinor, currency),
    availableBalance: decimalOf(balanceMinor, currency),
    ...{ debitCreditMemo, category, transactionType, status, description, memo },
    transactionTime: localTimeOf(transactionTimestamp),
    transactionTimestamp,
    postedTime: postedTimestamp === null ? null : localTimeOf(postedTimestamp),
    postedTimestamp,
    ...{ additionalInformation, lineItem },
  };
}
