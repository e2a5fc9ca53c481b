import { createHash } from 'node:crypto';
import { OWN_ID_MARK } from '../../shared/ids.js';
import { derivedDescription } from './transaction.description.js';
import { AlreadyReversed, TransactionIsReversal, TransactionNotPosted } from './transaction.errors.js';
import { isBooked, type EntryContent, type LedgerEntry, type LocalTimes } from './transaction.ledger.js';

const ENDING = 'reversal';
/** The longest id of the bank. */
const MAX_ID = 64;
const DIGEST_DIGITS = 16;

/**
 * The id of the reversal of a transaction: `<id>~reversal`. Of an id that is too long for that, the beginning and a
 * digest of the whole stand for it.
 */
export function reversalIdOf(transactionId: string): string {
  const ending = OWN_ID_MARK + ENDING;
  const long = transactionId + ending;
  if (long.length <= MAX_ID) return long;
  const digest = createHash('sha256').update(transactionId).digest('hex').slice(0, DIGEST_DIGITS);
  return `${transactionId.slice(0, MAX_ID - ending.length - DIGEST_DIGITS - 1)}${OWN_ID_MARK}${digest}${ending}`;
}

function isReversalOf(entry: LedgerEntry, transactionId: string): boolean {
  return entry.referenceTransactionId === transactionId && entry.transactionId === reversalIdOf(transactionId);
}

/**
 * Throws unless a transaction can be reversed. `others` are what the ledger has under the id of the reversal. Throws
 * `TransactionIsReversal`, `TransactionNotPosted`, `AlreadyReversed`.
 */
export function permitReversal(entry: LedgerEntry, others: readonly LedgerEntry[]): void {
  const { transactionId, referenceTransactionId } = entry;
  if (referenceTransactionId !== null && isReversalOf(entry, referenceTransactionId)) throw new TransactionIsReversal();
  if (!isBooked(entry)) throw new TransactionNotPosted();
  if (others.some(other => isReversalOf(other, transactionId))) throw new AlreadyReversed();
}

/**
 * Makes the entry of a reversal: the same amount in the other direction. It has the type of what it reverses, so that
 * whoever adds up a type, as a Form 1099-INT adds up interest, counts it less. Its reason is for the bank, and is not
 * in it.
 */
export function reversalEntry(
  { transactionId, reference, amountMinor, debitCreditMemo, category, transactionType, description }: LedgerEntry,
  now: string,
  { transactionTime, postedTime }: LocalTimes,
): EntryContent {
  return {
    transactionId: reversalIdOf(transactionId),
    referenceTransactionId: transactionId,
    reference,
    amountMinor,
    debitCreditMemo: debitCreditMemo === 'CREDIT' ? 'DEBIT' : 'CREDIT',
    category,
    transactionType,
    status: 'POSTED',
    description: description ? derivedDescription('Reversal: ', description) : 'Reversal',
    memo: null,
    transactionTime,
    transactionTimestamp: now,
    postedTime,
    postedTimestamp: now,
    additionalInformation: [],
    lineItem: [],
  };
}
