import { AccountClosed, AccountNotFound, AccountRestricted, InsufficientFunds } from '../account/account.errors.js';
import { LIMIT_EXCEEDED } from '../limit/limit.errors.js';
import { operation } from '../../shared/operation.js';
import { AlreadyReversed, BeyondTransaction, TransactionMismatch } from '../transaction/transaction.errors.js';
import { CurrencyMismatch, PayeeMismatch, SameAccount, TransferMismatch, TransferNotFound } from './transfer.errors.js';

export const READ_TRANSFERS = operation('transfer.read', { scope: 'transactions.read' });

export const READ_PROGRAM_TRANSFERS = operation('transfer.read_of_program', {
  scope: 'transactions.read',
  isProgramWide: true,
});

export const MAKE_TRANSFER = operation('transfer.make', {
  scope: 'transfers.write',
  mayWait: true,
  refusals: () => [
    new AccountNotFound(),
    new SameAccount(),
    new PayeeMismatch(),
    new CurrencyMismatch(),
    new AccountClosed(),
    new AccountRestricted(),
    LIMIT_EXCEEDED,
    new InsufficientFunds(),
    new TransferMismatch(),
  ],
});

/** The operation that makes several transfers; the results have the refusal of each. */
export const MAKE_TRANSFERS = operation('transfer.make_several', { scope: 'transfers.write' });

export const REVERSE_TRANSFER = operation('transfer.reverse', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new TransferNotFound(),
    new AccountClosed(),
    new AlreadyReversed(),
    new BeyondTransaction({
      pointer: '/amount',
      code: 'beyond_transaction',
      detail: 'A part of one of the two transactions was given back before.',
    }),
    new TransactionMismatch({
      pointer: '/transactionId',
      code: 'different_transaction',
      detail: 'A transaction with the id that a reversal would have exists.',
    }),
  ],
});
