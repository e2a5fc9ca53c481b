import { hash } from 'node:crypto';
import { REPORT_FORMATS, bytesOf, type ReportFormat } from '../../../lib/account-report/formats.js';
import { exactNumber } from '../../platform/http/json.js';
import type { Representation } from '../../platform/http/representation.js';
import { BOXES_OF_TEXT, type StatementContent, type TaxFormBox, type TaxFormContent } from './statement.content.js';
import type { StatementView } from './statement.entity.js';
import { statementReport } from './statement.report.js';
import type { OpenDocument } from './statement.parts.js';

/**
 * The forms in which a document can be downloaded, the PDF first. A partner's document has no other; only statements
 * have those of `REPORT_FORMATS`. `program` is that of the account.
 */
export function formsOf(document: OpenDocument, program: string): Representation[] {
  const { source, documentType, sha256, sizeBytes } = document.view;
  const name = nameOf(document.view);
  const pdf = {
    format: 'pdf',
    contentType: 'application/pdf',
    fileName: `${name}.pdf`,
    measure: async () => ({ sha256, sizeBytes }),
    read: () => document.pdf(),
  };
  if (source === 'PARTNER') return [pdf];
  const json = rendered('json', 'application/json; charset=utf-8', `${name}.json`, async () => {
    const content = await document.content();
    return Buffer.from(JSON.stringify('boxes' in content ? taxFormToJson(content) : statementToJson(content)));
  });
  if (documentType === 'TAX_1099') return [pdf, json];
  const reports = Object.entries<ReportFormat>(REPORT_FORMATS).map(([format, written]) => {
    const { contentType, extension } = written;
    const render = async (bom: boolean): Promise<Buffer> => {
      const content = (await document.content()) as StatementContent;
      return wholeOf(bytesOf(written, statementReport(document.view, content, program), bom));
    };
    const form = rendered(format, contentType, `${name}${extension}`, () => render(false));
    return { ...form, withMark: rendered(format, contentType, `${name}${extension}`, () => render(true)) };
  });
  return [pdf, json, ...reports];
}

/** A name for a person. It contains nothing personal and no account number. */
function nameOf({ documentType, statementDate, correctsStatementId }: StatementView): string {
  const name =
    documentType === 'TAX_1099' ? `form-1099-int-${statementDate.slice(0, 4)}` : `statement-${statementDate}`;
  return correctsStatementId === null ? name : `${name}-corrected`;
}

function rendered(
  format: string,
  contentType: string,
  fileName: string,
  render: () => Promise<Buffer>,
): Representation {
  let bytes: Promise<Buffer> | undefined;
  const read = () => (bytes ??= render());
  const measure = async () => ({ sha256: hash('sha256', await read(), 'hex'), sizeBytes: (await read()).length });
  return { format, contentType, fileName, measure, read };
}

/** A statement has a limit of entries, so it may be in memory as a whole. */
async function wholeOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

function statementToJson(content: StatementContent): object {
  const { credits, debits, fees, overdraft, interest, entries } = content;
  const rates = ['paid', 'paidYearToDate', 'averageDailyBalance', 'annualPercentageYieldEarned'] as const;
  return {
    ...withNumbers(content, ['openingBalance', 'closingBalance']),
    credits: withNumbers(credits, ['amount']),
    debits: withNumbers(debits, ['amount']),
    fees: {
      items: fees.items.map(item => withNumbers(item, ['amount'])),
      total: exactNumber(fees.total),
      ...(fees.totalYearToDate !== undefined && { totalYearToDate: exactNumber(fees.totalYearToDate) }),
    },
    ...(overdraft && {
      overdraft: {
        fees: withNumbers(overdraft.fees, ['period', 'yearToDate']),
        returnedItemFees: withNumbers(overdraft.returnedItemFees, ['period', 'yearToDate']),
      },
    }),
    interest: withNumbers(interest, rates),
    entries: entries.map(entry => withNumbers(entry, ['amount', 'balance'])),
  };
}

/** Content with JSON numbers in place of the decimal texts under these names. */
function withNumbers<T extends object, Name extends keyof T & string>(
  content: T & Readonly<Record<Name, string | null>>,
  names: readonly Name[],
): object {
  const numbers: Partial<Record<string, object | null>> = {};
  for (const name of names) numbers[name] = content[name] === null ? null : exactNumber(content[name]);
  return { ...content, ...numbers };
}

function taxFormToJson(content: TaxFormContent): object {
  const amounts = Object.keys(content.boxes).filter(box => !BOXES_OF_TEXT.has(Number(box) as TaxFormBox));
  return { ...content, boxes: withNumbers<Record<string, string>, string>(content.boxes, amounts) };
}
