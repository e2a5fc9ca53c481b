import type { AccountView } from '../account/account.entity.js';
import { fieldNamesOf, pick } from '../platform/repository/fields.js';
import type { ApprovalChange } from '../shared/approval.js';
import { InvalidInput } from '../shared/errors.js';
import { decimalOf } from '../shared/money.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import { BeyondTransaction, TransactionMismatch, TransactionOfTransfer } from './transaction.errors.js';
import type { LedgerAppend, LedgerEntry, LedgerHead, OfferedEntry } from './transaction.ledger.js';

/** What depends on the account of an entry. */
const GIVEN_BY_ACCOUNT = ['accountId', 'currency', 'amount', 'availableBalance'] as const;

/**
 * Adds an entry that came at a pointer. Throws `TransactionMismatch`, `BeyondTransaction`, `TransactionOfTransfer`,
 * `InvalidInput`.
 */
export function append(head: LedgerHead, offer: OfferedEntry, at: string): LedgerAppend {
  const result = head.offer(offer);
  if ('entry' in result) return result;
  const problem = { ...result, pointer: at + result.pointer };
  if (problem.code === 'different_transaction') throw new TransactionMismatch(problem);
  if (problem.code === 'beyond_transaction') throw new BeyondTransaction(problem);
  if (problem.code === 'of_transfer') throw new TransactionOfTransfer([problem]);
  throw new InvalidInput('rule_broken', [problem]);
}

/** What an approver reads of what would be added to a ledger: what is given back, and the balance. */
export function ledgerChanges({ currency, givenBack, balanceBeforeMinor, balanceMinor }: LedgerHead): ApprovalChange[] {
  const amount = (minor: bigint) => decimalOf(minor, currency);
  // One transaction may be given back in parts.
  return [
    ...[...Map.groupBy(givenBack, ({ transactionId }) => transactionId)].map(([transactionId, parts]) => ({
      field: `transactions/${transactionId}/givenBack`,
      before: amount(parts[0]?.beforeMinor ?? 0n),
      after: amount(parts.at(-1)?.totalMinor ?? 0n),
    })),
    { field: 'balances/posted', before: amount(balanceBeforeMinor), after: amount(balanceMinor) },
  ];
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
