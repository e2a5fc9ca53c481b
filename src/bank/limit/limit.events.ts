import type { EventType } from '../../platform/feed/event-types.js';
import { list, oneOf } from '../../platform/openapi/schema.js';

const CHANGEABLE = ['perTransfer', 'perDay', 'per30Days', 'transfersPerDay', 'cardHoldsPerDay'];

/** The limits themselves are on record, and are no facts for readers of events. */
export const LIMIT_EVENTS: readonly EventType[] = [
  {
    type: 'transfer_limits.changed',
    action: 'transfer_limits.change',
    description: 'Limits of an account were set, or given up for those of the program.',
    scope: 'accounts.read',
    facts: { changed: list(oneOf(CHANGEABLE, 'A limit.'), 'The limits that were sent.', CHANGEABLE.length) },
    example: { changed: ['perDay'] },
  },
];
