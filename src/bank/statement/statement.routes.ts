import type { Router } from 'express';
import { readDocument } from '../../platform/http/body.js';
import { callerOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { FORMAT_PARAMETERS } from '../../platform/http/format.js';
import { RouteNotFound } from '../../platform/http/problem.js';
import { PAGE_PARAMETERS, pageOf, queryOf } from '../../platform/http/query.js';
import { sendDocument } from '../../platform/http/representation.js';
import { readInput } from '../../platform/input/read-input.js';
import { InvalidInput } from '../../shared/errors.js';
import type { Page, PageRequest } from '../../shared/page.js';
import { MAX_PDF_BYTES } from '../../../lib/pdf-check/pdf-check.js';
import type { DocumentType, StatementView } from './statement.entity.js';
import { formsOf } from './statement.formats.js';
import { StatementDetails } from './statement.inputs.js';
import { CONTRACT_NAMES, documentTypeOf } from './statement.row.js';
import type { StatementService } from './statement.service.js';

const DOCUMENT_TYPE = 'documentType';

/** Contract 4.8 and 4.9, and the upload of partner statements. */
export function statementRoutes(statements: StatementService): Router {
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
    statements.allowAdding(caller, accountId);
    const details = readInput(StatementDetails, Object.fromEntries(queryOf(req, ['statementDate', 'description'])));
    const document = await readDocument(req, ['application/pdf'], MAX_PDF_BYTES);
    // The document is the whole body, so its pointer is the empty one (RFC 6901, section 5).
    const added = await statements.add(caller, accountId, { ...details, document }, '');
    res.status(201).location(added.downloadPath).json(toRest(added));
  });

  // Routes of other nouns have the same form and come first, so another word in the place of the type names nothing.
  router.param('docType', (_req, _res, next, name: string) => {
    next(documentTypeOf(name) ? undefined : new RouteNotFound());
  });
  router.get('/accounts/:accountId/:docType/:statement', async (req, res) => {
    const query = queryOf(req, FORMAT_PARAMETERS);
    const { accountId, docType, statement } = req.params;
    const documentType = documentTypeOf(docType) as DocumentType;
    const caller = callerOf(req);
    const document = await statements.open(caller, accountId, documentType, statement);
    await sendDocument(req, res, query, formsOf(document, caller.program));
  });

  return refuseOtherMethods(router);
}

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
