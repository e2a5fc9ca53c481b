import type { EventType, RecordedEvent } from '../../platform/feed/event-types.js';
import { oneOf, text, value } from '../../platform/openapi/schema.js';
import type { PostedFacts } from '../transaction/ledger.service.js';
import { CardStatus } from '../card/card.entity.js';
import { HoldStatus } from './hold.entity.js';

const DECIMAL = { pattern: String.raw`^\d{1,18}(\.\d{1,4})?$` };

/** The event of a change of a hold. Descriptions and references stay out, since they may name people. */
export type HoldFacts = Pick<PostedFacts, 'transactions' | 'lastSeq'> & {
  /** The amount that was placed, captured or released. */
  readonly amount: string;
  readonly currency: string;
  /** The amount that the hold keeps back afterwards. */
  readonly heldAmount: string;
  readonly status: HoldStatus;
  readonly expiresAt: string;
  /** The transaction that shows the change in the history; null if nothing changed. */
  readonly transactionId: string | null;
};

/** Why a purchase by card is refused: the codes of refusals that say something about the card or its account. */
export const PURCHASE_REFUSALS: readonly string[] = [
  'card_state',
  'account_restricted',
  'account_closed',
  'limit_exceeded',
  'insufficient_funds',
];

/** The event of a purchase by card that was refused: a hold that was not placed. */
export type PurchaseRefusalFacts = {
  readonly holdId: string;
  readonly amount: string;
  readonly currency: string;
  readonly code: string;
  /** The status of the card. */
  readonly status: CardStatus;
  readonly last4: string;
  /** False for the last one of an hour that is recorded. */
  readonly furtherRecorded?: false;
};

/** Null for a hold that was placed again, which changes nothing. */
function factsOf({ data }: RecordedEvent) {
  const { transactions, lastSeq: _, ...facts } = data as unknown as HoldFacts;
  return transactions === 0 ? null : facts;
}

function holdEvent(verb: string, pastTense: string, amount: string, description: string, example: object): EventType {
  return {
    type: `hold.${pastTense}`,
    action: `hold.${verb}`,
    description,
    scope: 'transactions.read',
    id: 'holdId',
    facts: {
      amount: text(amount, DECIMAL),
      currency: value('Currency', 'The currency of the account.'),
      heldAmount: text('The amount that the hold keeps back after the event.', DECIMAL),
      status: oneOf(Object.keys(HoldStatus), 'The status of the hold after the event.'),
      expiresAt: value('DateTimeISO', 'The time at which the hold ends if it has not ended before.'),
      transactionId: value('ID', 'The id of the transaction that shows the event in the history of the account.'),
    },
    example: {
      holdId: 'auth-17',
      amount: '75.00',
      currency: 'USD',
      heldAmount: '0.00',
      expiresAt: '2026-04-07T18:05:00.000Z',
      ...example,
    },
    read: factsOf,
  };
}

export const HOLD_EVENTS: readonly EventType[] = [
  holdEvent('place', 'placed', 'What is held.', 'A hold was placed: it keeps money of an account back.', {
    heldAmount: '75.00',
    status: 'ACTIVE',
    transactionId: 'auth-17',
  }),
  holdEvent(
    'capture',
    'captured',
    'What was captured.',
    'A hold was captured, wholly or in part: the amount was posted. What was not captured is released unless `status` is ACTIVE.',
    { amount: '48.20', status: 'CAPTURED', transactionId: 'auth-17~1' },
  ),
  holdEvent('release', 'released', 'What was released.', 'A hold was released before its time was over.', {
    status: 'RELEASED',
    transactionId: 'auth-17~end',
  }),
  holdEvent('expire', 'expired', 'What was released.', 'The time of a hold was over, so it was released.', {
    status: 'EXPIRED',
    transactionId: 'auth-17~end',
  }),
  {
    type: 'card.purchase_refused',
    action: 'card.refuse_purchase',
    description:
      'A purchase by card was refused: no hold was placed. Only where the request had an idempotency key, and of one card at most ten an hour with one code.',
    scope: 'cards.read',
    id: 'cardId',
    facts: {
      holdId: value('ID', 'The id of the hold that was asked for.'),
      amount: text('The amount that was to be held.', DECIMAL),
      currency: value('Currency', 'The currency of the account.'),
      code: oneOf(PURCHASE_REFUSALS, 'The code of the refusal.'),
      status: oneOf(Object.keys(CardStatus), 'The status of the card.'),
      last4: text('The last four digits of the number.', { pattern: String.raw`^\d{4}$` }),
      furtherRecorded: value('Boolean', 'False where further refusals of this hour have no event; absent otherwise.'),
    },
    optional: ['furtherRecorded'],
    example: {
      cardId: 'card-1001-1',
      holdId: 'auth-18',
      amount: '75.00',
      currency: 'USD',
      code: 'card_state',
      status: 'FROZEN',
      last4: '1111',
    },
  },
];
