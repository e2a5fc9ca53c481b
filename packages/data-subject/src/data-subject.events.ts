import { END_ACCOUNT, type EventType, type JsonSchema } from 'tillgate/noun';

const OF_CUSTOMER = { scope: 'operations.read', isOfProgram: true, id: 'customerId', facts: {} } as const;
const example = { customerId: '0b8f6f0e-7d3c-4d0e-9f0a-2f6f5f3f7a10' };

const COUNTS: JsonSchema = {
  type: 'object',
  description: 'The numbers of rows that were deleted, by the tables that had any.',
  additionalProperties: { type: 'integer', minimum: 1 },
};

/**
 * The events of what was done for people who asked about their data. The reason is on record, and is no fact for
 * readers.
 */
export const DATA_SUBJECT_EVENTS: readonly EventType[] = [
  {
    ...OF_CUSTOMER,
    type: 'customer.erased',
    action: 'customer.erase',
    description: 'The personal data of a customer was erased. Whoever has copies of it erases them as well.',
    example,
  },
  {
    ...OF_CUSTOMER,
    type: 'customer.exported',
    action: 'customer.export',
    description: 'Everything that is on record about a customer was written into a file, unmasked.',
    example,
  },
  {
    ...OF_CUSTOMER,
    type: 'account.ended',
    action: END_ACCOUNT,
    id: 'accountId',
    description:
      'A closed account was deleted with all that belongs to it, since the retention of the program is over. Whoever has copies deletes them as well.',
    facts: { counts: COUNTS },
    example: { accountId: 'demo-1001', counts: { account: 1, account_event: 3, transaction: 12 } },
  },
];
