import type { EventFacts } from '../../platform/command/command.js';
import type { EventType } from '../../platform/feed/event-types.js';
import { text, value } from '../../platform/openapi/schema.js';
import type { PostedFacts } from '../transaction/ledger.service.js';
import type { TransferView } from './transfer.entity.js';
import type { MadeTransfer, TransferEntry } from './transfer.repository.js';

const DECIMAL = { pattern: String.raw`^\d{1,18}(\.\d{1,4})?$` };

/** The facts of a transfer in the chain of each account. Descriptions and notes stay out: they may name people. */
type TransferFacts = PostedFacts &
  Pick<TransferView, 'fromAccountId' | 'toAccountId' | 'amount' | 'currency'> & {
    /** The reason of a reversal. It is for the bank alone, so no type of events declares it. */
    readonly reason?: string;
  };

/** The events of a transfer, one in the chain of each account. */
export function eventsOf(action: string, { rows, entries }: MadeTransfer, reason?: string): EventFacts[] {
  const { transferId, fromAccountId, toAccountId, amount, currency } = rows.from;
  return [rows.from, rows.to].map(({ accountId }, index) => ({
    action,
    object: `transfer/${transferId}`,
    chain: accountId,
    data: {
      transactions: 1,
      lastSeq: (entries[index] as TransferEntry).seq,
      transactionIds: [(entries[index] as TransferEntry).transactionId],
      fromAccountId,
      toAccountId,
      amount,
      currency,
      ...(reason !== undefined && { reason }),
    } satisfies TransferFacts,
  }));
}

function transferEvent(verb: string, pastTense: string, description: string, entryId: string): EventType {
  return {
    type: `transfer.${pastTense}`,
    action: `transfer.${verb}`,
    description,
    scope: 'transactions.read',
    id: 'transferId',
    facts: {
      fromAccountId: value('ID', 'The account that the money left when the transfer was made.'),
      toAccountId: value('ID', 'The account that the money went to.'),
      amount: text('The amount of the transfer.', DECIMAL),
      currency: value('Currency', 'The currency of both accounts.'),
      transactionId: value('ID', 'The id of the transaction that shows the event in the history of this account.'),
      seq: value('Int', 'The number of this transaction in the ledger of the account.'),
    },
    example: {
      transferId: 'tr-20260331-7',
      fromAccountId: 'demo-1001',
      toAccountId: 'demo-1002',
      amount: '250.00',
      currency: 'USD',
      transactionId: entryId,
      seq: 1043,
    },
    read: ({ data }) => {
      const { fromAccountId, toAccountId, amount, currency, ...posted } = data as unknown as TransferFacts;
      const transactionId = posted.transactionIds?.[0] ?? '';
      return { fromAccountId, toAccountId, amount, currency, transactionId, seq: posted.lastSeq };
    },
  };
}

export const TRANSFER_EVENTS: readonly EventType[] = [
  transferEvent(
    'make',
    'made',
    'Money went from one account to another. There is an event for each of the two, with the same transfer id.',
    'tr-20260331-7~out',
  ),
  transferEvent(
    'reverse',
    'reversed',
    'The money of a transfer went back. There is an event for each of the two accounts, with the same transfer id.',
    'tr-20260331-7~out~reversal',
  ),
];
