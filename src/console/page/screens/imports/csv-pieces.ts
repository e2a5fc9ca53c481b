import { WrongEncoding, decoded } from '../../../../../lib/csv/decoded.js';
import { headerLength, rowEnds } from '../../../../../lib/csv/row-ends.js';
import { bytesOf } from './file-bytes.js';
import { MAX_PIECE_BYTES, MAX_PIECE_LINES, type Fault, type Piece } from './pieces.js';

const PREVIEW_ROWS = 10;
const TOO_LONG = `The row is longer than ${MAX_PIECE_BYTES} bytes. Check that each quote that opens a cell is closed.`;

/** Whether a file is CSV by its name. */
export function isCsv({ name }: File): boolean {
  return /\.(csv|tsv)(\.gz)?$/i.test(name);
}

/** The header and the first rows of CSV, for a preview. Throws `WrongEncoding`. */
export async function headOf(file: File): Promise<string> {
  let text = '';
  for await (const more of decoded(bytesOf(file, () => undefined))) {
    text += more;
    const head = firstRows(text);
    if (head !== null) return head;
    if (text.length > MAX_PIECE_BYTES) break;
  }
  return text;
}

/** Null where more of the text is needed. */
function firstRows(text: string): string | null {
  const start = headerLength(text);
  if (start === null) return null;
  let rows = 0;
  for (const end of rowEnds(text.slice(start))) {
    rows += 1;
    if (rows === PREVIEW_ROWS) return text.slice(0, start + end);
  }
  return null;
}

/** Cuts CSV between rows. Each piece begins with the header, by which the gateway reads it. */
export async function* csvPiecesOf(file: File, onRead: (bytes: number) => void): AsyncGenerator<Piece, void> {
  const cutter = new Cutter();
  try {
    for await (const more of decoded(bytesOf(file, onRead))) {
      yield* cutter.take(more);
      if (!cutter.isStuck) continue;
      yield cutter.stuck(TOO_LONG, 'line_too_long');
      return;
    }
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error;
    yield cutter.stuck(`${error.message} Save it as UTF-8 and import it again.`, 'not_csv');
    return;
  }
  yield* cutter.end();
}

class Cutter {
  private head: string | null = null;
  private headLines = 0;
  /** What has come and is in no piece; it begins with a row. */
  private text = '';
  /** The line of the file on which the text begins. */
  private line = 1;

  get isStuck(): boolean {
    return this.text.length > MAX_PIECE_BYTES;
  }

  *take(more: string): Generator<Piece> {
    this.text += more;
    if (this.head === null) {
      const length = headerLength(this.text);
      if (length === null) return;
      this.head = this.text.slice(0, length);
      this.text = this.text.slice(length);
      this.headLines = linesIn(this.head);
      this.line += this.headLines;
    }
    const headBytes = bytesIn(this.head);
    let [start, end, lines, bytes] = [0, 0, this.headLines, headBytes];
    for (const next of rowEnds(this.text)) {
      const row = this.text.slice(end, next);
      const [rowLines, rowBytes] = [linesIn(row), bytesIn(row)];
      if (end > start && (lines + rowLines > MAX_PIECE_LINES || bytes + rowBytes > MAX_PIECE_BYTES)) {
        yield this.piece(this.text.slice(start, end));
        [start, lines, bytes] = [end, this.headLines, headBytes];
      }
      [end, lines, bytes] = [next, lines + rowLines, bytes + rowBytes];
    }
    if (end > start) yield this.piece(this.text.slice(start, end));
    this.text = this.text.slice(end);
  }

  /** The last row may have no line break. */
  *end(): Generator<Piece> {
    if (this.text.trim() !== '' && this.head !== null) yield this.piece(this.text);
  }

  /** Nothing after this line can be imported. */
  stuck(detail: string, code: string): Piece {
    return { firstLine: this.line, count: 1, text: '', faults: [{ line: this.line, pointer: '', code, detail }] };
  }

  private piece(rows: string): Piece {
    const { head, headLines, line } = this;
    const [count, text] = [headLines + linesIn(rows), `${head}${rows}`];
    const firstLine = line - headLines;
    this.line += linesIn(rows);
    const faults: Fault[] = [];
    if (count <= MAX_PIECE_LINES && bytesIn(text) <= MAX_PIECE_BYTES) return { firstLine, count, text, faults };
    return { firstLine, count, text: '', faults: [{ line, pointer: '', code: 'line_too_long', detail: TOO_LONG }] };
  }
}

/** A row whose line break is missing has a line all the same. */
function linesIn(text: string): number {
  return (text.match(/\r\n|\n|\r/g)?.length ?? 0) + (/[\r\n]$/.test(text) ? 0 : 1);
}

const UTF8 = new TextEncoder();

function bytesIn(text: string): number {
  return UTF8.encode(text).length;
}
