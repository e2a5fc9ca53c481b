import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decoded, type Encoding } from './decoded.js';
import { SEPARATOR_LINE, headerLength } from './row-ends.js';

/** A row of CSV. */
export interface CsvRow {
  /** The line of the file on which it begins, counted from 1. Cells in quotes can have several lines. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What is known of a file. The rest is found out. */
export interface CsvDialect {
  readonly separator?: string | null;
  readonly encoding?: Encoding | null;
  /** A longer row ends the reading. */
  readonly maxRowBytes: number;
}

/** The text is no CSV from a line on. The message says why, and repeats nothing of it. */
export class UnreadableCsv extends Error {
  override readonly name = 'UnreadableCsv';
}

/** The separators of spreadsheets, of which the first wins where a header has as many of two. */
const SEPARATORS = [',', ';', '\t', '|'];
/** A header is not longer. */
const MAX_HEAD_CHARACTERS = 64 * 1024;
const IN_QUOTES = /"(?:[^"]|"")*(?:"|$)/g;

/**
 * The rows of CSV (RFC 4180), as Excel and other programs write it: separated by commas, semicolons, tabs or bars, in
 * UTF-8, UTF-16 or Windows-1252. Blank rows are left out, and spaces around cells. Throws `UnreadableCsv`,
 * `WrongEncoding`.
 */
export async function* csvRows(chunks: AsyncIterable<Uint8Array>, dialect: CsvDialect): AsyncGenerator<CsvRow> {
  const texts = decoded(chunks, dialect.encoding ?? undefined);
  const head = await headOf(texts);
  const [separatorLine = '', said] = SEPARATOR_LINE.exec(head) ?? [];
  const delimiter = dialect.separator ?? said ?? separatorOf(head);
  let ends = separatorLine === '' ? 0 : 1;
  let uncounted = ends;
  const begins: number[] = [];
  const parser = parse({
    delimiter,
    relax_column_count: true,
    trim: true,
    max_record_size: dialect.maxRowBytes,
    // It is called as rows are parsed, which is before an error ends the stream with the rows that are waiting in it.
    on_record: (cells: string[], { lines }) => {
      const line = ends + 1;
      uncounted -= doubleCounted(cells);
      ends = lines + uncounted;
      if (cells.every(cell => cell === '')) return null;
      begins.push(line);
      return cells;
    },
  });
  // An error of the source ends the parser, whose reader gets it.
  pipeline(Readable.from(following(head.slice(separatorLine.length), texts)), parser, () => {});
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield { line: begins.shift() ?? 0, cells };
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableCsv(reasonOf(error, ends + 1));
    throw error;
  }
}

/** The beginning of the text up to the end of its first line, and perhaps more. */
async function headOf(texts: AsyncGenerator<string>): Promise<string> {
  let head = '';
  while (head.length < MAX_HEAD_CHARACTERS && headerLength(head) === null) {
    const next = await texts.next();
    if (next.done) break;
    head += next.value;
  }
  return head;
}

function separatorOf(head: string): string {
  const [header = ''] = head.replaceAll(IN_QUOTES, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map(separator => header.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
}

async function* following(head: string, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* texts;
}

/** How many line breaks of the cells the parser counts as two, since they have two characters. */
function doubleCounted(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + cell.split('\r\n').length - 1, 0);
}

function reasonOf({ code }: CsvError, line: number): string {
  const reasons: Readonly<Record<string, string>> = {
    CSV_MAX_RECORD_SIZE: 'is too long. Check that each quote that opens a cell is closed',
    CSV_QUOTE_NOT_CLOSED: 'has a cell whose quote is not closed',
    INVALID_OPENING_QUOTE: 'has a quote inside a cell. Put such a cell in quotes, and double the quotes in it',
    CSV_INVALID_CLOSING_QUOTE: 'has text behind the closing quote of a cell. Double the quotes inside of cells',
  };
  return `The row that begins on line ${line} ${reasons[code] ?? 'is no CSV'}.`;
}
