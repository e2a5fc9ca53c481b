import { ACCOUNT_ID } from '../account/account.rest.js';
import { ref } from '../../platform/input/json-schema.js';
import { location } from '../../platform/openapi/headers.js';
import { answer, parameter } from '../../platform/openapi/operation.js';
import { EMPTY_LIST, FORMS, inAnyCase, oneOf } from '../../platform/openapi/schema.js';
import { MAX_PDF_BYTES } from '../../../lib/pdf-check/pdf-check.js';
import { problemOf } from '../../../lib/pdf-check/problem.js';
import { StatementContent, TaxFormContent } from './statement.content-schemas.js';
import { NAMES_IN_WORDS, STATEMENT_ID, downloadStatement } from './statement.download.rest.js';
import { Statement, type DocumentType, type StatementView } from './statement.entity.js';
import { StatementOfTheFuture, UnfitDocument } from './statement.errors.js';
import { StatementDetails } from './statement.inputs.js';
import { CONTRACT_NAMES, documentTypeOf } from './statement.row.js';
import { ADD_STATEMENT, READ_STATEMENTS } from './statement.operations.js';
import { readDocument } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { queryOf } from '../../platform/http/query.js';
import { readInput } from '../../platform/input/read-input.js';
import { InvalidInput } from '../../shared/errors.js';
import type { Page, PageRequest } from '../../shared/page.js';
import type { StatementService } from './statement.service.js';
import { restOver, expressOver, type RestPart } from '../../platform/rest/rest.js';

const EXAMPLE = {
  statementId: STATEMENT_ID,
  description: '2026-10-31',
  statementDate: '2026-10-31',
};

const DOCUMENT_TYPE = 'documentType';

interface Services {
  readonly statements: StatementService;
}
const rest = restOver<Services>();
const express = expressOver<Services>();

/** Contract 4.8 and 4.9, and the upload of partner statements. */
export const statementRest: RestPart<Services> = {
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
    listStatements: rest(READ_STATEMENTS, 'GET /accounts/{accountId}/statements', {
      summary: 'List statements',
      description: 'The monthly statements and tax forms of an account, newest first, page by page.',
      path: { accountId: ACCOUNT_ID },
      parameters: [
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
      run: ({ caller, path, page, parameters }, { statements }) =>
        statements.page(caller, path.accountId, page, filterOf(parameters)),
      showPage: (page, request) => listToRest(request.path.accountId, request.page, filterOf(request.parameters), page),
    }),
    addStatement: express(ADD_STATEMENT, 'POST /accounts/{accountId}/statements', {
      summary: "Add a partner's statement",
      description:
        'Stores the PDF unchanged. The PDF must be complete and not encrypted, and must not contain anything that runs or acts when it is opened.',
      path: { accountId: ACCOUNT_ID },
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
      handle: async (req, res, { statements }) => {
        const { accountId } = req.params;
        const details = readInput(StatementDetails, Object.fromEntries(queryOf(req, ['statementDate', 'description'])));
        const document = await readDocument(req, ['application/pdf'], MAX_PDF_BYTES);
        // The document is the whole body, so its pointer is the empty one (RFC 6901, section 5).
        const added = await statements.add(callerOf(req), accountId, { ...details, document }, '');
        res.status(201).location(added.downloadPath).json(toRest(added));
      },
    }),
    downloadStatement,
  },
};

function filterOf(query: URLSearchParams): DocumentType | null {
  const name = query.get(DOCUMENT_TYPE);
  const documentType = name === null ? null : documentTypeOf(name);
  if (documentType !== undefined) return documentType;
  const detail = `Must be one of ${Object.values(CONTRACT_NAMES).join(', ')}.`;
  throw new InvalidInput('malformed', [{ pointer: `/${DOCUMENT_TYPE}`, code: 'wrong_type', detail }]);
}

function listToRest(
  accountId: string,
  { offset, limit }: PageRequest,
  documentType: DocumentType | null,
  { items, total }: Page<StatementView>,
): object {
  const statements = items.map(toRest);
  const nextOffset = String(offset + limit);
  if (offset + limit >= total) return { page: { totalElements: total }, links: {}, statements };
  const query = new URLSearchParams({ offSet: nextOffset, limit: String(limit) });
  if (documentType) query.set(DOCUMENT_TYPE, CONTRACT_NAMES[documentType]);
  const href = `/accounts/${encodeURIComponent(accountId)}/statements?${query.toString()}`;
  return { page: { nextOffset, totalElements: total }, links: { next: { href } }, statements };
}

/** Contract 2.3, and the source of the document. */
function toRest({ statementId, accountId, description, documentType, statementDate, source }: StatementView): object {
  const name = CONTRACT_NAMES[documentType];
  return { statementId, accountId, description, documentType: name, statementDate, links: [], source };
}
