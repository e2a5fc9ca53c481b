import type { EventType, FactsByName, RecordedEvent } from '../../../platform/feed/event-types.js';
import { list, value } from '../../../platform/openapi/schema.js';
import { MAX_CUSTOMERS_A_CALL } from './ownership.inputs.js';

interface OwnershipEventData {
  readonly customers: readonly { readonly customerId: string; readonly ownerStatus: string }[];
}

/** An event of this module has all customers of the command; a reader is told those whose ownership changed. */
function changed(status: string): (event: RecordedEvent) => FactsByName | null {
  return ({ data }) => {
    const { customers } = data as unknown as OwnershipEventData;
    const customerIds = customers.flatMap(({ customerId, ownerStatus }) => (ownerStatus === status ? customerId : []));
    return customerIds.length > 0 ? { customerIds } : null;
  };
}

function ownerEvent(type: string, action: string, status: string, description: string): EventType {
  const customer = value('UUID', 'The id of a customer.');
  return {
    type,
    action,
    description,
    scope: 'accounts.read',
    facts: { customerIds: list(customer, 'The customers, in the order of the request.', MAX_CUSTOMERS_A_CALL) },
    example: { customerIds: ['0b8f6f0e-7d3c-4d0e-9f0a-2f6f5f3f7a10'] },
    read: changed(status),
  };
}

export const OWNERSHIP_EVENTS: readonly EventType[] = [
  ownerEvent('account.owner_added', 'owner.add', 'ADDED', 'Customers became owners of an account.'),
  ownerEvent('account.owner_removed', 'owner.remove', 'REMOVED', 'Customers are owners of an account no longer.'),
];
