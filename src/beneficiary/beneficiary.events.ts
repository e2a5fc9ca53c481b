import type { EventType } from '../platform/feed/event-types.js';
import { oneOf, value } from '../platform/openapi/schema.js';
import { BeneficiaryType, Relationship } from './beneficiary.entity.js';

/** What the events of beneficiaries say: never who somebody is. */
const BENEFICIARY = {
  scope: 'beneficiaries.read',
  id: 'beneficiaryId',
  facts: {
    beneficiaryType: oneOf(Object.keys(BeneficiaryType), 'The order in which beneficiaries receive.'),
    relationship: oneOf(Object.keys(Relationship), 'The relationship to the owner of the account.'),
    sharePercentage: value('Int', 'Percent of the account, 0 to 100.'),
  },
  example: {
    ...{ beneficiaryId: '6f8b1f0e-3b1d-4f4e-9a43-0d6a5c0e7b21', beneficiaryType: 'PRIMARY' },
    ...{ relationship: 'SPOUSE', sharePercentage: 50 },
  },
} satisfies Partial<EventType>;

export const BENEFICIARY_EVENTS: readonly EventType[] = [
  {
    ...BENEFICIARY,
    type: 'beneficiary.added',
    action: 'beneficiary.add',
    description: 'A beneficiary was added to an account.',
  },
  {
    ...BENEFICIARY,
    type: 'beneficiary.updated',
    action: 'beneficiary.update',
    description: 'A beneficiary was changed. The facts are those after the change.',
  },
  {
    ...BENEFICIARY,
    type: 'beneficiary.deleted',
    action: 'beneficiary.delete',
    description: 'A beneficiary was deleted. The facts are the last ones.',
  },
];
