import { AccountClosed } from '../account/account.errors.js';
import { ACCOUNT_ID } from '../account/account.openapi.js';
import { ReasonInput } from '../account/account.service.js';
import { exactNumber } from '../platform/http/json.js';
import { ref } from '../platform/input/json-schema.js';
import { DRY_RUN, parameter, type Operation, type Parameter } from '../platform/openapi/operation.js';
import { FORMS, record } from '../platform/openapi/schema.js';
import { WAITS, refusalsOfWaiting } from '../platform/openapi/waiting.js';
import {
  AlreadyReversed,
  BeyondTransaction,
  TransactionIsReversal,
  TransactionMismatch,
  TransactionNotFound,
  TransactionNotPosted,
  TransactionOfTransfer,
} from './transaction.errors.js';
import { reversalIdOf } from './transaction.reversal.js';

/** A page of the history and a reversal have a transaction under the name of its kind. */
export const NAMED_ENTRY = record('A transaction, under the name of its kind.', {
  depositTransaction: ref('DepositTransaction'),
});

interface EntryExample {
  readonly transactionId: string;
}

/** `example`: a transaction with all its fields. */
export function reversalOperations(example: EntryExample): Readonly<Record<string, Operation>> {
  const { transactionId } = example;
  const TRANSACTION_ID: Parameter = {
    ...parameter('path', 'transactionId', 'The id of the transaction to reverse.', FORMS.ID, transactionId),
    unknown: () => new TransactionNotFound(),
  };
  return {
    reverseTransaction: {
      route: 'POST /accounts/{accountId}/transactions/{transactionId}/reverse',
      summary: 'Reverse a transaction',
      description:
        'Reverses a posted transaction, once: the history gets a transaction with the same amount in the other direction, whose `referenceTransactionId` is the transaction that it reverses and whose id is made of that. Refused if a part of it was given back. The transaction itself stays as it is. The reason is kept in the event, for the bank alone.',
      scope: 'operations',
      parameters: [ACCOUNT_ID, TRANSACTION_ID, DRY_RUN],
      body: {
        description: 'The reason, for the records of the bank.',
        input: ReasonInput,
        content: { 'application/json': { example: { reason: 'Charged twice, ticket 4711' } } },
        wrong: [{ reason: '' }],
      },
      answers: {
        ...WAITS,
        200: {
          description: 'The reversal, or in a dry run what it would be.',
          content: {
            'application/json': {
              schema: NAMED_ENTRY,
              example: {
                depositTransaction: {
                  ...example,
                  transactionId: reversalIdOf(transactionId),
                  referenceTransactionId: transactionId,
                  debitCreditMemo: 'CREDIT',
                  description: 'Reversal: Monthly service fee',
                  amount: exactNumber('6.00'),
                  additionalInformation: [],
                },
              },
            },
          },
        },
      },
      refusals: () => [
        new AccountClosed(),
        new AlreadyReversed(),
        new TransactionIsReversal(),
        new TransactionNotPosted(),
        new TransactionOfTransfer(),
        new BeyondTransaction({
          pointer: '/amount',
          code: 'beyond_transaction',
          detail: 'A part of the transaction was given back before.',
        }),
        new TransactionMismatch({
          pointer: '/transactionId',
          code: 'different_transaction',
          detail: 'A transaction with the id that the reversal would have exists.',
        }),
        ...refusalsOfWaiting(),
      ],
    },
  };
}
