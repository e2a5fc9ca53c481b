import { WrongEncoding, decoded } from '../../../../../lib/csv/decoded.js';
import { ROW_FAULTS, RowReader, UnreadableCsv, linesIn, type CsvForm } from '../../../../../lib/csv/rows.js';
import { bytesOf } from './file-bytes.js';
import { MAX_PIECE_BYTES, MAX_PIECE_LINES, type Fault, type Piece } from './pieces.js';

const HEAD_CHARACTERS = 64 * 1024;
const MAX_HEAD_LINES = 900;
const LINES = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;
const TOO_LONG = `The row is longer than ${MAX_PIECE_BYTES} bytes. Check that each quote that opens a cell is closed.`;

/** True for a file that is CSV by its name. */
export function isCsv({ name }: File): boolean {
  return /\.(csv|tsv)(\.gz)?$/i.test(name);
}

/** The beginning of a file of CSV, for a preview: lines up to some length. Throws `WrongEncoding`. */
export async function headOf(file: File): Promise<string> {
  let text = '';
  for await (const more of decoded(bytesOf(file, () => undefined))) {
    text += more;
    if (text.length > HEAD_CHARACTERS) break;
  }
  const lines = text.match(LINES) ?? [];
  let length = 0;
  for (const line of lines.slice(0, MAX_HEAD_LINES)) {
    if (length > 0 && length + line.length > HEAD_CHARACTERS) break;
    length += line.length;
  }
  return text.slice(0, length);
}

/**
 * Cuts CSV between rows. Each piece begins with the header and the lines before it, by which the gateway reads it. A
 * row that is wrong is in its piece, since the gateway says what is wrong with it.
 */
export async function* csvPiecesOf(
  file: File,
  form: Omit<CsvForm, 'maxRowCharacters'>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Piece, void> {
  const cutter = new Cutter({ ...form, maxRowCharacters: MAX_PIECE_BYTES });
  try {
    for await (const more of decoded(bytesOf(file, onRead))) yield* cutter.take(more);
    yield* cutter.end();
  } catch (error) {
    if (!(error instanceof WrongEncoding || error instanceof UnreadableCsv)) throw error;
    const advice = error instanceof WrongEncoding ? ' Save it as UTF-8 and import it again.' : '';
    yield cutter.stuck(`${error.message}${advice}`);
  }
}

class Cutter {
  private readonly reader: RowReader;
  private head: string | null = null;
  /** The rows that are in no piece yet. */
  private rows: string[] = [];
  private lines = 0;
  private bytes = 0;
  private faults: Fault[] = [];
  /** The line of the file on which the rows begin. */
  private firstLine = 1;

  constructor(form: CsvForm) {
    this.reader = new RowReader(form);
  }

  *take(more: string, isWhole = false): Generator<Piece> {
    for (const { line, lines, text, fault } of this.reader.take(more, isWhole)) {
      if (this.head === null) {
        this.head = `${this.reader.before}${text}`;
        if (fault) throw new UnreadableCsv(`The header ${ROW_FAULTS[fault]}`);
        this.firstLine = line + lines;
        continue;
      }
      const bytes = bytesIn(text);
      const [headLines, headBytes] = [linesIn(this.head), bytesIn(this.head)];
      const isFull = headLines + this.lines + lines > MAX_PIECE_LINES;
      if (isFull || headBytes + this.bytes + bytes > MAX_PIECE_BYTES) yield* this.piece();
      const isTooLong = text === '' || headBytes + bytes > MAX_PIECE_BYTES || headLines + lines > MAX_PIECE_LINES;
      if (isTooLong) this.faults.push({ line, pointer: '', code: 'line_too_long', detail: TOO_LONG });
      this.rows.push(isTooLong ? '\n'.repeat(lines) : text);
      this.lines += lines;
      this.bytes += isTooLong ? lines : bytes;
    }
  }

  *end(): Generator<Piece> {
    yield* this.take('', true);
    yield* this.piece();
  }

  /** Nothing after this line can be imported. */
  stuck(detail: string): Piece {
    const { firstLine: line } = this;
    return { firstLine: line, count: 1, text: '', faults: [{ line, pointer: '', code: 'not_csv', detail }] };
  }

  private *piece(): Generator<Piece> {
    if (this.rows.length === 0 || this.head === null) return;
    const headLines = linesIn(this.head);
    const isBlank = this.rows.every(row => row.trim() === '');
    yield {
      firstLine: this.firstLine - headLines,
      count: headLines + this.lines,
      text: isBlank ? '' : `${this.head}${this.rows.join('')}`,
      faults: this.faults,
    };
    this.firstLine += this.lines;
    [this.rows, this.lines, this.bytes, this.faults] = [[], 0, 0, []];
  }
}

const UTF8 = new TextEncoder();

function bytesIn(text: string): number {
  return UTF8.encode(text).length;
}
