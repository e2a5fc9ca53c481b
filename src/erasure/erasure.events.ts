import type { EventType } from '../platform/feed/event-types.js';

/** The reason is on record, and is no fact for readers. */
export const ERASURE_EVENTS: readonly EventType[] = [
  {
    type: 'customer.erased',
    action: 'customer.erase',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'customerId',
    description: 'The personal data of a customer was erased. Whoever has copies of it erases them as well.',
    facts: {},
    example: { customerId: '0b8f6f0e-7d3c-4d0e-9f0a-2f6f5f3f7a10' },
  },
];
