import type { EventType, FactsByName } from '../../platform/feed/event-types.js';
import { oneOf, text } from '../../platform/openapi/schema.js';
import { ApprovalStatus } from './approval.entity.js';

const COMMAND = text('The request that waits or waited, such as owner.add: the action of its own event.');
const ID = '2c9f5d0e-4b1a-4e36-9d0c-7a5b8e1f3c60';

/**
 * Describes an event of approvals. The outside learns what they are for and how they ended; reasons are for operators
 * alone.
 */
function approvalEvent(verb: string, type: string, description: string, ended: FactsByName): EventType {
  return {
    type: `approval.${type}`,
    action: `approval.${verb}`,
    description,
    scope: 'operations.read',
    id: 'approvalId',
    facts: {
      command: COMMAND,
      status: oneOf(Object.keys(ApprovalStatus), 'The outcome of the request; absent while it waits.'),
      code: text('The code of the refusal of an approved request that was no longer possible.'),
    },
    optional: ['accountId', 'status', 'code'],
    example: {
      approvalId: ID,
      command: 'owner.add',
      ...ended,
    },
  };
}

export const APPROVAL_EVENTS: readonly EventType[] = [
  approvalEvent('request', 'requested', 'A request waits until another person approves it.', {}),
  approvalEvent(
    'approve',
    'approved',
    'A request that waited was approved. It was carried out in the same transaction, unless it was no longer possible.',
    { status: 'APPROVED' },
  ),
  approvalEvent('reject', 'rejected', 'A request that waited was rejected.', { status: 'REJECTED' }),
  approvalEvent('expire', 'expired', 'Nobody decided in time about a request that waited.', { status: 'EXPIRED' }),
];
