/**
 * The characters that spreadsheets take for the beginning of a formula (OWASP, 'CSV Injection'), and these signs in
 * other widths.
 */
const SIGNS = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b';
/** Spaces, characters that do not show, and quotes may stand before it: some readers drop them. */
const FORMULA = new RegExp(`^[\\s\\p{C}"]*[${SIGNS}]`, 'u');
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;
/** Semicolons and tabs separate cells for spreadsheets in many countries, whatever the file says. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
const SEPARATORS = /[;\t\r\n]/;
const CELLS = /[^;\t\r\n]+/g;

/** A line of RFC 4180. No spreadsheet computes any part of it, also if it takes semicolons or tabs for separators. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(text: string): string {
  const harmless = SEPARATORS.test(text) ? text.replace(CELLS, harmlessCell) : harmlessCell(text);
  return harmless !== text || NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Quotes do not help, since a reader with other separators does not know them: an apostrophe makes a formula a text.
 */
function harmlessCell(cell: string): string {
  return FORMULA.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell;
}
