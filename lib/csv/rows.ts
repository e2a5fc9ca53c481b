/** A row of CSV. */
export interface CsvRow {
  /** The line of the file on which it begins, counted from 1. Cells in quotes can have several lines. */
  readonly line: number;
  /** The number of lines that the row takes. */
  readonly lines: number;
  /** As it is in the file, with its line break. */
  readonly text: string;
  readonly cells: readonly string[];
  /** Why the row cannot be read; null where its cells are right. */
  readonly fault: RowFault | null;
}

/** A fault that makes a row unreadable. */
export type RowFault = 'too long' | 'too many cells' | 'not closed' | 'quote inside' | 'text behind quote';

/** More columns than a record has fields, so that whoever looks at each cell of a row has an end. */
export const MAX_CELLS = 1000;

/** The end of a sentence about the row for each fault. It repeats nothing of the row. */
export const ROW_FAULTS: Readonly<Record<RowFault, string>> = {
  'too long': 'is too long. Check that each quote that opens a cell is closed.',
  'too many cells': `has more than ${MAX_CELLS} cells. Check which character separates them.`,
  'not closed': 'has a cell whose quote is not closed.',
  'quote inside': 'has a quote inside a cell. Put such a cell in quotes, and double the quotes in it.',
  'text behind quote': 'has text behind the closing quote of a cell. Double the quotes inside of cells.',
};

/** The form of the text, as far as the caller knows it; the reader finds out the rest. */
export interface CsvForm {
  readonly separator?: string | null | undefined;
  /** The line of the header, counted from 1; the first one that is not blank when absent. */
  readonly headerLine?: number | null | undefined;
  /** A longer row has a fault. */
  readonly maxRowCharacters: number;
}

/** The text has no header that can be read. The message says why, and repeats nothing of it. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
}

/** Excel reads the separator from such a line before the header, and leaves it out. */
const SEPARATOR_LINE = /^sep=([^\r\n])(?:\r\n|\n|\r)/;
/** The separators of spreadsheets, of which the first wins where a header has as many of two. */
const SEPARATORS = [',', ';', '\t', '|'];
const IN_QUOTES = /"(?:[^"]|"")*(?:"|$)/g;
const LINE_BREAK = /\r\n|\n|\r/g;
const [QUOTE, LF, CR, SPACE, TAB] = [0x22, 0x0a, 0x0d, 0x20, 0x09];

/**
 * Reads the rows of CSV (RFC 4180) from the header on, from texts as they come: line breaks of any kind, spaces around
 * cells. A fault ends one row and not the file: where a quote leaves the end of a row open, the row ends with its first
 * line. What was read in vain has no quote that opens a cell, so no part is read more than a few times.
 */
export class RowReader {
  /** The lines before the header, as they are in the file. */
  before = '';
  /** The code of what separates cells; null before the header is found. */
  private cut: number | null = null;
  private text = '';
  private line = 1;
  /** A row was given as too long before its end had come. */
  private isSkipping = false;
  /** State of the row that is being read: its cells so far, and its fault. */
  private at = 0;
  private cells: string[] = [];
  private fault: RowFault | null = null;
  private isOneLine = true;

  constructor(private readonly form: CsvForm) {}

  /** The header and the rows that end here, also blank ones. Throws `UnreadableCsv`. */
  *take(more: string, isWhole = false): Generator<CsvRow> {
    this.text += more;
    if (this.cut === null && !this.findHeader(isWhole)) return;
    const { maxRowCharacters } = this.form;
    let at = 0;
    while (at < this.text.length) {
      if (this.isSkipping) {
        const end = lineEnd(this.text, at, isWhole);
        // A `\r` at the end may be half of a line break.
        if (end === null) at = this.text.endsWith('\r') ? this.text.length - 1 : this.text.length;
        if (end === null) break;
        at = end;
        this.isSkipping = false;
        continue;
      }
      const row = this.rowAt(at, isWhole);
      if (row) at += row.text.length;
      else if (this.text.length - at <= maxRowCharacters) break;
      else this.isSkipping = true;
      const { line } = this;
      this.line += row?.lines ?? 1;
      yield row ?? { line, lines: 1, text: '', cells: [], fault: 'too long' };
    }
    this.text = this.text.slice(at);
  }

  private findHeader(isWhole: boolean): boolean {
    const { headerLine, separator, maxRowCharacters } = this.form;
    const [separatorLine = '', said] = SEPARATOR_LINE.exec(this.text) ?? [];
    let start = separatorLine.length;
    let line = separatorLine === '' ? 1 : 2;
    for (;;) {
      const end = lineEnd(this.text, start, isWhole);
      if (end === null || end === start) break;
      const header = this.text.slice(start, end);
      if (line >= (headerLine ?? 1) && header.trim() !== '') {
        this.cut = (separator ?? said ?? separatorOf(header)).charCodeAt(0);
        this.before = this.text.slice(0, start);
        this.text = this.text.slice(start);
        this.line = line;
        return true;
      }
      [start, line] = [end, line + 1];
    }
    if (this.text.length > maxRowCharacters) throw new UnreadableCsv(`The header ${ROW_FAULTS['too long']}`);
    if (isWhole && headerLine && this.text.trim() !== '') {
      throw new UnreadableCsv(`The file has no header on line ${headerLine} or after it. Correct headerLine.`);
    }
    return false;
  }

  /** The row that begins at a place; null where more of the text is needed. */
  private rowAt(start: number, isWhole: boolean): CsvRow | null {
    const { text, cut } = this;
    [this.at, this.cells, this.fault, this.isOneLine] = [start, [], null, true];
    for (;;) {
      this.skipSpaces();
      if (text.charCodeAt(this.at) === QUOTE) {
        const open = this.quotedCell(start, isWhole);
        if (open === 'more') return null;
        if (open !== null) return this.endedByLine(start, open, isWhole);
      } else this.plainCell();
      if (text.charCodeAt(this.at) !== cut) break;
      this.at += 1;
    }
    const end = lineEnd(text, this.at, isWhole);
    if (end === null) return null;
    if (end - start > this.form.maxRowCharacters) return this.endedByLine(start, 'too long', isWhole);
    const { line, cells, fault, isOneLine } = this;
    const row = text.slice(start, end);
    return { line, lines: isOneLine ? 1 : linesIn(row), text: row, cells, fault };
  }

  /** A row whose end its quotes do not say ends with its first line. */
  private endedByLine(start: number, fault: RowFault, isWhole: boolean): CsvRow | null {
    const end = lineEnd(this.text, start, isWhole);
    return end === null ? null : { line: this.line, lines: 1, text: this.text.slice(start, end), cells: [], fault };
  }

  /** Reads up to what ends the cell. Gives what is wrong with it, or that more of the text is needed. */
  private quotedCell(start: number, isWhole: boolean): RowFault | 'more' | null {
    const { text } = this;
    const from = this.at + 1;
    const close = closingQuote(text, this.at);
    if ((close ?? text.length) - start > this.form.maxRowCharacters) return 'too long';
    if (close === null) return isWhole ? 'not closed' : 'more';
    this.at = close + 1;
    this.skipSpaces();
    if (this.at === text.length && !isWhole) return 'more';
    const code = text.charCodeAt(this.at);
    if (this.at < text.length && code !== this.cut && code !== LF && code !== CR) return 'text behind quote';
    const cell = text.slice(from, close).replaceAll('""', '"');
    this.isOneLine &&= !/[\r\n]/.test(cell);
    this.addCell(cell);
    return null;
  }

  private plainCell(): void {
    const { text, cut, at: from } = this;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === cut || code === LF || code === CR) break;
      if (code === QUOTE) this.fault ??= 'quote inside';
    }
    this.at = at;
    this.addCell(text.slice(from, at).trim());
  }

  private addCell(cell: string): void {
    if (this.cells.length < MAX_CELLS) this.cells.push(cell);
    else this.fault ??= 'too many cells';
  }

  private skipSpaces(): void {
    const { text, cut } = this;
    for (let code = text.charCodeAt(this.at); code === SPACE || code === TAB; code = text.charCodeAt(++this.at)) {
      if (code === cut) return;
    }
  }
}

function separatorOf(header: string): string {
  const unquoted = header.replaceAll(IN_QUOTES, '');
  const counts = SEPARATORS.map(separator => unquoted.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

/** The place of the quote that closes a cell; null for none. Two quotes in a cell are one of its text. */
function closingQuote(text: string, open: number): number | null {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) close = text.indexOf('"', close + 2);
  return close === -1 ? null : close;
}

/** The place behind the line at a place; null where more of the text is needed, since a `\n` may follow a `\r`. */
function lineEnd(text: string, from: number, isWhole: boolean): number | null {
  LINE_BREAK.lastIndex = from;
  const found = LINE_BREAK.exec(text);
  if (found && (found[0] !== '\r' || LINE_BREAK.lastIndex < text.length || isWhole)) return LINE_BREAK.lastIndex;
  return isWhole ? text.length : null;
}

/** The number of lines that a text has. The last one may lack its line break. */
export function linesIn(text: string): number {
  return (text.match(LINE_BREAK)?.length ?? 0) + (/[\r\n]$/.test(text) ? 0 : 1);
}
