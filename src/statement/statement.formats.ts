import { hash } from 'node:crypto';
import { exactNumber } from '../platform/http/json.js';
import type { Representation } from '../platform/http/representation.js';
import { BOXES_OF_TEXT, type StatementContent, type TaxFormBox, type TaxFormContent } from './statement.content.js';
import type { StatementView } from './statement.entity.js';
import type { OpenDocument } from './statement.service.js';

/**
 * The forms in which a document can be downloaded, the PDF first. A partner's document has no other; only statements
 * have CSV.
 */
export function formsOf(document: OpenDocument): Representation[] {
  const { source, documentType, sha256, sizeBytes } = document.view;
  const name = nameOf(document.view);
  const pdf = {
    contentType: 'application/pdf',
    fileName: `${name}.pdf`,
    measure: async () => ({ sha256, sizeBytes }),
    read: () => document.pdf(),
  };
  if (source === 'PARTNER') return [pdf];
  const json = rendered('application/json; charset=utf-8', `${name}.json`, async () => {
    const content = await document.content();
    return JSON.stringify('boxes' in content ? taxFormToJson(content) : statementToJson(content));
  });
  if (documentType === 'TAX_1099') return [pdf, json];
  const csv = rendered('text/csv; charset=utf-8; header=present', `${name}.csv`, async () =>
    entriesToCsv((await document.content()) as StatementContent),
  );
  return [pdf, json, csv];
}

/** A name for a person. It contains nothing personal and no account number. */
function nameOf({ documentType, statementDate, correctsStatementId }: StatementView): string {
  const name =
    documentType === 'TAX_1099' ? `form-1099-int-${statementDate.slice(0, 4)}` : `statement-${statementDate}`;
  return correctsStatementId === null ? name : `${name}-corrected`;
}

function rendered(contentType: string, fileName: string, render: () => Promise<string>): Representation {
  let bytes: Promise<Buffer> | undefined;
  const read = () => (bytes ??= render().then(text => Buffer.from(text)));
  const measure = async () => ({ sha256: hash('sha256', await read(), 'hex'), sizeBytes: (await read()).length });
  return { contentType, fileName, measure, read };
}

function statementToJson(content: StatementContent): object {
  const { credits, debits, fees, interest, entries } = content;
  const rates = ['paid', 'paidYearToDate', 'averageDailyBalance', 'annualPercentageYieldEarned'] as const;
  return {
    ...withNumbers(content, ['openingBalance', 'closingBalance']),
    credits: withNumbers(credits, ['amount']),
    debits: withNumbers(debits, ['amount']),
    fees: { items: fees.items.map(item => withNumbers(item, ['amount'])), total: exactNumber(fees.total) },
    interest: withNumbers(interest, rates),
    entries: entries.map(entry => withNumbers(entry, ['amount', 'balance'])),
  };
}

/** The same with numbers in place of some of its texts. */
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

const COLUMNS = 'postedOn transactionId description transactionType direction amount balance currency'.split(' ');

/** RFC 4180: one line for each entry below the names of the columns. */
function entriesToCsv({ entries, account: { currency } }: StatementContent): string {
  const lines = entries.map(entry => {
    const { postedOn, transactionId, description, transactionType, direction, amount, balance } = entry;
    return [postedOn, transactionId, description, transactionType, direction, amount, balance, currency];
  });
  return [COLUMNS, ...lines].map(fields => `${fields.map(csvField).join(',')}\r\n`).join('');
}

/** What a spreadsheet takes for the beginning of a formula (OWASP, 'CSV Injection'), also in fullwidth characters. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvField(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return isFormula || NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
