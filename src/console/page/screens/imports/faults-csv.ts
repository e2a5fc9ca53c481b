import type { Fault } from './pieces.js';

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** RFC 4180, with a byte order mark by which spreadsheets know UTF-8. */
export function faultsCsv(faults: readonly Fault[]): Blob {
  const lines = faults.map(({ line, pointer, code, detail }) => csvLine([String(line), pointer, code, detail]));
  return new Blob(['\ufeff', csvLine(['line', 'field', 'reason', 'detail']), ...lines], { type: 'text/csv' });
}

function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return harmless !== text || NEEDS_QUOTES.test(text) ? `"${harmless.replaceAll('"', '""')}"` : text;
}

/** Has the browser keep a file. */
export function saveAs(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
