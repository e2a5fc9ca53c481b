import { deflateSync } from 'node:zlib';

type Place = { offset: number } | { stream: number; index: number };

export interface Packing {
  /** 15 for the differences of PNG, which the writers of small files use. */
  predictor?: boolean;
  deflated?: boolean;
}

/** Writes PDFs byte by byte, right or wrong: `xref` tables, cross-reference streams, object streams and updates. */
export class PdfWriter {
  private readonly parts: Buffer[] = [];
  private size = 0;
  /** One more than the highest object number. */
  private numbers = 1;
  private places = new Map<number, Place>();
  private previous: number | undefined;

  constructor(header = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n') {
    this.raw(header);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }

  get offset(): number {
    return this.size;
  }

  raw(part: string | Buffer): this {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    this.parts.push(bytes);
    this.size += bytes.length;
    return this;
  }

  object(number: number, body: string): this {
    this.place(number, { offset: this.size });
    return this.raw(`${number} 0 obj\n${body}\nendobj\n`);
  }

  stream(number: number, entries: string, data: Buffer | string, length = `${data.length}`): this {
    this.place(number, { offset: this.size });
    this.raw(`${number} 0 obj\n<< ${entries} /Length ${length} >>\nstream\n`);
    return this.raw(data).raw('\nendstream\nendobj\n');
  }

  objectStream(number: number, objects: Record<number, string>, packing: Packing = {}): this {
    let header = '';
    let body = '';
    for (const [index, [inner, value]] of Object.entries(objects).entries()) {
      header += `${inner} ${body.length} `;
      body += `${value}\n`;
      this.place(Number(inner), { stream: number, index });
    }
    const { entries, data } = packed(Buffer.from(header + body, 'latin1'), 8, packing);
    const count = Object.keys(objects).length;
    return this.stream(number, `/Type /ObjStm /N ${count} /First ${header.length}${entries}`, data);
  }

  /** A classic table with its trailer and the end of the file. */
  table(trailer: string): this {
    const start = this.size;
    this.raw('xref\n0 1\n0000000000 65535 f \n');
    for (const [number, place] of this.places) {
      if ('offset' in place) this.raw(`${number} 1\n${String(place.offset).padStart(10, '0')} 00000 n \n`);
    }
    this.raw(`trailer\n<< /Size ${this.numbers} ${trailer}${this.toPrevious()} >>\n`);
    return this.end(start);
  }

  xrefStream(number: number, trailer: string, packing: Packing = {}): this {
    const start = this.size;
    this.xrefStreamOnly(number, trailer + this.toPrevious(), packing);
    return this.end(start);
  }

  /** A cross-reference stream that something else points to, as in a hybrid file. */
  xrefStreamOnly(number: number, trailer: string, packing: Packing = {}): this {
    this.place(number, { offset: this.size });
    const rows = [...this.places.values()].map(row);
    const index = [...this.places.keys()].map(key => `${key} 1`).join(' ');
    const { entries, data } = packed(Buffer.concat(rows), 6, packing);
    return this.stream(
      number,
      `/Type /XRef /Size ${this.numbers} /W [1 4 1] /Index [${index}] ${trailer}${entries}`,
      data,
    );
  }

  end(start: number): this {
    this.previous = start;
    this.places = new Map();
    return this.raw(`startxref\n${start}\n%%EOF\n`);
  }

  private place(number: number, place: Place): void {
    this.places.set(number, place);
    this.numbers = Math.max(this.numbers, number + 1);
  }

  private toPrevious(): string {
    return this.previous === undefined ? '' : ` /Prev ${this.previous}`;
  }
}

function row(place: Place): Buffer {
  const bytes = Buffer.alloc(6);
  bytes[0] = 'offset' in place ? 1 : 2;
  bytes.writeUInt32BE('offset' in place ? place.offset : place.stream, 1);
  bytes[5] = 'offset' in place ? 0 : place.index;
  return bytes;
}

function packed(plain: Buffer, columns: number, { predictor, deflated = true }: Packing) {
  if (!deflated) return { entries: '', data: plain };
  if (!predictor) return { entries: ' /Filter /FlateDecode', data: deflateSync(plain) };
  const parameters = `/DecodeParms << /Predictor 15 /Columns ${columns} >>`;
  return { entries: ` /Filter [/FlateDecode] ${parameters}`, data: deflateSync(pngFiltered(plain, columns)) };
}

/** Rows with all the filters of PNG in turn; the last row is filled up with spaces. */
function pngFiltered(plain: Buffer, columns: number): Buffer {
  const rows = Math.ceil(plain.length / columns);
  const full = Buffer.concat([plain, Buffer.alloc(rows * columns - plain.length, ' ')]);
  const at = (line: number, column: number) => (line < 0 || column < 0 ? 0 : full[line * columns + column]!);
  const filtered = Buffer.alloc(rows * (columns + 1));
  for (let line = 0; line < rows; line++) {
    filtered[line * (columns + 1)] = line % 5;
    for (let column = 0; column < columns; column++) {
      const [left, up, upLeft] = [at(line, column - 1), at(line - 1, column), at(line - 1, column - 1)];
      const guess = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, upLeft)][line % 5]!;
      filtered[line * (columns + 1) + 1 + column] = at(line, column) - guess;
    }
  }
  return filtered;
}

/** The neighbour that is nearest to `left + up - upLeft`. */
function paeth(left: number, up: number, upLeft: number): number {
  const aim = left + up - upLeft;
  return [left, up, upLeft].reduce((best, next) => (Math.abs(aim - next) < Math.abs(aim - best) ? next : best));
}
