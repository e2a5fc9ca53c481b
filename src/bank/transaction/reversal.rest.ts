import { ACCOUNT_ID } from '../account/account.rest.js';
import { ReasonInput } from '../account/account.service.js';
import { exactNumber } from '../../platform/http/json.js';
import { FORMS } from '../../platform/openapi/schema.js';
import { restOver } from '../../platform/rest/rest.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';
import type { ReversalService } from './reversal.service.js';
import { TransactionNotFound } from './transaction.errors.js';
import { REVERSE_TRANSACTION } from './transaction.operations.js';
import { ENTRY_EXAMPLE, NAMED_ENTRY, restTransaction } from './transaction.rest-record.js';
import { reversalIdOf } from './transaction.reversal.js';

const { transactionId: EXAMPLE_ID } = ENTRY_EXAMPLE;
const TRANSACTION_ID: PathParameter = {
  description: 'The id of the transaction to reverse.',
  schema: FORMS.ID,
  example: EXAMPLE_ID,
  unknown: () => new TransactionNotFound(),
};

export interface ReversalServices {
  readonly reversals: ReversalService;
}
const rest = restOver<ReversalServices>();

export const reversalOperations = {
  reverseTransaction: rest(REVERSE_TRANSACTION, 'POST /accounts/{accountId}/transactions/{transactionId}/reverse', {
    summary: 'Reverse a transaction',
    description:
      'Reverses a posted transaction, once: the history gets a transaction with the same amount in the other direction, whose `referenceTransactionId` is the transaction that it reverses and whose id is made of that. Refused if a part of it was given back by a posting that refers to it. The transaction itself stays as it is. The reason is kept in the event, for the bank alone.',
    path: { accountId: ACCOUNT_ID, transactionId: TRANSACTION_ID },
    dryRun: true,
    body: {
      description: 'The reason, for the records of the bank.',
      input: ReasonInput,
      example: { reason: 'Charged twice, ticket 4711' },
    },
    run: ({ caller, path, body, dryRun }, { reversals }) =>
      reversals.reverse(caller, path.accountId, path.transactionId, body.reason, dryRun),
    answer: {
      description: 'The reversal, or in a dry run what it would be.',
      content: {
        'application/json': {
          schema: NAMED_ENTRY,
          example: {
            depositTransaction: {
              ...ENTRY_EXAMPLE,
              transactionId: reversalIdOf(EXAMPLE_ID),
              referenceTransactionId: EXAMPLE_ID,
              debitCreditMemo: 'CREDIT',
              description: 'Reversal: Monthly service fee',
              amount: exactNumber('6.00'),
              additionalInformation: [],
            },
          },
        },
      },
    },
    show: restTransaction,
  }),
};
