import { AccountNotFound } from '../account/account.errors.js';
import { ACCOUNT_ID } from '../account/account.openapi.js';
import { ref } from '../platform/input/json-schema.js';
import { location } from '../platform/openapi/headers.js';
import type { Described, Operation, Parameter } from '../platform/openapi/operation.js';
import { HREF, PAGE_SIZE, PAGING, TOTAL_ELEMENTS, offsetText, unknownParameter } from '../platform/openapi/paging.js';
import {
  bankId,
  day,
  emptyList,
  formOf,
  inAnyCase,
  list,
  oneOf,
  record,
  text,
  uuid,
} from '../platform/openapi/schema.js';
import { MAX_PDF_BYTES } from '../../lib/pdf-check/pdf-check.js';
import { problemOf } from '../../lib/pdf-check/problem.js';
import { STATEMENT_CONTENT, TAX_FORM_CONTENT } from './statement.content-schemas.js';
import { NAMES_IN_WORDS, downloadStatement } from './statement.download.openapi.js';
import { StatementSource } from './statement.entity.js';
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

const STATEMENT = {
  statementId: '66fb25d7-6730-48ad-b0e9-8082396d37b0',
  accountId: 'demo-1001',
  description: '2026-10-31',
  documentType: 'Statements',
  statementDate: '2026-10-31',
  links: [],
  source: 'PLATFORM',
};

const operations: readonly Operation[] = [
  {
    ...{ id: 'listStatements', method: 'get', path: LIST, summary: 'List statements' },
    ...{ tag: 'Statements', scope: 'statements.read' },
    description: 'The monthly statements and tax forms of an account, newest first, page by page.',
    parameters: [ACCOUNT_ID, DOCUMENT_TYPE, ...PAGING],
    answers: {
      200: {
        description: 'A page of the list.',
        content: {
          'application/json': {
            schema: ref('StatementPage'),
            example: {
              page: { nextOffset: '1', totalElements: 2 },
              links: { next: { href: '/accounts/demo-1001/statements?offSet=1&limit=1' } },
              statements: [STATEMENT],
            },
          },
        },
      },
    },
    refusals: () => [unknownParameter(...PAGING.map(({ name }) => name), DOCUMENT_TYPE.name), new AccountNotFound()],
  },
  {
    ...{ id: 'addStatement', method: 'post', path: LIST, summary: "Add a partner's statement" },
    ...{ tag: 'Statements', scope: 'operations' },
    description:
      'Stores the PDF unchanged. The PDF must be complete and not encrypted, and must not contain anything that runs or acts when it is opened.',
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
      201: {
        description: 'The statement that was added.',
        headers: { Location: location(`/accounts/demo-1001/Statements/${STATEMENT.statementId}`) },
        content: { 'application/json': { schema: ref('Statement'), example: STATEMENT } },
      },
    },
    refusals: () => [
      unknownParameter('statementDate', 'description'),
      new AccountNotFound(),
      new UnfitDocument(problemOf('not_pdf'), ''),
      new StatementOfTheFuture(),
    ],
  },
  downloadStatement,
];

/** Contract 4.8 and 4.9, and the upload of partner statements. */
export const statementApi: Described = {
  tags: [{ name: 'Statements', description: 'Monthly statements and tax forms. Once issued, they never change.' }],
  operations,
  schemas: {
    StatementContent: STATEMENT_CONTENT,
    TaxFormContent: TAX_FORM_CONTENT,
    Statement: record('A document of an account in a list.', {
      statementId: uuid('The id of the document within its account.'),
      accountId: bankId('The account.'),
      description: text(
        'The title of the document: its date, unless a partner sent another title.',
        formOf(StatementDetails, 'description'),
      ),
      documentType: oneOf(Object.values(CONTRACT_NAMES), 'A monthly statement, or a Form 1099-INT.'),
      statementDate: day('The last day of the period.'),
      links: emptyList('Always empty.'),
      source: oneOf(
        Object.values(StatementSource),
        'Whether this gateway issued the document (PLATFORM), or a partner sent it (PARTNER).',
      ),
    }),
    StatementPage: record('A page of the documents of an account.', {
      page: record(
        'The position of the page in the list.',
        {
          nextOffset: offsetText('The offset of the next page; absent on the last page.'),
          totalElements: TOTAL_ELEMENTS,
        },
        ['nextOffset'],
      ),
      links: record(
        'Links to other pages.',
        { next: record('A link to the next page; absent on the last page.', { href: HREF }) },
        ['next'],
      ),
      statements: list(ref('Statement'), 'Newest first.', PAGE_SIZE),
    }),
  },
};
