import { AccountClosed, AccountNotFound, AccountRestricted, InsufficientFunds } from '../account/account.errors.js';
import { CardNotFound, CardStateConflict } from '../card/card.errors.js';
import { LIMIT_EXCEEDED } from '../limit/limit.errors.js';
import { operation } from '../../shared/operation.js';
import { HoldEnded, HoldExceeded, HoldExists, HoldNotFound } from './hold.errors.js';

export const READ_HOLDS = operation('hold.read', { scope: 'transactions.read' });

export const PLACE_HOLD = operation('hold.place', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new AccountNotFound(),
    new HoldExists(),
    new AccountClosed(),
    new AccountRestricted(),
    new CardNotFound(),
    new CardStateConflict(),
    LIMIT_EXCEEDED,
    new InsufficientFunds(),
  ],
});

export const CAPTURE_HOLD = operation('hold.capture', {
  scope: 'operations',
  refusals: () => [new AccountNotFound(), new HoldNotFound(), new HoldEnded(), new HoldExceeded()],
});

export const RELEASE_HOLD = operation('hold.release', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new AccountNotFound(), new HoldNotFound(), new HoldEnded()],
});

/** The operation by which the gateway itself ends holds whose time is over. */
export const EXPIRE_HOLD = operation('hold.expire', { scope: 'operations' });
