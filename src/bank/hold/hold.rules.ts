import type { AccountView } from '../account/account.entity.js';
import { mustBeOpen, mustHaveFunds } from '../account/account.errors.js';
import { mustBeWithinCardLimit } from '../limit/limit.service.js';
import { CardNotFound, CardStateConflict } from '../card/card.errors.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { OWN_ID_DETAIL, OWN_ID_MARK } from '../../shared/ids.js';
import { isEqual, metadataAfter } from '../../shared/metadata.js';
import { minorUnitsOf, positiveMinorOf } from '../transaction/ledger.service.js';
import { keptBack, type HoldRead } from './hold.entity.js';
import { HoldEnded, HoldExceeded, HoldExists, HoldNotFound } from './hold.errors.js';
import { MAX_HOLD_DAYS, type HoldInput } from './hold.inputs.js';
import type { HoldCommandFacts } from './hold.repository.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A hold that is asked for. */
export type NewHold = HoldInput & {
  /** True if the gateway made the id. */
  readonly isOwnId?: boolean;
};

/** The amount of a new hold in minor units. Throws `InvalidInput`, which names every bad field. */
export function newAmountOf(
  { holdId, amount, expiresAt, isOwnId = false }: NewHold,
  currency: string,
  now: string,
): bigint {
  const amountMinor = positiveMinorOf(amount, currency);
  const late = Date.parse(expiresAt) - Date.parse(now);
  const problems: FieldProblem[] = typeof amountMinor === 'bigint' ? [] : [amountMinor];
  if (!isOwnId && holdId.includes(OWN_ID_MARK)) {
    problems.push({ pointer: '/holdId', code: 'format', detail: OWN_ID_DETAIL });
  }
  if (late <= 0 || late > MAX_HOLD_DAYS * DAY_MS) {
    const detail = `Must be in the future, and at most ${MAX_HOLD_DAYS} days ahead.`;
    problems.push({ pointer: '/expiresAt', code: 'range', detail });
  }
  if (typeof amountMinor !== 'bigint' || problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return amountMinor;
}

/** The amount to capture, in minor units. Throws `InvalidInput`, `HoldExceeded`. */
export function captureOf(amount: string | null, hold: HoldRead): bigint {
  const remaining = keptBack(hold);
  if (amount === null) return remaining;
  const amountMinor = positiveMinorOf(amount, hold.currency);
  if (typeof amountMinor !== 'bigint') throw new InvalidInput('rule_broken', [amountMinor]);
  if (amountMinor > remaining) throw new HoldExceeded();
  return amountMinor;
}

/** True if a hold that is asked for is the one that is there. */
export function isSameHold(hold: HoldRead, input: HoldInput): boolean {
  return (
    minorUnitsOf(input.amount, hold.currency) === hold.amountMinor &&
    input.description === hold.description &&
    input.expiresAt === hold.expiresAt &&
    (input.cardId ?? null) === hold.cardId &&
    (input.reference ?? '') === (hold.reference ?? '') &&
    isEqual(metadataAfter({}, input.metadata), hold.metadata)
  );
}

/**
 * Throws `HoldExists`, `AccountClosed`, `AccountRestricted`, `CardNotFound`, `CardStateConflict`, `LimitExceeded`,
 * `InsufficientFunds` unless a new hold may be placed.
 */
export function permitPlacing(
  account: AccountView,
  { hold, isTaken, card, cardLimits, checksFunds }: HoldCommandFacts,
  { cardId = null }: HoldInput,
  amountMinor: bigint,
): void {
  if (hold || isTaken) throw new HoldExists();
  mustBeOpen(account);
  if (cardId !== null && card === null) throw new CardNotFound();
  if (card !== null && card.status !== 'ACTIVE') throw new CardStateConflict();
  if (cardLimits) mustBeWithinCardLimit(cardLimits, account.currency, amountMinor);
  if (checksFunds) mustHaveFunds(account, account.balanceMinor - account.heldMinor - amountMinor);
}

/** The hold, which is active and may still be used. Throws `HoldNotFound`, `HoldEnded`. */
export function usableHold({ hold, now }: HoldCommandFacts): HoldRead {
  if (!hold) throw new HoldNotFound();
  if (hold.status !== 'ACTIVE' || hold.expiresAt <= now) throw new HoldEnded();
  return hold;
}

/** The hold, which is active though its time is over. Throws `HoldNotFound`, `HoldEnded`. */
export function overdueHold({ hold, now }: HoldCommandFacts): HoldRead {
  if (!hold) throw new HoldNotFound();
  if (hold.status !== 'ACTIVE' || hold.expiresAt > now) throw new HoldEnded();
  return hold;
}
