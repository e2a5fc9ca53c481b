import type { AccountView } from '../account/account.entity.js';
import { InvalidInput } from '../shared/errors.js';
import { decimalOf } from '../shared/money.js';
import type { TransactionView } from './transaction.entity.js';
import { TransactionMismatch } from './transaction.errors.js';
import type { Appended, LedgerEntry, LedgerHead, OfferedEntry } from './transaction.ledger.js';

/** Adds an entry that came at a pointer. Throws `TransactionMismatch`, `InvalidInput`. */
export function append(head: LedgerHead, offer: OfferedEntry, at: string): Appended {
  const result = head.offer(offer);
  if ('entry' in result) return result;
  const problem = { ...result, pointer: at + result.pointer };
  if (problem.code === 'different_transaction') throw new TransactionMismatch(problem);
  throw new InvalidInput('rule_broken', [problem]);
}

/** As plain data, since it is recorded as the command's outcome. */
export function shown(entry: LedgerEntry, { accountId, currency }: AccountView): TransactionView {
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
