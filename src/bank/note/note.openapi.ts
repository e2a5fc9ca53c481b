import { ref } from '../../platform/input/json-schema.js';
import { answer, type Part } from '../../platform/openapi/operation.js';
import { list, pagesBehind, record } from '../../platform/openapi/schema.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { Note } from './note.entity.js';
import { NotOneSubject } from './note.errors.js';
import { NoteInput, NoteQuery } from './note.inputs.js';
import { ADD_NOTE, READ_NOTES } from './note.operations.js';

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
/** What a token names is no longer. */
const WHO = { maxLength: 255 };
const AFTER = 'MjAyNi0wMy0zMVQxODowNTowMC4wMDBaIDVkM2M4YTUyLTZmMGUtNGIxYS05YzJkLTdlOGYxYTJiM2M0ZA';

/** Notes of operators. */
export const noteApi: Part = {
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
    listNotes: {
      route: 'GET /notes',
      summary: 'List notes',
      description:
        'The notes about an account and its transactions, about one transaction, or about a customer, the newest first.',
      of: READ_NOTES,
      query: { input: NoteQuery, examples: { accountId: 'demo-1001', after: AFTER, limit: 25 }, wrong: { limit: 0 } },
      answers: {
        200: answer('A page of notes.', 'NotePage', {
          notes: [EXAMPLE],
          links: { next: { href: `/notes?accountId=demo-1001&after=${AFTER}` } },
        }),
      },
      refusals: () => [new NotOneSubject()],
    },
    addNote: {
      route: 'POST /notes',
      summary: 'Add a note',
      description:
        'Writes a note about an account, one of its transactions, or a customer. It is stored encrypted, and never changed. Erasing a customer deletes the notes about the customer.',
      of: ADD_NOTE,
      body: {
        description: 'The note, and what it is about.',
        input: NoteInput,
        content: { 'application/json': { example: SENT } },
        wrong: [{ text: '' }, { text: 7 }],
      },
      answers: { 201: answer('The note that was added.', 'Note') },
      refusals: () => [new NotOneSubject()],
    },
  },
};
