import {
  AccountClosed,
  AccountNotFound,
  AccountRestricted,
  AlreadyReversed,
  BeyondTransaction,
  CardNotFound,
  CardStateConflict,
  HoldEnded,
  HoldExceeded,
  HoldNotFound,
  InsufficientFunds,
  LIMIT_EXCEEDED,
  MAKE_TRANSFER,
  TransferNotFound,
  operation,
  type Refusal,
} from 'tillgate/noun';
import { SeedUsed } from './sandbox.errors.js';

export const READ_CLOCK = operation('sandbox.read_clock', { scope: 'operations.read' });
export const MOVE_CLOCK = operation('sandbox.move_clock', { scope: 'operations' });
export const CLOSE_MONTH = operation('sandbox.close_month', { scope: 'operations' });

/**
 * The parts that all simulations have in common: each may simulate who may simulate anything, and an attempt has one
 * name.
 */
const SIMULATE = { scope: 'operations', deniedAs: 'sandbox.simulate' } as const;

/** The attempt to simulate, before it is known what. */
export const SIMULATION = operation('sandbox.simulate', SIMULATE);

export const SIMULATE_PAYMENT = operation('sandbox.pay', {
  ...SIMULATE,
  refusals: () => [new AccountNotFound(), new AccountClosed(), new SeedUsed()],
});

const BEYOND_TRANSACTION = new BeyondTransaction({
  pointer: '/amount',
  code: 'beyond_transaction',
  detail: 'More would be given back than is left of the transaction.',
});
const takingBack = (): readonly Refusal[] => [
  new AccountNotFound(),
  new AccountClosed(),
  new SeedUsed(),
  BEYOND_TRANSACTION,
];
export const SIMULATE_RETURN = operation('sandbox.return', { ...SIMULATE, refusals: takingBack });
export const SIMULATE_REFUND = operation('sandbox.refund', { ...SIMULATE, refusals: takingBack });

export const SIMULATE_TRANSFER = operation('sandbox.receive_transfer', {
  ...SIMULATE,
  mayWait: true,
  refusals: () => [...MAKE_TRANSFER.refusals(), new SeedUsed()],
});
export const SIMULATE_TRANSFER_RETURN = operation('sandbox.return_transfer', {
  ...SIMULATE,
  mayWait: true,
  refusals: () => [
    new AccountNotFound(),
    new TransferNotFound(),
    new AccountClosed(),
    new AlreadyReversed(),
    BEYOND_TRANSACTION,
  ],
});

export const SIMULATE_AUTHORIZATION = operation('sandbox.authorize', {
  ...SIMULATE,
  refusals: () => [
    new AccountNotFound(),
    new AccountClosed(),
    new AccountRestricted(),
    new CardNotFound(),
    new CardStateConflict(),
    LIMIT_EXCEEDED,
    new InsufficientFunds(),
    new SeedUsed(),
  ],
});

const ofHold = (): readonly Refusal[] => [new AccountNotFound(), new HoldNotFound(), new HoldEnded()];
export const SIMULATE_CAPTURE = operation('sandbox.capture', {
  ...SIMULATE,
  refusals: () => [...ofHold(), new HoldExceeded()],
});
export const SIMULATE_RELEASE = operation('sandbox.release', { ...SIMULATE, refusals: ofHold });
export const SIMULATE_EXPIRY = operation('sandbox.expire', { ...SIMULATE, refusals: ofHold });
