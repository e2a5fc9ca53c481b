import { OWN_ID_MARK } from '../../shared/ids.js';
import type { TransactionView } from './transaction.entity.js';

// The entries of a transfer in the histories of its two accounts. The entries name each other, and each ledger has
// only its own, so neither counts as given back of the other.

const CATEGORY = 'TRANSFER';

/** An entry of a transfer: money goes out of the one account, and into the other. */
export type TransferSide = 'out' | 'in';
const OTHER = { out: 'in', in: 'out' } as const;
const SHOWN = {
  out: { debitCreditMemo: 'DEBIT', transactionType: 'TRANSFEROUT' },
  in: { debitCreditMemo: 'CREDIT', transactionType: 'TRANSFERIN' },
} as const;

/** The content that the entries of a transfer have in common. */
export interface TransferContent {
  readonly transferId: string;
  readonly amountMinor: bigint;
  readonly description: string | null;
  readonly memo: string | null;
}

/** The id of an entry of a transfer. */
export function transferEntryId(transferId: string, side: TransferSide): string {
  return `${transferId}${OWN_ID_MARK}${side}`;
}

/** An entry of a transfer that is made now. */
export function transferEntry(
  { transferId, amountMinor, description, memo }: TransferContent,
  side: TransferSide,
  now: string,
  { transactionTime, postedTime }: Pick<TransactionView, 'transactionTime' | 'postedTime'>,
) {
  return {
    transactionId: transferEntryId(transferId, side),
    referenceTransactionId: transferEntryId(transferId, OTHER[side]),
    reference: transferId,
    amountMinor,
    ...SHOWN[side],
    category: CATEGORY,
    status: 'POSTED' as const,
    description,
    memo,
    transactionTime,
    transactionTimestamp: now,
    postedTime,
    postedTimestamp: now,
    additionalInformation: [],
    lineItem: [],
  };
}

type TransferFields = Pick<
  TransactionView,
  'transactionId' | 'referenceTransactionId' | 'reference' | 'category' | 'transactionType'
>;

/** True if an entry was made by a transfer. Its id is one that callers cannot choose. */
export function isTransferEntry(entry: TransferFields): boolean {
  const { transactionId, referenceTransactionId, reference, category, transactionType } = entry;
  if (category !== CATEGORY || reference === null) return false;
  const side = (['out', 'in'] as const).find(one => transferEntryId(reference, one) === transactionId);
  return (
    side !== undefined &&
    transactionType === SHOWN[side].transactionType &&
    referenceTransactionId === transferEntryId(reference, OTHER[side])
  );
}
