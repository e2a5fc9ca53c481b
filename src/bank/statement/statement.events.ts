import type { EventType } from '../../platform/feed/event-types.js';
import { oneOf, text, value } from '../../platform/openapi/schema.js';
import { CorrectionKind, DocumentType } from './statement.entity.js';

const EXAMPLE_ID = '3e1c8a52-9d60-4b0e-8a53-0c1f6a2e9d44';
const RUN_ID = '5b8f21c4-07de-4c1b-9a6e-0d3f7b1e2c90';
const PERIOD = text('The month, such as 2026-03, or the tax year, such as 2025.');
const DATE = value('LocalDate', 'The last day of the period.');

export const STATEMENT_EVENTS: readonly EventType[] = [
  {
    type: 'statement.issued',
    action: 'statement.issue',
    description: 'A statement or a tax form was issued.',
    scope: 'statements.read',
    id: 'statementId',
    facts: {
      documentType: oneOf(Object.keys(DocumentType), 'The kind of the document.'),
      statementDate: DATE,
      corrects: text('The id of the document that this one corrects.'),
      correctionKind: oneOf(Object.keys(CorrectionKind), 'The fault of that document.'),
    },
    optional: ['corrects', 'correctionKind'],
    example: { statementId: EXAMPLE_ID, documentType: 'STATEMENTS', statementDate: '2026-03-31' },
  },
  {
    type: 'statement.uploaded',
    action: 'statement.add',
    description: 'A statement of a partner was uploaded.',
    scope: 'statements.read',
    id: 'statementId',
    facts: {
      statementDate: DATE,
      sizeBytes: value('Int', 'The size of the document in bytes.'),
      sha256: text('SHA-256 of the document, 64 hexadecimal digits.', { pattern: '^[0-9a-f]{64}$' }),
    },
    example: {
      statementId: EXAMPLE_ID,
      statementDate: '2026-03-31',
      sizeBytes: 48213,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  {
    type: 'statement_run.started',
    action: 'statement_run.start',
    description: 'An operator started a run, which issues documents.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'runId',
    facts: {
      documentType: oneOf(Object.keys(DocumentType), 'The kind of the documents.'),
      period: PERIOD,
      accountCount: value('Int', 'The number of the accounts that were named; absent if it is for all.'),
    },
    optional: ['accountCount'],
    example: { runId: RUN_ID, documentType: 'STATEMENTS', period: '2026-03' },
  },
  {
    type: 'statement_run.stopped',
    action: 'statement_run.stop',
    description: 'An operator stopped a run before it had issued all documents.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'runId',
    facts: {
      documentType: oneOf(Object.keys(DocumentType), 'The kind of the documents.'),
      period: PERIOD,
    },
    example: { runId: RUN_ID, documentType: 'STATEMENTS', period: '2026-03' },
  },
  {
    type: 'statement_run.repeated',
    action: 'statement_run.rerun',
    description: 'The documents that a run left out are issued, in a run of their own.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'runId',
    facts: {
      rerunOf: text('The id of the run that left them out.'),
      documentType: oneOf(Object.keys(DocumentType), 'The kind of the documents.'),
      period: PERIOD,
    },
    example: {
      runId: RUN_ID,
      rerunOf: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
      documentType: 'TAX_1099',
      period: '2025',
    },
  },
];
