import type { EventType } from '../../platform/feed/event-types.js';
import { value } from '../../platform/openapi/schema.js';

export const IMPORT_EVENTS: readonly EventType[] = [
  {
    type: 'records.imported',
    action: 'record.import',
    description: 'Lines of records were imported over the API.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'kind',
    facts: {
      read: value('Int', 'The number of lines.'),
      written: value('Int', 'The number of records that were added or changed.'),
      unchanged: value('Int', 'The number of records that were there as the lines say.'),
      rejected: value('Int', 'The number of lines that were rejected.'),
    },
    example: {
      kind: 'customers',
      read: 500,
      written: 12,
      unchanged: 487,
      rejected: 1,
    },
  },
];
