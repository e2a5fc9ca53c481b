import { parameter, type Answer, type Parameter } from '../../../platform/openapi/operation.js';
import { oneOf } from '../../../platform/openapi/schema.js';
import { header } from '../../../platform/openapi/headers.js';

/** The formats of accounting programs, as the routes that have them tell of them. */

const CSV_EXAMPLE =
  'postedOn,transactionId,description,transactionType,direction,amount,balance,currency,memo,signedAmount\r\n' +
  '2025-12-28,demo-1001-2025-0134,Monthly service fee,FEE,DEBIT,6.00,15721.99,USD,,-6.00\r\n';

const text = (description: string, example: string, pattern?: string) => ({
  schema: { type: 'string', description, ...(pattern !== undefined && { pattern }) },
  example,
});

/** The bodies of `REPORT_FORMATS`. Both versions of OFX have one content type, with different parameters. */
export const REPORT_CONTENT = {
  'text/csv': text('The entries, one per line, after a line with the names of the columns (RFC 4180).', CSV_EXAMPLE),
  'application/x-camt.053+xml': text(
    'ISO 20022 BankToCustomerStatement, camt.053.001.08.',
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">...</Document>\n',
    '^<[?]xml ',
  ),
  'application/x-ofx': text(
    'OFX 2.2 (`version=2.2`), or OFX 1.0.2 (`version=1.0.2`).',
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r\n<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\r\n<OFX>...</OFX>\r\n',
    '^(<[?]xml |OFXHEADER:100)',
  ),
  'application/x-bai2': text(
    'BAI2: Cash Management Balance Reporting Specifications, version 2.',
    '01,demo,demo-1001,260101,0500,379527102,,,2/\r\n02,,demo,1,251228,2359,USD,2/\r\n03,demo-1001,USD,010,1572799,,/\r\n...\r\n',
    '^01,',
  ),
} as const satisfies Answer['content'];

/** The history of a program. */
export const PROGRAM_HISTORY_CSV = text(
  'The transactions, one per line, after a line with the names of the columns (RFC 4180).',
  'accountId,transactionId,postedTimestamp,transactionTimestamp,status,category,transactionType,debitCreditMemo,amount,availableBalance,currency,description,memo,signedAmount\r\n' +
    'demo-1001,demo-1001-2025-0134,2025-12-28T20:57:00.000Z,2025-12-28T20:57:00.000Z,POSTED,OTHER,FEE,DEBIT,6.00,15721.99,USD,Monthly service fee,,-6.00\r\n',
);

/** The parameters that choose a format, of these. */
export function formatParameters(names: readonly string[], whole: string, example = 'camt.053'): Parameter[] {
  return [
    parameter('query', 'format', `${whole} It goes before \`Accept\`.`, oneOf(names, 'The format.'), example),
    parameter('query', 'bom', 'Puts a byte order mark before CSV, by which Excel knows UTF-8. Only with CSV.', {
      type: 'boolean',
      default: false,
    }),
  ];
}

/** The name of a file, where the answer is one. */
export const FILE_NAME = header(
  'The name of the file, where the answer is a file.',
  { pattern: '^attachment; filename="[A-Za-z0-9.-]+"$' },
  'attachment; filename="transactions-2025-12-01-2025-12-31.ofx"',
);
