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
  async post(caller: Caller, accountId: string, transactions: readonly TransactionInput[]): Promise<TransactionView[]> {
    this.accounts.allow(caller, 'transaction.post', 'operations', accountId);
    if (transactions.length < 1 || transactions.length > MAX_POSTINGS_A_CALL) {
      throw new InvalidInput('rule_broken', [
        { pointer: '/transactions', code: 'size', detail: `Must have 1 to ${MAX_POSTINGS_A_CALL} elements.` },
      ]);
    }
    let [added, lastSeq] = [0, 0];
    const command = {
      name: 'transaction.post',
      scope: 'operations' as const,
      accountId,
      input: { accountId, transactions: transactions as unknown as Json },
      event: () => ({ object: `account/${accountId}`, data: { transactions: added, lastSeq } }),
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
      const fresh = entries.filter(({ isNew }) => isNew).map(({ entry }) => entry);
      [added, lastSeq] = [fresh.length, head.lastSeq];
      if (fresh.length > 0) await write(em, caller.program, account, head, fresh);
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

// The account moves in the statement that adds to its ledger. Its row is locked since the command began, so what was read is what moves.
const APPEND = `WITH moved AS (UPDATE account SET last_seq = ?, balance_minor = ? WHERE account_id = ?)
  INSERT INTO transaction (account_id, program, seq, transaction_id, reference_transaction_id, reference, amount_minor, balance_minor,
    debit_credit_memo, category, transaction_type, status, description, memo, transaction_timestamp, posted_timestamp,
    additional_information, line_item)
  SELECT ?, ?, r.* FROM jsonb_to_recordset(?::jsonb) r("seq" int8, "transactionId" text, "referenceTransactionId" text, "reference" text,
    "amountMinor" int8, "balanceMinor" int8, "debitCreditMemo" text, "category" text, "transactionType" text, "status" text,
    "description" text, "memo" text, "transactionTimestamp" timestamptz, "postedTimestamp" timestamptz,
    "additionalInformation" jsonb, "lineItem" jsonb)`;

async function write(
  em: EntityManager,
  program: string,
  { accountId }: AccountView,
  { lastSeq, balanceMinor }: LedgerHead,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const rows = entries.map(entry => ({
    ...entry,
    amountMinor: entry.amountMinor.toString(),
    balanceMinor: entry.balanceMinor.toString(),
  }));
  await em.execute(APPEND, [lastSeq, balanceMinor.toString(), accountId, accountId, program, JSON.stringify(rows)]);
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
