import { hash } from 'node:crypto';
import { exactNumber } from '../platform/http/json.js';
import type { Representation } from '../platform/http/representation.js';
import type { StatementContent, TaxFormBox, TaxFormContent, Total } from './statement.content.js';
import type { StatementView } from './statement.entity.js';
import type { OpenDocument } from './statement.service.js';

/** The forms in which a document can be downloaded, the PDF first. Only what was issued here has others, and only statements have entries. */
export function formsOf(document: OpenDocument): Representation[] {
  const { view } = document;
  const { sha256, sizeBytes } = view;
  const name = nameOf(view);
  const pdf = {
    contentType: 'application/pdf',
    fileName: `${name}.pdf`,
    measure: async () => ({ sha256, sizeBytes }),
    read: () => document.pdf(),
  };
  if (view.source === 'PARTNER') return [pdf];
  const json = rendered('application/json; charset=utf-8', `${name}.json`, async () => {
    const content = await document.content();
    return JSON.stringify('boxes' in content ? taxFormToJson(content) : statementToJson(content));
  });
  if (view.documentType === 'TAX_1099') return [pdf, json];
  const csv = rendered('text/csv; charset=utf-8; header=present', `${name}.csv`, async () =>
    entriesToCsv((await document.content()) as StatementContent),
  );
  return [pdf, json, csv];
}

/** What a person calls the document. Nothing of it is personal, and no account number either. */
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
  const { openingBalance, closingBalance, credits, debits, fees, interest, entries } = content;
  const { annualPercentageYieldEarned } = interest;
  return {
    ...content,
    openingBalance: exactNumber(openingBalance),
    closingBalance: exactNumber(closingBalance),
    credits: totalToJson(credits),
    debits: totalToJson(debits),
    fees: { items: fees.items.map(totalToJson), total: exactNumber(fees.total) },
    interest: {
      paid: exactNumber(interest.paid),
      paidYearToDate: exactNumber(interest.paidYearToDate),
      averageDailyBalance: exactNumber(interest.averageDailyBalance),
      annualPercentageYieldEarned:
        annualPercentageYieldEarned === null ? null : exactNumber(annualPercentageYieldEarned),
    },
    entries: entries.map(entry => ({
      ...entry,
      amount: exactNumber(entry.amount),
      balance: exactNumber(entry.balance),
    })),
  };
}

function totalToJson<T extends Total>(total: T): object {
  return { ...total, amount: exactNumber(total.amount) };
}

/** A country, a CUSIP number, a state, and the payer's number there: what is in these boxes is no amount, even where it is a number. */
const BOXES_OF_TEXT: ReadonlySet<TaxFormBox> = new Set<TaxFormBox>([7, 14, 15, 16]);

function taxFormToJson(content: TaxFormContent): object {
  const boxes = Object.entries(content.boxes).map(([box, value]) => {
    const isText = BOXES_OF_TEXT.has(Number(box) as TaxFormBox);
    return [box, isText ? value : exactNumber(value)];
  });
  return { ...content, boxes: Object.fromEntries(boxes) as object };
}

const COLUMNS = [
  'postedOn',
  'transactionId',
  'description',
  'transactionType',
  'direction',
  'amount',
  'balance',
] as const;

/** RFC 4180: one line for each entry below the names of the columns. */
function entriesToCsv({ entries, account: { currency } }: StatementContent): string {
  const lines = entries.map(entry => [...COLUMNS.map(column => entry[column]), currency]);
  return [[...COLUMNS, 'currency'], ...lines].map(fields => `${fields.map(csvField).join(',')}\r\n`).join('');
}

/** What a spreadsheet takes for the beginning of a formula (OWASP, 'CSV Injection'), in the wide letters of East Asia, too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;

function csvField(text: string): string {
  const isFormula = FORMULA.test(text) && !PLAIN_NUMBER.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return isFormula || NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
