import { OPERATION_EVENTS } from '../account/operations.events.js';
import { OWNERSHIP_EVENTS } from '../account/ownership.events.js';
import { APPROVAL_EVENTS } from '../approval/approval.events.js';
import { BENEFICIARY_EVENTS } from '../beneficiary/beneficiary.events.js';
import { CARD_EVENTS } from '../card/card.events.js';
import { CONSOLE_EVENTS } from '../console/console.events.js';
import { CUSTOMER_EVENTS } from '../owner/customer.events.js';
import { EventTypes } from '../platform/feed/event-types.js';
import { PERSONAL_DATA_EVENTS } from '../personal-data/personal-data.events.js';
import { HOLD_EVENTS } from '../hold/hold.events.js';
import { IMPORT_EVENTS } from '../import/import.events.js';
import { PROGRAM_EVENTS } from '../program/program.events.js';
import { STATEMENT_EVENTS } from '../statement/statement.events.js';
import { TRANSACTION_EVENTS } from '../transaction/transaction.events.js';
import { TRANSFER_EVENTS } from '../transfer/transfer.events.js';
import { WEBHOOK_EVENTS } from '../webhook/webhook.events.js';

/** Every type of events that the outside is told about. */
export const EVENT_TYPES = new EventTypes([
  ...BENEFICIARY_EVENTS,
  ...OPERATION_EVENTS,
  ...OWNERSHIP_EVENTS,
  ...PERSONAL_DATA_EVENTS,
  ...CUSTOMER_EVENTS,
  ...CARD_EVENTS,
  ...TRANSACTION_EVENTS,
  ...HOLD_EVENTS,
  ...TRANSFER_EVENTS,
  ...STATEMENT_EVENTS,
  ...PROGRAM_EVENTS,
  ...IMPORT_EVENTS,
  ...WEBHOOK_EVENTS,
  ...APPROVAL_EVENTS,
  ...CONSOLE_EVENTS,
]);
