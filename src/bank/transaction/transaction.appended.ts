import type { AccountView } from '../account/account.entity.js';
import { fieldNamesOf, pick } from '../../platform/repository/fields.js';
import type { ApprovalChange } from '../../shared/approval.js';
import { InvalidInput } from '../../shared/errors.js';
import { decimalOf } from '../../shared/money.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import { BeyondTransaction, TransactionMismatch } from './transaction.errors.js';
import type { LedgerAppend, LedgerEntry, LedgerHead, OfferedEntry } from './transaction.ledger.js';

/** The columns that depend on the account of an entry. */
const GIVEN_BY_ACCOUNT = ['accountId', 'currency', 'amount', 'availableBalance'] as const;

/** Adds an entry that came at a pointer. Throws `TransactionMismatch`, `BeyondTransaction`, `InvalidInput`. */
export function append(head: LedgerHead, offer: OfferedEntry, at: string): LedgerAppend {
  const result = head.offer(offer);
  if ('entry' in result) return result;
  const problem = { ...result, pointer: at + result.pointer };
  if (problem.code === 'different_transaction') throw new TransactionMismatch(problem);
  if (problem.code === 'beyond_transaction') throw new BeyondTransaction(problem);
  throw new InvalidInput('rule_broken', [problem]);
}

/** Returns what an approver reads of the gateway's own entries: what is given back, and the balance. */
export function ledgerChanges(head: LedgerHead): ApprovalChange[] {
  return [
    ...head.givenBack.map(({ transactionId, beforeMinor, totalMinor }) => ({
      field: `transactions/${transactionId}/givenBack`,
      before: decimalOf(beforeMinor, head.currency),
      after: decimalOf(totalMinor, head.currency),
    })),
    balanceChange(head),
  ];
}

/** Returns what an approver reads of postings: each with what it is related to, and the balance. */
export function postingChanges(head: LedgerHead): ApprovalChange[] {
  const postings = head.added.flatMap(({ transactionId, referenceTransactionId, amountMinor, ...of }) => {
    const field = `transactions/${transactionId}`;
    const after = `${of.status} ${of.debitCreditMemo} ${decimalOf(amountMinor, head.currency)}`;
    const posting = { field, before: null, after };
    if (!referenceTransactionId) return [posting];
    return [posting, { field: `${field}/referenceTransactionId`, before: null, after: referenceTransactionId }];
  });
  return [...postings, balanceChange(head)];
}

function balanceChange({ currency, balanceBeforeMinor, balanceMinor }: LedgerHead): ApprovalChange {
  const [before, after] = [balanceBeforeMinor, balanceMinor].map(minor => decimalOf(minor, currency)) as [
    string,
    string,
  ];
  return { field: 'balances/posted', before, after };
}

/** The fields that an entry has of itself. */
const OF_ENTRY = fieldNamesOf(Transaction).filter(name => !(GIVEN_BY_ACCOUNT as readonly string[]).includes(name));
type EntryFields = Omit<TransactionView, (typeof GIVEN_BY_ACCOUNT)[number] | 'seq'>;

/** As plain data, since it is recorded as the command's outcome. */
export function shown(entry: LedgerEntry, { accountId, currency }: AccountView): TransactionView {
  const amount = decimalOf(entry.amountMinor, currency);
  const availableBalance = decimalOf(entry.balanceMinor, currency);
  return { seq: entry.seq, ...pick<EntryFields>(entry, OF_ENTRY), accountId, currency, amount, availableBalance };
}
