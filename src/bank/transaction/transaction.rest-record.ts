import { contractRecord, exactNumber } from '../../platform/http/json.js';
import { ref, type JsonSchema } from '../../platform/input/json-schema.js';
import { propertiesOf, type RestRecord } from '../../platform/openapi/record-schema.js';
import { EMPTY_LIST, record } from '../../platform/openapi/schema.js';
import { Transaction, type TransactionView } from './transaction.entity.js';
import { DepositTransactionRecord } from './transaction.inputs.js';

/** The part of the example that the descriptions of the fields do not give. */
export const ENTRY_EXAMPLE = {
  transactionId: 'demo-1001-2025-0134',
  referenceTransactionId: '',
  reference: '',
  amount: exactNumber('6.00'),
  debitCreditMemo: 'DEBIT',
  category: 'OTHER',
  transactionType: 'FEE',
  status: 'POSTED',
  description: 'Monthly service fee',
  transactionTime: '2025-12-28T15:57:00',
  transactionTimestamp: '2025-12-28T20:57:00.000Z',
  postedTime: '2025-12-28T15:57:00',
  postedTimestamp: '2025-12-28T20:57:00.000Z',
  lineItem: [],
};

export const ENTRY: RestRecord = {
  of: Transaction,
  name: 'DepositTransaction',
  limits: DepositTransactionRecord,
  omit: ['currency'],
  example: ENTRY_EXAMPLE,
  differs: { amount: { minimum: 0 }, imageIds: EMPTY_LIST, fiAttributes: EMPTY_LIST, links: EMPTY_LIST },
};

/** The schema of a field of an entry, for other documents that show it. */
export function entryField(name: 'transactionId' | 'description' | 'transactionType'): JsonSchema {
  return propertiesOf(ENTRY)[name] as JsonSchema;
}

/** A page of the history and a reversal have a transaction under the name of its kind. */
export const NAMED_ENTRY = record('A transaction, under the name of its kind.', {
  depositTransaction: ref('DepositTransaction'),
});

/** A transaction by contract 2.4, as the list has it. */
export function restTransaction(transaction: TransactionView): object {
  const { seq: _, currency: __, accountId, amount, availableBalance, lineItem, ...rest } = transaction;
  const { transactionId, referenceTransactionId, reference, ...others } = rest;
  const depositTransaction = {
    ...contractRecord({
      transactionId,
      referenceTransactionId,
      reference,
      accountId,
      ...others,
    }),
    amount: exactNumber(amount),
    availableBalance: exactNumber(availableBalance),
    lineItem: lineItem.map(line =>
      contractRecord({
        ...line,
        links: [],
      }),
    ),
    imageIds: [],
    fiAttributes: [],
    links: [],
  };
  return { depositTransaction };
}
