import type { EventType } from '../platform/feed/event-types.js';
import { value } from '../platform/openapi/schema.js';

/** The reason is on record, and is no fact for readers. */
export const PERSONAL_DATA_EVENTS: readonly EventType[] = [
  {
    ...{ type: 'personal_data.revealed', action: 'personal_data.reveal', scope: 'operations.read' },
    description: 'An operator read the personal data of an owner or a beneficiary unmasked.',
    facts: {
      customerId: value('UUID', 'The owner whose data it is; absent for a beneficiary.'),
      beneficiaryId: value('UUID', 'The beneficiary whose data it is; absent for an owner.'),
    },
    optional: ['customerId', 'beneficiaryId'],
    example: { customerId: '0000d001-0000-4000-8000-000000000000' },
  },
];
