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
import { MAX_PDF_BYTES } from './pdf-check.js';
import { problemOf } from './pdf-check/problem.js';
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
  description: `Only documents of this type: ${NAMES_IN_WORDS}, in any case of letters.`,
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
        description: 'A page of them.',
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
      'Keeps the PDF as it is. It is checked by its content: whole, not encrypted, and without anything that acts when it is opened.',
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
        description: 'The statement, as lists show it.',
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
    Statement: record('A document of an account, as lists show it.', {
      statementId: uuid('Identifies the document in its account.'),
      accountId: bankId('The account.'),
      description: text(
        'What the document is called: its date, unless a partner called it otherwise.',
        formOf(StatementDetails, 'description'),
      ),
      documentType: oneOf(Object.values(CONTRACT_NAMES), 'A monthly statement, or a Form 1099-INT.'),
      statementDate: day('The last day of its period.'),
      links: emptyList('Always empty.'),
      source: oneOf(
        Object.values(StatementSource),
        'Whether it was issued here (PLATFORM), or sent by a partner (PARTNER).',
      ),
    }),
    StatementPage: record('A page of the documents of an account.', {
      page: record(
        'Where the page is in the list.',
        {
          nextOffset: offsetText('Where the next page begins; absent on the last one.'),
          totalElements: TOTAL_ELEMENTS,
        },
        ['nextOffset'],
      ),
      links: record('Where to go on.', { next: record('The next page; absent on the last one.', { href: HREF }) }, [
        'next',
      ]),
      statements: list(ref('Statement'), 'Newest first.', PAGE_SIZE),
    }),
  },
};
