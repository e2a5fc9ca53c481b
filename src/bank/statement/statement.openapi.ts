import { ACCOUNT_ID } from '../account/account.openapi.js';
import { ref } from '../../platform/input/json-schema.js';
import { location } from '../../platform/openapi/headers.js';
import { answer, parameter, type Part } from '../../platform/openapi/operation.js';
import { EMPTY_LIST, FORMS, inAnyCase, oneOf } from '../../platform/openapi/schema.js';
import { MAX_PDF_BYTES } from '../../../lib/pdf-check/pdf-check.js';
import { problemOf } from '../../../lib/pdf-check/problem.js';
import { StatementContent, TaxFormContent } from './statement.content-schemas.js';
import { NAMES_IN_WORDS, STATEMENT_ID, downloadStatement } from './statement.download.openapi.js';
import { Statement } from './statement.entity.js';
import { StatementOfTheFuture, UnfitDocument } from './statement.errors.js';
import { StatementDetails } from './statement.inputs.js';
import { CONTRACT_NAMES } from './statement.row.js';
import { ADD_STATEMENT, READ_STATEMENTS } from './statement.operations.js';

const LIST = '/accounts/{accountId}/statements';

const EXAMPLE = {
  statementId: STATEMENT_ID,
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
      omit: ['issuedAt', 'correctsStatementId', 'correctionKind', 'sizeBytes', 'sha256', 'downloadPath'],
      differs: {
        statementId: FORMS.UUID,
        documentType: oneOf(Object.values(CONTRACT_NAMES), 'A monthly statement, or a Form 1099-INT.'),
        links: EMPTY_LIST,
      },
      example: EXAMPLE,
    },
  ],
  schemas: { StatementContent, TaxFormContent },
  operations: {
    listStatements: {
      route: `GET ${LIST}`,
      summary: 'List statements',
      description: 'The monthly statements and tax forms of an account, newest first, page by page.',
      of: READ_STATEMENTS,
      parameters: [
        ACCOUNT_ID,
        parameter(
          'query',
          'documentType',
          `Only documents of this type: ${NAMES_IN_WORDS}, in upper or lower case.`,
          inAnyCase(Object.values(CONTRACT_NAMES)),
        ),
      ],
      page: {
        name: 'StatementPage',
        description: 'A page of the documents of an account.',
        elements: ['statements', 'Newest first.', ref('Statement')],
        next: '/accounts/demo-1001/statements?offSet=1&limit=1',
      },
    },
    addStatement: {
      route: `POST ${LIST}`,
      summary: "Add a partner's statement",
      description:
        'Stores the PDF unchanged. The PDF must be complete and not encrypted, and must not contain anything that runs or acts when it is opened.',
      of: ADD_STATEMENT,
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
        201: answer(
          'The statement that was added.',
          'Statement',
          { ...EXAMPLE, source: 'PARTNER' },
          location(`/accounts/demo-1001/Statements/${EXAMPLE.statementId}`),
        ),
      },
      refusals: () => [new UnfitDocument(problemOf('not_pdf'), ''), new StatementOfTheFuture()],
    },
    downloadStatement,
  },
};
