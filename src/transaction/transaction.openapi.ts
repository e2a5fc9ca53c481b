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
import { KeyValueInput, LineItemInput, TransactionInput, TransactionQuery } from './transaction.inputs.js';

const SNAPSHOT: Parameter = {
  name: 'snapshot',
  in: 'query',
  description: 'As the next link gives it: what is posted meanwhile stays out of the following pages.',
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
    transactionId: bankId('Identifies the transaction in its account.'),
    referenceTransactionId: orEmpty(
      bankId('A related transaction: the pending one that this one posts, the one that it reverses.'),
    ),
    reference: orEmpty(text('Reference identifier.', formOf(TransactionInput, 'reference'))),
    accountId: bankId('The account.'),
    amount: { ...money('How much, with the digits of the currency.'), minimum: 0 },
    availableBalance: money('The balance of the account after it, in ledger order.'),
    debitCreditMemo: oneOf(Object.values(DebitCreditMemo), 'The direction of the amount.'),
    category: text('How the money moves, for example `ACH`. An open set.', formOf(TransactionInput, 'category')),
    transactionType: text('What it is, for example `FEE`. An open set.', formOf(TransactionInput, 'transactionType')),
    status: oneOf(Object.values(TransactionStatus), 'How far it has come. Only posted ones move the balance.'),
    description: orEmpty(text('What it is, for a person.', formOf(TransactionInput, 'description'))),
    memo: orEmpty(text('Free text.', formOf(TransactionInput, 'memo'))),
    transactionTime: localTime('When it happened, on the clock of the account.'),
    transactionTimestamp: instant('When it happened.'),
    postedTime: orEmpty(localTime('When it was posted, on the clock of the account.')),
    postedTimestamp: orEmpty(instant('When it was posted.')),
    additionalInformation: list(
      record('A named piece of further information.', {
        key: text('What it is about, for example `usage`.', formOf(KeyValueInput, 'key')),
        value: text('What it says, for example `MONETARY`.', formOf(KeyValueInput, 'value')),
      }),
      'Further information.',
      sizeOf(TransactionInput, 'additionalInformation'),
    ),
    lineItem: list(
      record('One line of a transaction that has several.', {
        description: orEmpty(text('What the line is for.', formOf(LineItemInput, 'description'))),
        reference: orEmpty(text('Reference of the line.', formOf(LineItemInput, 'reference'))),
        imageIds: list(
          text('An image.', formOf(LineItemInput, 'imageIds')),
          'Images that belong to the line.',
          sizeOf(LineItemInput, 'imageIds'),
        ),
        links: emptyList('Always empty.'),
      }),
      'Its lines, if it has several.',
      sizeOf(TransactionInput, 'lineItem'),
    ),
    imageIds: emptyList('Always empty.'),
    fiAttributes: emptyList('Always empty.'),
    links: emptyList('Always empty.'),
  }),
  TransactionPage: record('A page of the history of an account.', {
    page: record(
      'Where the page is in the list.',
      {
        nextOffset: {
          ...{ type: 'integer', minimum: 1 },
          description: 'Where the next page begins; absent on the last one.',
        },
        totalElements: TOTAL_ELEMENTS,
      },
      ['nextOffset'],
    ),
    links: record('Where to go on.', { next: record('The next page; absent on the last one.', { href: HREF }) }, [
      'next',
    ]),
    transactions: list(
      record('A transaction, by its kind.', { depositTransaction: ref('DepositTransaction') }),
      'Newest first, in ledger order.',
      PAGE_SIZE,
    ),
  }),
};

/** Contract 4.10. */
export const transactionApi: Described = {
  tags: [{ name: 'Transactions', description: 'The history of an account: a ledger, of which nothing ever changes.' }],
  schemas,
  operations: [
    {
      ...{ id: 'listTransactions', method: 'get', path: '/accounts/{accountId}/transactions' },
      ...{ tag: 'Transactions', scope: 'transactions.read', summary: 'List transactions' },
      description:
        'The history of an account over all payment rails, newest first. Filters that are given all have to fit; those that may be repeated fit where one of their values does, and the values may also be written with commas between. Follow `links.next` as it is: it carries the filters, and a bound that keeps new postings from shifting the pages.',
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
          description: 'A page of them.',
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
