import type { AccountReport } from './report.js';

const COLUMNS = 'postedOn transactionId description transactionType direction amount balance currency'.split(' ');

/** RFC 4180: one line for each entry below the names of the columns. */
export async function* csv(report: AccountReport): AsyncGenerator<string> {
  const { currency, decimalOf } = report.account;
  yield csvLine(COLUMNS);
  for await (const entries of report.entries('ledger')) {
    const lines = entries.map(({ day, id, description, type, direction, amountMinor, balanceMinor }) =>
      csvLine([day, id, description, type, direction, decimalOf(amountMinor), decimalOf(balanceMinor), currency]),
    );
    yield lines.join('');
  }
}

/** A line of RFC 4180. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
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
