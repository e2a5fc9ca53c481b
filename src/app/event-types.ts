import { OWNERSHIP_EVENTS } from '../account/ownership.events.js';
import { BENEFICIARY_EVENTS } from '../beneficiary/beneficiary.events.js';
import { CARD_EVENTS } from '../card/card.events.js';
import { EventTypes } from '../platform/feed/event-types.js';
import { STATEMENT_EVENTS } from '../statement/statement.events.js';
import { TRANSACTION_EVENTS } from '../transaction/transaction.events.js';
import { WEBHOOK_EVENTS } from '../webhook/webhook.events.js';

/** Every type of events that the outside is told about. */
export const EVENT_TYPES = new EventTypes([
  ...BENEFICIARY_EVENTS,
  ...OWNERSHIP_EVENTS,
  ...CARD_EVENTS,
  ...TRANSACTION_EVENTS,
  ...STATEMENT_EVENTS,
  ...WEBHOOK_EVENTS,
]);
