import { AccountNotFound } from '../account/account.errors.js';
import { ACCOUNT_ID } from '../account/account.openapi.js';
import { exactNumber } from '../platform/http/exact-number.js';
import { orEmpty, ref, type JsonSchema } from '../platform/input/json-schema.js';
import { readInput } from '../platform/input/read-input.js';
import type { Described, Parameter } from '../platform/openapi/operation.js';
import { HREF, PAGE_SIZE, PAGING, TOTAL_ELEMENTS, unknownParameter } from '../platform/openapi/paging.js';
import { refusalOf } from '../platform/openapi/refusals.js';
import {
  bankId,
  emptyList,
  formOf,
  instant,
  list,
  localTime,
  money,
  oneOf,
  record,
  sizeOf,
  text,
} from '../platform/openapi/schema.js';
import { DebitCreditMemo, TransactionStatus } from './transaction.entity.js';
import { TransactionQuery } from './transaction.filter.js';
import { KeyValueInput, LineItemInput, TransactionInput } from './transaction.inputs.js';

const SNAPSHOT: Parameter = {
  name: 'snapshot',
  in: 'query',
  description: 'The value from the next link. Transactions that are posted later do not appear on the following pages.',
  schema: { type: 'integer', minimum: 0, maximum: 10 ** 15 - 1 },
  example: 134,
};

/** What a text of an entry is like, for others who show it. */
export function formOfEntry(field: 'description' | 'transactionType'): JsonSchema {
  return formOf(TransactionInput, field);
}

const TRANSACTION = {
  transactionId: 'demo-1001-2025-0134',
  referenceTransactionId: '',
  reference: '',
  accountId: 'demo-1001',
  amount: exactNumber('6.00'),
  availableBalance: exactNumber('15721.99'),
  debitCreditMemo: 'DEBIT',
  category: 'OTHER',
  transactionType: 'FEE',
  status: 'POSTED',
  description: 'Monthly service fee',
  memo: '',
  transactionTime: '2025-12-28T15:57:00',
  transactionTimestamp: '2025-12-28T20:57:00.000Z',
  postedTime: '2025-12-28T15:57:00',
  postedTimestamp: '2025-12-28T20:57:00.000Z',
  additionalInformation: [
    { key: 'usage', value: 'FEES' },
    { key: 'direction', value: 'ORIGINATING' },
  ],
  lineItem: [],
  imageIds: [],
  fiAttributes: [],
  links: [],
};

const schemas: Described['schemas'] = {
  DepositTransaction: record('One entry of the ledger of an account. It never changes.', {
    transactionId: bankId('The id of the transaction within its account.'),
    referenceTransactionId: orEmpty(
      bankId(
        'A related transaction: the pending transaction that this one posts, or the transaction that it reverses.',
      ),
    ),
    reference: orEmpty(text('Reference identifier.', formOf(TransactionInput, 'reference'))),
    accountId: bankId('The account.'),
    amount: { ...money('The amount, with the decimal digits of the currency.'), minimum: 0 },
    availableBalance: money('The balance of the account after this transaction, in ledger order.'),
    debitCreditMemo: oneOf(Object.values(DebitCreditMemo), 'The direction of the amount.'),
    category: text(
      'The payment rail, for example `ACH`. Expect other values, too.',
      formOf(TransactionInput, 'category'),
    ),
    transactionType: text(
      'The type of the transaction, for example `FEE`. Expect other values, too.',
      formOf(TransactionInput, 'transactionType'),
    ),
    status: oneOf(Object.values(TransactionStatus), 'The status. Only posted transactions change the balance.'),
    description: orEmpty(text('The description.', formOf(TransactionInput, 'description'))),
    memo: orEmpty(text('Free text.', formOf(TransactionInput, 'memo'))),
    transactionTime: localTime('When the transaction happened, as local time of the account.'),
    transactionTimestamp: instant('When the transaction happened.'),
    postedTime: orEmpty(localTime('When the transaction was posted, as local time of the account.')),
    postedTimestamp: orEmpty(instant('When the transaction was posted.')),
    additionalInformation: list(
      record('One entry of additional information.', {
        key: text('The key, for example `usage`.', formOf(KeyValueInput, 'key')),
        value: text('The value, for example `MONETARY`.', formOf(KeyValueInput, 'value')),
      }),
      'Additional information.',
      sizeOf(TransactionInput, 'additionalInformation'),
    ),
    lineItem: list(
      record('One line of a transaction that has several.', {
        description: orEmpty(text('The description of the line.', formOf(LineItemInput, 'description'))),
        reference: orEmpty(text('Reference of the line.', formOf(LineItemInput, 'reference'))),
        imageIds: list(
          text('An image.', formOf(LineItemInput, 'imageIds')),
          'Images that belong to the line.',
          sizeOf(LineItemInput, 'imageIds'),
        ),
        links: emptyList('Always empty.'),
      }),
      'The lines of the transaction, if it has several.',
      sizeOf(TransactionInput, 'lineItem'),
    ),
    imageIds: emptyList('Always empty.'),
    fiAttributes: emptyList('Always empty.'),
    links: emptyList('Always empty.'),
  }),
  TransactionPage: record('A page of the history of an account.', {
    page: record(
      'The position of the page in the list.',
      {
        nextOffset: {
          ...{ type: 'integer', minimum: 1 },
          description: 'The offset of the next page; absent on the last page.',
        },
        totalElements: TOTAL_ELEMENTS,
      },
      ['nextOffset'],
    ),
    links: record(
      'Links to other pages.',
      { next: record('A link to the next page; absent on the last page.', { href: HREF }) },
      ['next'],
    ),
    transactions: list(
      record('A transaction, under the name of its kind.', { depositTransaction: ref('DepositTransaction') }),
      'Newest first, in ledger order.',
      PAGE_SIZE,
    ),
  }),
};

/** Contract 4.10. */
export const transactionApi: Described = {
  tags: [{ name: 'Transactions', description: 'The history of an account. It is a ledger: its entries never change.' }],
  schemas,
  operations: [
    {
      ...{ id: 'listTransactions', method: 'get', path: '/accounts/{accountId}/transactions' },
      ...{ tag: 'Transactions', scope: 'transactions.read', summary: 'List transactions' },
      description:
        'The history of an account over all payment rails, newest first. A transaction must match all filters. A filter that is repeated matches any of its values, which can also be separated by commas. Follow `links.next` without changing it: it contains the filters, and a limit that keeps new postings from shifting the pages.',
      parameters: [ACCOUNT_ID, ...PAGING, SNAPSHOT],
      query: {
        input: TransactionQuery,
        examples: {
          ...{
            startTime: '2025-12-01',
            endTime: '2025-12-31T23:59:59Z',
            status: ['POSTED'],
            category: ['ACH', 'CARD'],
          },
          ...{ debitCreditMemo: ['DEBIT'], transactionType: ['FEE'], minAmount: '5.00', maxAmount: '100.00' },
          search: 'service fee',
        },
      },
      answers: {
        200: {
          description: 'A page of the list.',
          content: {
            'application/json': {
              schema: ref('TransactionPage'),
              example: {
                page: { nextOffset: 1, totalElements: 134 },
                links: { next: { href: '/accounts/demo-1001/transactions?offSet=1&limit=1&snapshot=134' } },
                transactions: [{ depositTransaction: TRANSACTION }],
              },
            },
          },
        },
      },
      refusals: () => [
        unknownParameter(...PAGING.map(({ name }) => name), 'startTime', 'endTime', 'status'),
        new AccountNotFound(),
        refusalOf(() => readInput(TransactionQuery, { startTime: '2025-12-31', endTime: '2025-12-01' })),
      ],
    },
  ],
};
