import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { list, pagesBehind, record } from '../../platform/openapi/schema.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { Note, type NoteView } from './note.entity.js';
import { NotOneSubject } from './note.errors.js';
import { NoteInput, NoteQuery } from './note.inputs.js';
import { ADD_NOTE, READ_NOTES } from './note.operations.js';
import { contractRecord } from '../../platform/http/json.js';
import { fieldNamesOf, pick } from '../../platform/repository/fields.js';
import type { NoteService } from './note.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

const SENT = { accountId: 'demo-1001', text: 'Called back, and agreed to the refund.' };
const EXAMPLE = {
  noteId: '5d3c8a52-6f0e-4b1a-9c2d-7e8f1a2b3c4d',
  transactionId: '',
  customerId: '',
  subject: 'u-4711',
  clientId: 'back-office',
  createdAt: '2026-03-31T18:05:00.000Z',
  ...SENT,
};
/** The limit of what a token names, which is no longer. */
const WHO = { maxLength: 255 };
const AFTER = 'MjAyNi0wMy0zMVQxODowNTowMC4wMDBaIDVkM2M4YTUyLTZmMGUtNGIxYS05YzJkLTdlOGYxYTJiM2M0ZA';

const FIELDS = fieldNamesOf(Note);

interface Services {
  readonly notes: NoteService;
}
const rest = restOver<Services>();

/** Notes of operators. */
export const noteRest: RestPart<Services> = {
  tag: { name: 'Notes', description: 'What operators write down for each other. Customers never read it.' },
  records: [
    {
      of: Note,
      limits: NoteInput,
      differs: {
        customerId: { type: 'string', pattern: '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$' },
        subject: WHO,
        clientId: WHO,
      },
      example: EXAMPLE,
    },
  ],
  schemas: {
    NotePage: record('A page of notes.', {
      notes: list(ref('Note'), 'The newest first.', MAX_PAGE_SIZE),
      links: pagesBehind('notes'),
    }),
  },
  operations: {
    listNotes: rest(READ_NOTES, 'GET /notes', {
      summary: 'List notes',
      description:
        'The notes about an account and its transactions, about one transaction, or about a customer, the newest first.',
      query: { input: NoteQuery, examples: { accountId: 'demo-1001', after: AFTER, limit: 25 } },
      refusals: () => [new NotOneSubject()],
      run: ({ caller, cursor, query }, { notes }) => {
        const { after: _, limit: __, ...filter } = query;
        return notes.list(caller, cursor, filter).page();
      },
      slice: 'notes',
      answer: answer('A page of notes.', 'NotePage', {
        notes: [EXAMPLE],
        links: { next: { href: `/notes?accountId=demo-1001&after=${AFTER}` } },
      }),
      show: toRest,
    }),
    addNote: rest(ADD_NOTE, 'POST /notes', {
      summary: 'Add a note',
      description:
        'Writes a note about an account, one of its transactions, or a customer. It is stored encrypted, and never changed. Erasing a customer deletes the notes about the customer.',
      body: {
        description: 'The note, and what it is about.',
        input: NoteInput,
        example: SENT,
      },
      refusals: () => [new NotOneSubject()],
      run: ({ caller, body }, { notes }) => notes.add(caller, body),
      answer: answer('The note that was added.', 'Note'),
      show: toRest,
      created: true,
    }),
  },
};

function toRest(note: NoteView): object {
  return contractRecord(pick<NoteView>(note, FIELDS));
}
