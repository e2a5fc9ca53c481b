import type { AccountView } from '../account/account.entity.js';
import { fieldNamesOf, pick } from '../platform/repository/fields.js';
import { InvalidInput } from '../shared/errors.js';
import { decimalOf } from '../shared/money.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import { TransactionMismatch } from './transaction.errors.js';
import type { Appended, LedgerEntry, LedgerHead, OfferedEntry } from './transaction.ledger.js';

/** What depends on the account of an entry. */
const GIVEN_BY_ACCOUNT = ['accountId', 'currency', 'amount', 'availableBalance'] as const;

/** Adds an entry that came at a pointer. Throws `TransactionMismatch`, `InvalidInput`. */
export function append(head: LedgerHead, offer: OfferedEntry, at: string): Appended {
  const result = head.offer(offer);
  if ('entry' in result) return result;
  const problem = { ...result, pointer: at + result.pointer };
  if (problem.code === 'different_transaction') throw new TransactionMismatch(problem);
  throw new InvalidInput('rule_broken', [problem]);
}

/** The fields that an entry has of itself. */
const OF_ENTRY = fieldNamesOf(Transaction).filter(name => !(GIVEN_BY_ACCOUNT as readonly string[]).includes(name));
type OfEntry = Omit<TransactionView, (typeof GIVEN_BY_ACCOUNT)[number] | 'seq'>;

/** As plain data, since it is recorded as the command's outcome. */
export function shown(entry: LedgerEntry, { accountId, currency }: AccountView): TransactionView {
  const amount = decimalOf(entry.amountMinor, currency);
  const availableBalance = decimalOf(entry.balanceMinor, currency);
  return { seq: entry.seq, ...pick<OfEntry>(entry, OF_ENTRY), accountId, currency, amount, availableBalance };
}
