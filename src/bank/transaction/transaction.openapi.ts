import { ACCOUNT_ID } from '../account/account.openapi.js';
import { REPORT_FORMATS } from '../../../lib/account-report/formats.js';
import { NotAcceptable } from '../../platform/http/format.js';
import { contractRecord, exactNumber } from '../../platform/http/json.js';
import type { JsonSchema } from '../../platform/input/json-schema.js';
import { parameter, type Part } from '../../platform/openapi/operation.js';
import { propertiesOf, type RestRecord } from '../../platform/openapi/record-schema.js';
import { EMPTY_LIST } from '../../platform/openapi/schema.js';
import { balanceOperations, balanceRecords, balanceSchemas } from './balance/balance.openapi.js';
import { FILE_NAME, PROGRAM_HISTORY_CSV, REPORT_CONTENT, formatParameters } from './report/report.openapi.js';
import { MAX_REPORT_ENTRIES } from './report/report.service.js';
import { PROGRAM_HISTORY_FORMS } from './program-history.service.js';
import { NAMED_ENTRY, reversalOperations } from './reversal.openapi.js';
import { LineItem, Transaction, type TransactionView } from './transaction.entity.js';
import { TooManyTransactions } from './transaction.errors.js';
import { TransactionQuery } from './transaction.filter.js';
import { LineItemInput, TransactionInput } from './transaction.inputs.js';
import { READ_PROGRAM_HISTORY, READ_TRANSACTIONS } from './transaction.operations.js';

/** What the descriptions of the fields do not give. */
const EXAMPLE = {
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

const ENTRY: RestRecord = {
  of: Transaction,
  name: 'DepositTransaction',
  limits: TransactionInput,
  omit: ['currency'],
  example: EXAMPLE,
  differs: { amount: { minimum: 0 }, imageIds: EMPTY_LIST, fiAttributes: EMPTY_LIST, links: EMPTY_LIST },
};

/** The schema of a field of an entry, for other documents that show it. */
export function entryField(name: 'transactionId' | 'description' | 'transactionType'): JsonSchema {
  return propertiesOf(ENTRY)[name] as JsonSchema;
}

const FILTERS = {
  startTime: '2025-12-01',
  endTime: '2025-12-31T23:59:59Z',
  status: ['POSTED'],
  category: ['ACH', 'CARD'],
  debitCreditMemo: ['DEBIT'],
  transactionType: ['FEE'],
  minAmount: '5.00',
  maxAmount: '100.00',
  search: 'service fee',
};

/** Contract 4.10. */
export const transactionApi: Part = {
  tag: { name: 'Transactions', description: 'The history of an account. It is a ledger: its entries never change.' },
  records: [ENTRY, { of: LineItem, limits: LineItemInput, differs: { links: EMPTY_LIST } }, ...balanceRecords],
  schemas: balanceSchemas,
  operations: {
    listTransactions: {
      route: 'GET /accounts/{accountId}/transactions',
      summary: 'List transactions',
      description:
        'The history of an account over all payment rails, newest first. A transaction must match all filters. A filter that is repeated matches any of its values, which can also be separated by commas. Follow `links.next` without changing it: it contains the filters, and a limit that keeps new postings from shifting the pages.\n\n`format` or `Accept` asks for a file with all booked transactions from `startTime` to `endTime`, which are then days, with the balances before and after them. A file takes no filters and no paging, and has at most 100,000 transactions.',
      of: READ_TRANSACTIONS,
      parameters: [
        ACCOUNT_ID,
        ...formatParameters(['json', ...Object.keys(REPORT_FORMATS)], 'A file instead of a page of the list.'),
      ],
      query: {
        input: TransactionQuery,
        examples: FILTERS,
        wrong: { startTime: '2025-12-31', endTime: '2025-12-01' },
      },
      page: {
        name: 'TransactionPage',
        description: 'A page of the history of an account.',
        elements: ['transactions', 'Newest first, in ledger order.', NAMED_ENTRY],
        next: '/accounts/demo-1001/transactions?offSet=1&limit=1&snapshot=134',
        onlyLinked: [
          parameter(
            'query',
            'snapshot',
            'The value from the next link. Transactions that are posted later do not appear on the following pages.',
            { type: 'integer', minimum: 0, maximum: 10 ** 15 - 1 },
            134,
          ),
        ],
        hasNumbers: true,
        otherForms: { headers: { 'Content-Disposition': FILE_NAME }, content: REPORT_CONTENT },
      },
      refusals: () => [
        new NotAcceptable([{ format: 'json', contentType: 'application/json' }]),
        new TooManyTransactions(MAX_REPORT_ENTRIES),
      ],
    },
    exportProgramHistory: {
      route: 'GET /transactions',
      summary: 'Export the history of the program',
      description:
        'The history of all accounts of the program as CSV, newest first by the time of posting. A transaction must match all filters. A file has at most 100,000 transactions. The token must be one of the program itself. Pages of the same history are in GraphQL (`transactions`).',
      of: READ_PROGRAM_HISTORY,
      parameters: formatParameters(['csv'], 'The format of the file.', 'csv'),
      query: { input: TransactionQuery, examples: FILTERS, wrong: { startTime: '2025-12-31', endTime: '2025-12-01' } },
      answers: {
        200: {
          description: 'The file.',
          headers: { 'Content-Disposition': FILE_NAME },
          content: { 'text/csv': PROGRAM_HISTORY_CSV },
        },
      },
      refusals: () => [new NotAcceptable(PROGRAM_HISTORY_FORMS), new TooManyTransactions(MAX_REPORT_ENTRIES)],
    },
    ...reversalOperations(EXAMPLE),
    ...balanceOperations,
  },
};

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
