import { AccountClosed, AccountNotFound } from '../account/account.errors.js';
import { operation } from '../../shared/operation.js';

export const READ_LIMITS = operation('transfer_limits.read', { scope: 'transactions.read' });

export const CHANGE_LIMITS = operation('transfer_limits.change', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new AccountNotFound(), new AccountClosed()],
});
