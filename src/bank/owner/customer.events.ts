import type { EventFacts } from '../../platform/command/command.js';
import type { EventType } from '../../platform/feed/event-types.js';
import { list, text } from '../../platform/openapi/schema.js';
import { fieldNamesOf } from '../../platform/repository/fields.js';
import { CustomerPatch } from './customer.inputs.js';

const OF_CUSTOMER = { scope: 'operations.read', isOfProgram: true, id: 'customerId' } as const;
const EXAMPLE = { customerId: '0b8f6f0e-7d3c-4d0e-9f0a-2f6f5f3f7a10' };

/** The event of a customer that is created, by a request or by an import. */
export function createdFacts(customerId: string): EventFacts {
  return { object: `customer/${customerId}`, data: {} };
}

/** The event of fields of a customer that change, by a request or by an import. */
export function updatedFacts(customerId: string, changed: readonly string[]): EventFacts {
  return { object: `customer/${customerId}`, data: { changed } };
}

/** The events of customers: they say which fields, and never what is in them. */
export const CUSTOMER_EVENTS: readonly EventType[] = [
  {
    ...OF_CUSTOMER,
    type: 'customer.created',
    action: 'customer.create',
    facts: {},
    example: EXAMPLE,
    description: 'A customer was created.',
  },
  {
    ...OF_CUSTOMER,
    type: 'customer.updated',
    action: 'customer.update',
    description: 'A customer was changed.',
    facts: {
      changed: list(
        text('A field, such as addresses.'),
        'The fields that were sent; of an import those that changed.',
        fieldNamesOf(CustomerPatch).length,
      ),
    },
    example: {
      ...EXAMPLE,
      changed: ['contact', 'addresses'],
    },
  },
];
