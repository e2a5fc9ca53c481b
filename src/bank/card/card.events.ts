import type { EventFacts } from '../../platform/command/command.js';
import type { EventType } from '../../platform/feed/event-types.js';
import { oneOf, text } from '../../platform/openapi/schema.js';
import { CardStatus, CardType, type CardView } from './card.entity.js';

/** Makes the facts of the events of a card, with the status that it had before; null for a new one. */
export function cardFacts({ cardId, type, status, last4 }: CardView, previousStatus: CardStatus | null): EventFacts {
  return { object: `card/${cardId}`, data: { type, status, last4, ...(previousStatus && { previousStatus }) } };
}

function cardEvent(type: string, action: string, status: CardStatus, description: string): EventType {
  return {
    type,
    action,
    description,
    scope: 'cards.read',
    id: 'cardId',
    facts: {
      type: oneOf(Object.keys(CardType), 'The kind of the card: physical or virtual.'),
      status: oneOf(Object.keys(CardStatus), 'The status of the card after the event.'),
      last4: text('The last four digits of the number.', { pattern: String.raw`^\d{4}$` }),
    },
    example: { cardId: 'card-1001-1', type: 'PHYSICAL', status, last4: '1111' },
  };
}

export const CARD_EVENTS: readonly EventType[] = [
  cardEvent('card.created', 'card.create', 'INACTIVE', 'A card was created.'),
  cardEvent('card.activated', 'card.activate', 'ACTIVE', 'A card was put into use.'),
  cardEvent('card.frozen', 'card.freeze', 'FROZEN', 'A card was frozen: it cannot be used until it is unfrozen.'),
  cardEvent('card.unfrozen', 'card.unfreeze', 'ACTIVE', 'A frozen card can be used again.'),
  cardEvent('card.reported', 'card.report', 'LOST', 'A card was reported lost or stolen.'),
  cardEvent('card.closed', 'card.close', 'CLOSED', 'A card was closed.'),
];
