import { ACCOUNT_ID } from '../account/account.openapi.js';
import { ReasonInput } from '../account/account.service.js';
import { exactNumber } from '../../platform/http/json.js';
import { ref } from '../../platform/input/json-schema.js';
import { DRY_RUN, parameter, type Operation, type Parameter } from '../../platform/openapi/operation.js';
import { FORMS, record } from '../../platform/openapi/schema.js';
import { TransactionNotFound } from './transaction.errors.js';
import { reversalIdOf } from './transaction.reversal.js';
import { REVERSE_TRANSACTION } from './transaction.operations.js';

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
        'Reverses a posted transaction, once: the history gets a transaction with the same amount in the other direction, whose `referenceTransactionId` is the transaction that it reverses and whose id is made of that. Refused if a part of it was given back by a posting that refers to it. The transaction itself stays as it is. The reason is kept in the event, for the bank alone.',
      of: REVERSE_TRANSACTION,
      parameters: [ACCOUNT_ID, TRANSACTION_ID, DRY_RUN],
      body: {
        description: 'The reason, for the records of the bank.',
        input: ReasonInput,
        content: { 'application/json': { example: { reason: 'Charged twice, ticket 4711' } } },
        wrong: [{ reason: '' }],
      },
      answers: {
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
    },
  };
}
