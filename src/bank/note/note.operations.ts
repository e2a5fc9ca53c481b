import { AccountNotFound } from '../account/account.errors.js';
import { CustomerNotFound } from '../owner/customer.errors.js';
import { operation } from '../../shared/operation.js';
import { TransactionNotFound } from '../transaction/transaction.errors.js';

export const READ_NOTES = operation('note.read', { scope: 'operations.read' });

/** About an account, a transaction or a customer. */
export const ADD_NOTE = operation('note.add', {
  scope: 'operations',
  refusals: () => [new AccountNotFound(), new TransactionNotFound(), new CustomerNotFound()],
});
