import type { EventFacts } from '../../platform/command/command.js';
import type { EventType, FactsByName } from '../../platform/feed/event-types.js';
import { propertiesOf } from '../../platform/openapi/record-schema.js';
import { pick } from '../../platform/repository/fields.js';
import { Beneficiary, type BeneficiaryFields } from './beneficiary.entity.js';
import { BeneficiaryInput } from './beneficiary.inputs.js';

/** The fields in the events of beneficiaries, which never say who somebody is. */
const FACTS = ['beneficiaryType', 'relationship', 'sharePercentage'] as const;

type BeneficiaryEventFields = Pick<BeneficiaryFields, 'beneficiaryId' | (typeof FACTS)[number]>;

/** The event of a change of a beneficiary. */
export function beneficiaryFacts({ result }: { readonly result: BeneficiaryEventFields }): EventFacts {
  return { object: `beneficiary/${result.beneficiaryId}`, data: pick<FactsByName>(result, FACTS) };
}

const BENEFICIARY = {
  scope: 'beneficiaries.read',
  id: 'beneficiaryId',
  facts: pick<EventType['facts']>(propertiesOf({ of: Beneficiary, limits: BeneficiaryInput }), FACTS),
  example: {
    beneficiaryId: '6f8b1f0e-3b1d-4f4e-9a43-0d6a5c0e7b21',
    beneficiaryType: 'PRIMARY',
    relationship: 'SPOUSE',
    sharePercentage: 50,
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
