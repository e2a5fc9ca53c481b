import type { EventType } from '../../platform/feed/event-types.js';
import { list, text } from '../../platform/openapi/schema.js';

const MAX_CHANGED = 20;

/** Describes an event of programs: it says which fields changed, and never what is in them. */
function programEvent(verb: 'create' | 'update', description: string, changed: readonly string[]): EventType {
  return {
    type: `program.${verb}d`,
    action: `program.${verb}`,
    description,
    scope: 'operations.read',
    isOfProgram: true,
    id: 'programId',
    facts: { changed: list(text('The path of a field, such as payer.taxId.'), 'The fields.', MAX_CHANGED) },
    example: {
      programId: 'demo',
      changed,
    },
  };
}

export const PROGRAM_EVENTS: readonly EventType[] = [
  programEvent('create', 'The record of a program was made, with the fields that it names.', [
    'name',
    'letterhead.name',
    'letterhead.addressLines',
  ]),
  programEvent('update', 'The named fields of the record of a program were changed.', ['payer.taxId']),
];
