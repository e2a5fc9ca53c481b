import type { AccountView } from '../account/account.entity.js';
import type { CommandRequest, EventFacts } from '../../platform/command/command.js';
import { LocalTally } from '../../platform/workers/limits.js';
import type { Refusal } from '../../shared/errors.js';
import { decimalOf } from '../../shared/money.js';
import { PURCHASE_REFUSALS, type PurchaseRefusalFacts } from './hold.events.js';
import type { HoldCommandFacts } from './hold.repository.js';
import { newAmountOf, type NewHold } from './hold.rules.js';

/**
 * The number of refusals of a card with one code that are events in an hour, since a terminal that tries again without
 * end must not fill the account's chain. Each process counts by itself.
 */
const MAX_AN_HOUR = 10;
const BY_CARD_AND_CODE = { windowMs: 3_600_000, maxKeys: 10_000 };

/** The events of purchases by card that were refused, so that somebody can tell the customer why. */
export class PurchaseRefusals {
  private readonly tally = new LocalTally(BY_CARD_AND_CODE);

  /** Null for what says nothing about the card, such as an id that is taken, and for what is beyond the limit. */
  eventOf(
    { code }: Refusal,
    { accountId, currency }: AccountView,
    { card, now }: HoldCommandFacts,
    { input }: CommandRequest<NewHold>,
  ): EventFacts | null {
    const { holdId, cardId } = input;
    if (!card || !cardId || !PURCHASE_REFUSALS.includes(code)) return null;
    const { count } = this.tally.addNow(JSON.stringify([accountId, cardId, code]), 1);
    if (count > MAX_AN_HOUR) return null;
    const facts: PurchaseRefusalFacts = {
      holdId,
      amount: decimalOf(newAmountOf(input, currency, now), currency),
      currency,
      code,
      ...card,
      ...(count === MAX_AN_HOUR && { furtherRecorded: false }),
    };
    return { action: 'card.refuse_purchase', object: `card/${cardId}`, data: facts };
  }
}
