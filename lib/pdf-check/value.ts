/** With its escapes resolved: `/J#61vaScript` and `/JavaScript` are the same (ISO 32000-2, 7.3.5). */
export type Name = string;

/** The objects of a PDF (ISO 32000-2, 7.3), as far as the check needs them. */
export type PdfValue = null | boolean | number | Name | Text | Ref | Dict | readonly PdfValue[];

export type Dict = ReadonlyMap<string, PdfValue>;

/** An indirect reference, `12 0 R`. */
export class Ref {
  readonly number: number;
  readonly generation: number;
  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** A string, by where it is: most strings are of no interest, and a file may hold ten million bytes of them. */
export class Text {
  private readonly bytes: Buffer;
  private readonly start: number;
  private readonly end: number;
  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  get writtenBytes(): number {
    return this.end - this.start;
  }

  /** The bytes of the string, one character each, with escapes resolved (ISO 32000-2, 7.3.4). */
  decoded(): string {
    const raw = this.bytes.toString('latin1', this.start + 1, this.end - 1);
    return this.bytes[this.start] === 0x28 ? unescaped(raw) : fromHex(raw);
  }
}

export function isDict(value: PdfValue | undefined): value is Dict {
  return value instanceof Map;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(raw: string): string {
  return raw.replace(/\\(\r\n|[0-7]{1,3}|[^])/g, (_, escape: string) => {
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8) & 0xff);
    if (/^[\r\n]/.test(escape)) return '';
    return ESCAPES[escape] ?? escape;
  });
}

function fromHex(raw: string): string {
  const digits = raw.replace(/[^\dA-Fa-f]/g, '');
  return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1');
}
