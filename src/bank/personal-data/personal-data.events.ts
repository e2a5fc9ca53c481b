import type { EventType } from '../../platform/feed/event-types.js';
import { value } from '../../platform/openapi/schema.js';

/** The reason is on record, and is no fact for readers. */
export const PERSONAL_DATA_EVENTS: readonly EventType[] = [
  {
    type: 'personal_data.revealed',
    action: 'personal_data.reveal',
    scope: 'operations.read',
    description: 'An operator read the personal data of an owner or a beneficiary unmasked.',
    facts: {
      customerId: value('UUID', 'The owner whose data it is; absent for a beneficiary.'),
      beneficiaryId: value('UUID', 'The beneficiary whose data it is; absent for an owner.'),
    },
    optional: ['customerId', 'beneficiaryId'],
    example: { customerId: '0000d001-0000-4000-8000-000000000000' },
  },
  {
    type: 'personal_data.searched',
    action: 'personal_data.search',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'programId',
    description:
      'People were looked for by name, by the last four digits of a card or a tax id, or by e-mail or telephone, or names of payees were compared. Searches of one subject within a second are one event.',
    facts: {
      byName: value('Int', 'The number of searches by a name, its beginning, or the number that the bank gave.'),
      byLastFour: value('Int', 'The number of searches by last four digits.'),
      byContact: value('Int', 'The number of searches by an e-mail address or a telephone number.'),
      byPayee: value('Int', 'The number of names of payees that were compared.'),
      hits: value('Int', 'The number of hits of all of them; of payees the names that matched.'),
    },
    example: {
      programId: 'demo',
      byName: 1,
      byLastFour: 0,
      byContact: 0,
      byPayee: 0,
      hits: 2,
    },
  },
];
