import type { EventFacts } from '../../platform/command/command.js';
import type { EventType } from '../../platform/feed/event-types.js';
import { value } from '../../platform/openapi/schema.js';
import type { NoteView } from './note.entity.js';

const NOTE_ID = value('UUID', 'The id of the note. What it says is in no event.');
const EXAMPLE = { noteId: '5d3c8a52-6f0e-4b1a-9c2d-7e8f1a2b3c4d' };
/** Commands have one name, and these events another, since they are in the chains of programs. */
const OF_CUSTOMER = 'customer.note';

/** The event of a note. What is annotated is what it is about. */
export function addedFacts({ noteId, accountId, transactionId, customerId }: NoteView): EventFacts {
  if (customerId !== null) return { object: `customer/${customerId}`, data: { noteId }, action: OF_CUSTOMER };
  return transactionId === null
    ? { object: `account/${accountId}`, data: { noteId } }
    : { object: `transaction/${transactionId}`, data: { noteId, transactionId } };
}

export const NOTE_EVENTS: readonly EventType[] = [
  {
    type: 'note.added',
    action: 'note.add',
    scope: 'operations.read',
    description: 'An operator wrote a note about an account or one of its transactions.',
    facts: {
      noteId: NOTE_ID,
      transactionId: value('ID', 'The transaction that the note is about; absent for one about the account.'),
    },
    optional: ['transactionId'],
    example: EXAMPLE,
  },
  {
    type: 'customer.note_added',
    action: OF_CUSTOMER,
    scope: 'operations.read',
    isOfProgram: true,
    id: 'customerId',
    description: 'An operator wrote a note about a customer.',
    facts: { noteId: NOTE_ID },
    example: { customerId: '0b8f6f0e-7d3c-4d0e-9f0a-2f6f5f3f7a10', ...EXAMPLE },
  },
];
