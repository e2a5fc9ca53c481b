import { AccountClosed, AccountNotFound, InsufficientFunds } from '../account/account.errors.js';
import { operation } from '../../shared/operation.js';
import {
  AlreadyReversed,
  BeyondTransaction,
  TransactionIsReversal,
  TransactionMismatch,
  TransactionNotFound,
  TransactionNotPosted,
  TransactionOfTransfer,
} from './transaction.errors.js';

export const READ_TRANSACTIONS = operation('transaction.read', { scope: 'transactions.read' });

export const READ_PROGRAM_HISTORY = operation('transaction.read_of_program', {
  scope: 'transactions.read',
  isProgramWide: true,
});

export const FOLLOW_TRANSACTIONS = operation('transaction.follow', {
  scope: 'transactions.read',
  refusals: () => [new AccountNotFound()],
});

export const POST_TRANSACTIONS = operation('transaction.post', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new AccountNotFound(),
    new AccountClosed(),
    new TransactionMismatch({
      pointer: '/transactions/0/transactionId',
      code: 'different_transaction',
      detail: 'A transaction with this id exists and has different content.',
    }),
    new InsufficientFunds(),
  ],
});

export const REVERSE_TRANSACTION = operation('transaction.reverse', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new AccountNotFound(),
    new AccountClosed(),
    new TransactionNotFound(),
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
  ],
});
