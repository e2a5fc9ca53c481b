import { ACCOUNT_ID } from '../account/account.openapi.js';
import { ref } from '../platform/input/json-schema.js';
import { answer, created, type Parameter, type Part } from '../platform/openapi/operation.js';
import { PAGING, pageSchema } from '../platform/openapi/paging.js';
import { EMPTY_LIST, FORMS, inAnyCase, oneOf } from '../platform/openapi/schema.js';
import { MAX_PDF_BYTES } from '../../lib/pdf-check/pdf-check.js';
import { problemOf } from '../../lib/pdf-check/problem.js';
import { StatementContent, TaxFormContent } from './statement.content-schemas.js';
import { NAMES_IN_WORDS, downloadStatement } from './statement.download.openapi.js';
import { Statement } from './statement.entity.js';
import { StatementOfTheFuture, UnfitDocument } from './statement.errors.js';
import { StatementDetails } from './statement.inputs.js';
import { CONTRACT_NAMES } from './statement.row.js';

const LIST = '/accounts/{accountId}/statements';

const DOCUMENT_TYPE: Parameter = {
  name: 'documentType',
  in: 'query',
  description: `Only documents of this type: ${NAMES_IN_WORDS}, in upper or lower case.`,
  schema: inAnyCase(Object.values(CONTRACT_NAMES)),
};

const EXAMPLE = {
  statementId: '66fb25d7-6730-48ad-b0e9-8082396d37b0',
  description: '2026-10-31',
  statementDate: '2026-10-31',
};

/** Contract 4.8 and 4.9, and the upload of partner statements. */
export const statementApi: Part = {
  tag: { name: 'Statements', description: 'Monthly statements and tax forms. Once issued, they never change.' },
  records: [
    {
      of: Statement,
      limits: StatementDetails,
      omit: ['issuedAt', 'correctsStatementId', 'sizeBytes', 'sha256', 'downloadPath'],
      differs: {
        statementId: FORMS.UUID,
        documentType: oneOf(Object.values(CONTRACT_NAMES), 'A monthly statement, or a Form 1099-INT.'),
        links: EMPTY_LIST,
      },
    },
  ],
  schemas: {
    StatementContent,
    TaxFormContent,
    StatementPage: pageSchema(
      'A page of the documents of an account.',
      'statements',
      'Newest first.',
      ref('Statement'),
    ),
  },
  operations: {
    listStatements: {
      route: `GET ${LIST}`,
      summary: 'List statements',
      description: 'The monthly statements and tax forms of an account, newest first, page by page.',
      scope: 'statements.read',
      parameters: [ACCOUNT_ID, ...PAGING, DOCUMENT_TYPE],
      answers: {
        200: answer('A page of the list.', 'StatementPage', {
          page: { nextOffset: '1', totalElements: 2 },
          links: { next: { href: '/accounts/demo-1001/statements?offSet=1&limit=1' } },
          statements: [EXAMPLE],
        }),
      },
    },
    addStatement: {
      route: `POST ${LIST}`,
      summary: "Add a partner's statement",
      description:
        'Stores the PDF unchanged. The PDF must be complete and not encrypted, and must not contain anything that runs or acts when it is opened.',
      scope: 'operations',
      parameters: [ACCOUNT_ID],
      query: {
        input: StatementDetails,
        examples: { statementDate: '2026-10-31', description: 'Partner statement of October' },
      },
      body: {
        description: `The PDF, up to ${MAX_PDF_BYTES / 1024 / 1024} MiB.`,
        content: { 'application/pdf': {} },
      },
      answers: {
        201: created(
          'The statement that was added.',
          'Statement',
          { ...EXAMPLE, source: 'PARTNER' },
          `/accounts/demo-1001/Statements/${EXAMPLE.statementId}`,
        ),
      },
      refusals: () => [new UnfitDocument(problemOf('not_pdf'), ''), new StatementOfTheFuture()],
    },
    downloadStatement,
  },
};
