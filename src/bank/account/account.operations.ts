import { PreconditionFailed } from '../../shared/errors.js';
import { operation } from '../../shared/operation.js';
import {
  AccountClosed,
  AccountEnded,
  AccountExists,
  AccountHasHolds,
  AccountNotEmpty,
  AccountNotFound,
  AccountNotRestricted,
  AccountRestricted,
} from './account.errors.js';

export const READ_ACCOUNTS = operation('account.read', { scope: 'accounts.read' });

export const READ_RESTRICTION = operation('account.read_restriction', { scope: 'operations.read' });

export const FOLLOW_ACCOUNT = operation('account.follow', {
  scope: 'accounts.read',
  refusals: () => [new AccountNotFound()],
});

export const VERIFY_EVENT_CHAIN = operation('account.verify_events', { scope: 'operations.read' });

export const OPEN_ACCOUNT = operation('account.open', {
  scope: 'operations',
  refusals: () => [new AccountExists(), new AccountEnded()],
});

export const UPDATE_ACCOUNT = operation('account.update', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new AccountNotFound(), new PreconditionFailed(), new AccountClosed()],
});

export const RESTRICT_ACCOUNT = operation('account.restrict', {
  scope: 'operations',
  refusals: () => [new AccountNotFound(), new PreconditionFailed(), new AccountRestricted(), new AccountClosed()],
});

export const UNRESTRICT_ACCOUNT = operation('account.unrestrict', {
  scope: 'operations',
  refusals: () => [new AccountNotFound(), new PreconditionFailed(), new AccountNotRestricted(), new AccountClosed()],
});

export const CLOSE_ACCOUNT = operation('account.close', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new AccountNotFound(),
    new PreconditionFailed(),
    new AccountNotEmpty(),
    new AccountHasHolds(),
    new AccountClosed(),
  ],
});

export const ADD_OWNERS = operation('owner.add', {
  scope: 'owners.write',
  mayWait: true,
  refusals: () => [new AccountNotFound(), new AccountClosed()],
});

export const REMOVE_OWNERS = operation('owner.remove', {
  scope: 'owners.write',
  mayWait: true,
  refusals: () => [new AccountNotFound()],
});
