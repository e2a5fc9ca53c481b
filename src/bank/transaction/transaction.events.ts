import type { EventType } from '../../platform/feed/event-types.js';
import { list, value } from '../../platform/openapi/schema.js';
import { MAX_POSTINGS_A_CALL } from './transaction.inputs.js';

/** The facts in the event of a posting or of a batch of an import. */
export interface PostedFacts {
  /**
   * The number of transactions that were added, which may be none: what is on the ledger already is not added again.
   */
  readonly transactions: number;
  /** The last entry of the ledger. */
  readonly lastSeq: number;
  /** Absent in events of imports, which may add many. */
  readonly transactionIds?: readonly string[];
}

/**
 * The facts in the event of a posting of a single transaction that was booked, by which operators read what it was. No
 * type of events declares them.
 */
export interface BookedFacts {
  readonly amount: string;
  readonly currency: string;
  readonly direction: string;
  readonly transactionType: string;
  readonly referenceTransactionId: string | null;
}

/** The facts in the event of a reversal. The reason is for the bank alone, so no type of events declares it. */
export interface ReversedFacts extends PostedFacts {
  readonly reversedTransactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly reason: string;
}

const FIRST = value('Int', 'The number of the first one in the ledger of the account.');
const LAST = value('Int', 'The number of the last one. The numbers of a ledger have no gaps.');
const COUNT = value('Int', 'The number of transactions.');

/** The commands that add to a ledger. The data of their events is of `PostedFacts`, and may have more. */
export const POSTING_ACTIONS: ReadonlySet<string> = new Set([
  'transaction.post',
  'transaction.import',
  'transaction.reverse',
  'hold.place',
  'hold.capture',
  'hold.release',
  'hold.expire',
  'transfer.make',
  'transfer.reverse',
]);

export const TRANSACTION_EVENTS: readonly EventType[] = [
  {
    type: 'transaction.posted',
    action: 'transaction.post',
    description: 'Transactions were posted to an account by one request: one, or several together.',
    scope: 'transactions.read',
    facts: {
      transactions: COUNT,
      firstSeq: FIRST,
      lastSeq: LAST,
      transactionIds: list(value('ID', 'The id of a transaction.'), 'The ids in ledger order.', MAX_POSTINGS_A_CALL),
    },
    optional: ['transactionIds'],
    example: { transactions: 1, firstSeq: 1042, lastSeq: 1042, transactionIds: ['demo-tx-1042'] },
    read: ({ data }) => {
      const { transactions, lastSeq, transactionIds } = data as unknown as PostedFacts;
      if (transactions === 0) return null;
      const facts = { transactions, firstSeq: lastSeq - transactions + 1, lastSeq };
      return transactionIds ? { ...facts, transactionIds } : facts;
    },
  },
  {
    type: 'transaction.reversed',
    action: 'transaction.reverse',
    description: 'A posted transaction was reversed by a transaction in the other direction.',
    scope: 'transactions.read',
    id: 'transactionId',
    facts: {
      reversedTransactionId: value('ID', 'The id of the transaction that was reversed.'),
      seq: value('Int', 'The number of the reversal in the ledger of the account.'),
    },
    example: { transactionId: 'demo-tx-1042~reversal', reversedTransactionId: 'demo-tx-1042', seq: 1043 },
    read: ({ data }) => {
      const { lastSeq, reversedTransactionId } = data as unknown as ReversedFacts;
      return { reversedTransactionId, seq: lastSeq };
    },
  },
  {
    type: 'transactions.imported',
    action: 'transaction.import',
    description: 'A batch of an import added transactions to an account.',
    scope: 'transactions.read',
    facts: { transactions: COUNT, firstSeq: FIRST, lastSeq: LAST },
    example: { transactions: 250, firstSeq: 1, lastSeq: 250 },
    read: ({ data }) => {
      const { transactions, lastSeq } = data as unknown as PostedFacts;
      return { transactions, firstSeq: lastSeq - transactions + 1, lastSeq };
    },
  },
];
