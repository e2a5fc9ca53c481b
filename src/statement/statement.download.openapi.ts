import { AccountNotFound } from '../account/account.errors.js';
import { ACCOUNT_ID } from '../account/account.openapi.js';
import { NotAcceptable, PreconditionFailed, RangeNotSatisfiable } from '../platform/http/representation.js';
import { RouteNotFound } from '../platform/http/problem.js';
import { ref } from '../platform/input/json-schema.js';
import type { Answer, Header, Operation, Parameter } from '../platform/openapi/operation.js';
import { unknownParameter } from '../platform/openapi/paging.js';
import { inAnyCase } from '../platform/openapi/schema.js';
import { StatementNotFound } from './statement.errors.js';
import { CONTRACT_NAMES } from './statement.row.js';

/** The names of the types of documents. */
export const NAMES_IN_WORDS = Object.values(CONTRACT_NAMES)
  .map(name => `\`${name}\``)
  .join(' or ');

const TAG = '"897857c4a7f4cbed4f1c968d0a26ee560135fc1e6d18b633e7ac0560494dd330"';

const FORM_EXAMPLE = {
  statementId: '77aa7aea-e35a-4a25-8115-4304053766e1',
  taxYear: 2025,
  correctedStatementId: null,
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
  irsReportable: true,
};

const CSV_EXAMPLE =
  'postedOn,transactionId,description,transactionType,direction,amount,balance,currency\r\n' +
  '2025-12-28,demo-1001-2025-0134,Monthly service fee,FEE,DEBIT,6.00,15721.99,USD\r\n';

const parameters: readonly Parameter[] = [
  ACCOUNT_ID,
  {
    ...{ name: 'docType', in: 'path', required: true, example: 'Statements' },
    description: `The type of the document, ${NAMES_IN_WORDS}, in upper or lower case. Any other value is an unknown path.`,
    schema: inAnyCase(Object.values(CONTRACT_NAMES)),
  },
  {
    ...{ name: 'statement', in: 'path', required: true, example: '66fb25d7-6730-48ad-b0e9-8082396d37b0' },
    description: 'The `statementId` that the list gives.',
    schema: { type: 'string', format: 'uuid' },
  },
  header('If-None-Match', 'Answers 304 if the document still has this tag.', TAG),
  header('If-Match', 'Answers 412 if the document does not have this tag.', TAG),
  header(
    'Range',
    'One range of bytes, answered with 206. A request for several ranges is answered with the complete document.',
    'bytes=0-1023',
  ),
  header(
    'If-Range',
    'Answers with the range if the document still has this tag, and with the complete document otherwise.',
    TAG,
  ),
];

function header(name: string, description: string, example: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' }, example };
}

const etag: Header = {
  description: 'SHA-256 of the bytes.',
  required: true,
  schema: { type: 'string', pattern: '^"[0-9a-f]{64}"$' },
  example: TAG,
};
const cacheControl: Header = {
  description: 'The document is private, and no cache may store it.',
  required: true,
  schema: { type: 'string', enum: ['private, no-store'] },
};
const vary: Header = {
  description: 'The content type depends on Accept.',
  required: true,
  schema: { type: 'string', pattern: 'Accept' },
};

const whole: Readonly<Record<string, Header>> = {
  ETag: etag,
  'Cache-Control': cacheControl,
  Vary: vary,
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string', pattern: '^attachment; filename="[A-Za-z0-9.-]+"$' },
    example: 'attachment; filename="statement-2026-10-31.pdf"',
  },
  'Accept-Ranges': {
    description: 'The download supports ranges of bytes.',
    required: true,
    schema: { type: 'string', enum: ['bytes'] },
  },
};

const content: NonNullable<Answer['content']> = {
  'application/pdf': { schema: {} },
  'application/json': {
    schema: { anyOf: [ref('StatementContent'), ref('TaxFormContent')] },
    example: FORM_EXAMPLE,
  },
  'text/csv': {
    schema: {
      type: 'string',
      description: 'The entries, one per line, after a line with the names of the columns (RFC 4180).',
    },
    example: CSV_EXAMPLE,
  },
};

function contentRange(pattern: string, example: string): Header {
  return {
    description: 'The range of these bytes, and the size of the document.',
    required: true,
    schema: { type: 'string', pattern },
    example,
  };
}

/** Contract 4.9. */
export const downloadStatement: Operation = {
  ...{ id: 'downloadStatement', method: 'get', path: '/accounts/{accountId}/{docType}/{statement}' },
  ...{ tag: 'Statements', scope: 'statements.read', summary: 'Download a statement' },
  description:
    'The PDF, unless `Accept` asks for another content type. Documents that this gateway issued are also available as JSON, and the entries of monthly statements as CSV. The document of a partner is available as PDF only.',
  parameters,
  answers: {
    200: { description: 'The document.', headers: whole, content },
    206: {
      description: 'The requested bytes.',
      headers: { ...whole, 'Content-Range': contentRange(String.raw`^bytes \d+-\d+/\d+$`, 'bytes 0-1023/48213') },
      content: { 'application/pdf': { schema: {} }, 'application/json': { schema: {} }, 'text/csv': { schema: {} } },
    },
    304: {
      description: 'The document still has the tag in If-None-Match.',
      headers: { ETag: etag, 'Cache-Control': cacheControl, Vary: vary },
    },
  },
  refusals: () => [
    unknownParameter(),
    new AccountNotFound(),
    new StatementNotFound(),
    new RouteNotFound(),
    new NotAcceptable(['application/pdf']),
    new PreconditionFailed(),
    new RangeNotSatisfiable(),
  ],
  refusalHeaders: { 416: { 'Content-Range': contentRange(String.raw`^bytes \*/\d+$`, 'bytes */48213') } },
};
