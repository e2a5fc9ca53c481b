import { REPORT_FORMATS } from '../../../lib/account-report/formats.js';
import { ACCOUNT_ID } from '../account/account.rest.js';
import { FORMAT_PARAMETERS, NotAcceptable } from '../../platform/http/format.js';
import { RangeNotSatisfiable, sendDocument } from '../../platform/http/representation.js';
import { PreconditionFailed } from '../../shared/errors.js';
import { callerOf } from '../../platform/http/exchange.js';
import { queryOf } from '../../platform/http/query.js';
import { expressOver } from '../../platform/rest/rest.js';
import { RouteNotFound } from '../../platform/http/problem.js';
import { ref } from '../../platform/input/json-schema.js';
import { always } from '../../platform/openapi/headers.js';
import { parameter } from '../../platform/openapi/operation.js';
import { FORMS, inAnyCase } from '../../platform/openapi/schema.js';
import { REPORT_CONTENT, formatParameters } from '../transaction/report/report.rest-record.js';
import { StatementNotFound } from './statement.errors.js';
import { formsOf } from './statement.formats.js';
import { CONTRACT_NAMES, documentTypeOf } from './statement.row.js';
import type { DocumentType } from './statement.entity.js';
import type { StatementService } from './statement.service.js';
import { DOWNLOAD_STATEMENT } from './statement.operations.js';

/** The names of the types of documents. */
export const NAMES_IN_WORDS = Object.values(CONTRACT_NAMES)
  .map(name => `\`${name}\``)
  .join(' or ');

export const STATEMENT_ID = '66fb25d7-6730-48ad-b0e9-8082396d37b0';
const TAG = '"897857c4a7f4cbed4f1c968d0a26ee560135fc1e6d18b633e7ac0560494dd330"';

/** The part of the example that the descriptions of the fields do not give. */
const FORM_EXAMPLE = {
  statementId: '77aa7aea-e35a-4a25-8115-4304053766e1',
  taxYear: 2025,
  issuedOn: '2026-11-21',
  payer: { name: 'demo', addressLines: [], telephone: null, taxId: '00-0000000' },
  recipient: {
    name: 'Maren J Ashdown',
    taxId: 'XXX-XX-1002',
    addressLines: ['836 Seventh Orchard Way', 'Saltmarsh Corner, ME 00240'],
  },
  accountNumber: '*****1002',
  currency: 'USD',
  boxes: { 1: 150.49 },
};

const about = {
  ETag: always('SHA-256 of the bytes.', { pattern: '^"[0-9a-f]{64}"$' }, TAG),
  'Cache-Control': always('The document is private, and no cache may store it.', { enum: ['private, no-store'] }),
  Vary: always('The content type depends on Accept.', { pattern: 'Accept' }),
};
const whole = {
  ...about,
  'Content-Disposition': always(
    'The name of the file.',
    { pattern: '^attachment; filename="[A-Za-z0-9.-]+"$' },
    'attachment; filename="statement-2026-10-31.pdf"',
  ),
  'Accept-Ranges': always('The download supports ranges of bytes.', { enum: ['bytes'] }),
};
const contentRange = (pattern: string, example: string) => ({
  'Content-Range': always('The range of these bytes, and the size of the document.', { pattern }, example),
});

const content = {
  'application/pdf': { schema: {} },
  'application/json': {
    schema: { anyOf: [ref('StatementContent'), ref('TaxFormContent')] },
    example: FORM_EXAMPLE,
  },
  ...REPORT_CONTENT,
};

const express = expressOver<{ readonly statements: StatementService }>();

/** Contract 4.9. */
export const downloadStatement = express(DOWNLOAD_STATEMENT, 'GET /accounts/{accountId}/{docType}/{statement}', {
  summary: 'Download a statement',
  description:
    'The PDF, unless `Accept` asks for another content type or `format` names one. Documents that this gateway issued are also available as JSON, and monthly statements as CSV, camt.053, OFX and BAI2. The document of a partner is available as PDF only.',
  path: {
    accountId: ACCOUNT_ID,
    docType: {
      description: `The type of the document, ${NAMES_IN_WORDS}, in upper or lower case. Any other value is an unknown path.`,
      schema: inAnyCase(Object.values(CONTRACT_NAMES)),
      example: 'Statements',
      // Routes of other nouns have the same form and come first, so another word in its place names nothing.
      matches: name => documentTypeOf(name) !== undefined,
    },
    statement: {
      description: 'The `statementId` that the list gives.',
      schema: FORMS.UUID,
      example: STATEMENT_ID,
      unknown: () => new StatementNotFound(),
    },
  },
  parameters: [
    ...formatParameters(['pdf', 'json', ...Object.keys(REPORT_FORMATS)], 'The format of the document.'),
    parameter('header', 'If-None-Match', 'Answers 304 if the document still has this tag.', FORMS.String, TAG),
    parameter('header', 'If-Match', 'Answers 412 if the document does not have this tag.', FORMS.String, TAG),
    parameter(
      'header',
      'Range',
      'One range of bytes, answered with 206. A request for several ranges is answered with the complete document.',
      FORMS.String,
      'bytes=0-1023',
    ),
    parameter(
      'header',
      'If-Range',
      'Answers with the range if the document still has this tag, and with the complete document otherwise.',
      FORMS.String,
      TAG,
    ),
  ],
  answers: {
    200: { description: 'The document.', headers: whole, content },
    206: {
      description: 'The requested bytes.',
      headers: { ...whole, ...contentRange(String.raw`^bytes \d+-\d+/\d+$`, 'bytes 0-1023/48213') },
      content: Object.fromEntries(Object.keys(content).map(type => [type, { schema: {} }])),
    },
    304: {
      description: 'The document still has the tag in If-None-Match.',
      headers: about,
    },
  },
  refusals: () => [
    new RouteNotFound(),
    new NotAcceptable([{ format: 'pdf', contentType: 'application/pdf' }]),
    new PreconditionFailed(),
    new RangeNotSatisfiable(),
  ],
  refusalHeaders: { 416: contentRange(String.raw`^bytes \*/\d+$`, 'bytes */48213') },
  handle: async (req, res, { statements }) => {
    const query = queryOf(req, FORMAT_PARAMETERS);
    const { accountId, docType, statement } = req.params;
    const caller = callerOf(req);
    const documentType = documentTypeOf(docType) as DocumentType;
    const document = await statements.open(caller, accountId, documentType, statement);
    await sendDocument(req, res, query, formsOf(document, caller.program));
  },
});
