import type { Router } from 'express';
import type { AccountService } from '../account/account.service.js';
import { readDocument } from '../platform/http/body.js';
import { callerOf } from '../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import { RouteNotFound } from '../platform/http/problem.js';
import { PAGE_PARAMETERS, noQuery, pageOf, queryOf } from '../platform/http/query.js';
import { sendDocument } from '../platform/http/representation.js';
import { readInput } from '../platform/input/read-input.js';
import { InvalidInput } from '../shared/errors.js';
import type { Page, PageRequest } from '../shared/page.js';
import type { PartnerStatementService } from './partner-statement.service.js';
import { MAX_PDF_BYTES } from '../../lib/pdf-check/pdf-check.js';
import type { DocumentType, StatementView } from './statement.entity.js';
import { formsOf } from './statement.formats.js';
import { StatementDetails } from './statement.inputs.js';
import { CONTRACT_NAMES, documentTypeOf } from './statement.row.js';
import type { StatementService } from './statement.service.js';

const DOCUMENT_TYPE = 'documentType';

/** Contract 4.8 and 4.9, and the upload of partner statements. */
export function statementRoutes(
  statements: StatementService,
  partnerStatements: PartnerStatementService,
  accounts: AccountService,
): Router {
  const router = exactRouter();
  const list = '/accounts/:accountId/statements';

  router.get(list, async (req, res) => {
    const { accountId } = req.params;
    const query = queryOf(req, [...PAGE_PARAMETERS, DOCUMENT_TYPE]);
    const request = pageOf(query);
    const documentType = filterOf(query);
    const page = await statements.page(callerOf(req), accountId, request, documentType);
    res.json(listToRest(accountId, request, documentType, page));
  });

  router.post(list, async (req, res) => {
    const caller = callerOf(req);
    const { accountId } = req.params;
    accounts.allow(caller, 'statement.add', 'operations', accountId);
    const details = readInput(StatementDetails, Object.fromEntries(queryOf(req, ['statementDate', 'description'])));
    const document = await readDocument(req, ['application/pdf'], MAX_PDF_BYTES);
    // The document is the whole body, and its pointer that of the whole (RFC 6901, section 5).
    const added = await partnerStatements.add(caller, accountId, { ...details, document }, '');
    res.status(201).location(added.downloadPath).json(toRest(added));
  });

  // Other words in the place of the type are no documents: what they may mean was tried before.
  router.param('docType', (_req, _res, next, name: string) => {
    next(documentTypeOf(name) ? undefined : new RouteNotFound());
  });
  router.get('/accounts/:accountId/:docType/:statement', noQuery, async (req, res) => {
    const { accountId, docType, statement } = req.params;
    const documentType = documentTypeOf(docType) as DocumentType;
    const document = await statements.open(callerOf(req), accountId, documentType, statement);
    await sendDocument(req, res, formsOf(document));
  });

  return refuseOtherMethods(router);
}

function filterOf(query: URLSearchParams): DocumentType | null {
  const name = query.get(DOCUMENT_TYPE);
  if (name === null) return null;
  const documentType = documentTypeOf(name);
  if (documentType) return documentType;
  throw new InvalidInput('malformed', [
    {
      pointer: `/${DOCUMENT_TYPE}`,
      code: 'wrong_type',
      detail: `Must be one of ${Object.values(CONTRACT_NAMES).join(', ')}.`,
    },
  ]);
}

function listToRest(
  accountId: string,
  { offset, limit }: PageRequest,
  documentType: DocumentType | null,
  { items, total }: Page<StatementView>,
): object {
  const next = offset + limit;
  const hasNext = next < total;
  const query = new URLSearchParams({
    offSet: String(next),
    limit: String(limit),
    ...(documentType && { [DOCUMENT_TYPE]: CONTRACT_NAMES[documentType] }),
  });
  return {
    page: { ...(hasNext && { nextOffset: String(next) }), totalElements: total },
    links: hasNext
      ? { next: { href: `/accounts/${encodeURIComponent(accountId)}/statements?${query.toString()}` } }
      : {},
    statements: items.map(toRest),
  };
}

/** Contract 2.3, and whose document it is. */
function toRest({ statementId, accountId, description, documentType, statementDate, source }: StatementView): object {
  const name = CONTRACT_NAMES[documentType];
  return { statementId, accountId, description, documentType: name, statementDate, links: [], source };
}
