import { type Budget, Unreadable } from './problem.js';

const SPACE = 1;
const DELIMITER = 2;
const DIGIT = 4;
const NUMERIC = 8;
const HEX = 16;

/** The kind of each byte in the syntax of a PDF (ISO 32000-2, 7.2.3). */
const KIND = new Uint8Array(256);
for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) KIND[byte] = SPACE;
for (const byte of Buffer.from('()<>[]{}/%')) KIND[byte] = DELIMITER;
for (const byte of Buffer.from('ABCDEFabcdef')) KIND[byte] = HEX;
for (const byte of Buffer.from('0123456789')) KIND[byte] = DIGIT | NUMERIC | HEX;
for (const byte of Buffer.from('+-.')) KIND[byte] = NUMERIC;

const [LF, CR, PERCENT, SLASH, HASH, BACKSLASH] = [0x0a, 0x0d, 0x25, 0x2f, 0x23, 0x5c];
const [ROUND, ROUND_END, ANGLE, ANGLE_END, SQUARE, SQUARE_END] = [0x28, 0x29, 0x3c, 0x3e, 0x5b, 0x5d];

/** The words that stand for objects (ISO 32000-2, 7.3.2 and 7.3.9). */
const CONSTANTS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
/** The longest word of the syntax is `startxref`. */
const MAX_KEYWORD_BYTES = 16;
/** Eight times what PDF 1.7 allowed (ISO 32000-1, annex C). */
const MAX_NAME_BYTES = 1_024;
/** Direct objects in direct objects. Writers stay far below, and each level takes a part of the stack. */
export const MAX_DEPTH = 64;
/** A dictionary takes as much memory as this many plain values, and each of its entries as much time. */
const DICT_STEPS = 8;
const ENTRY_STEPS = 2;

/** With its escapes resolved: `/J#61vaScript` and `/JavaScript` are the same (ISO 32000-2, 7.3.5). */
export type Name = string;

/** The objects of a PDF (ISO 32000-2, 7.3), as far as the check needs them. */
export type PdfValue = null | boolean | number | Name | Text | Ref | Dict | readonly PdfValue[];

export type Dict = ReadonlyMap<string, PdfValue>;

/** An indirect reference, `12 0 R`. */
export class Ref {
  constructor(
    readonly number: number,
    readonly generation: number,
  ) {}
}

/** A string, by where it is: most strings are of no interest, and a file may hold ten million bytes of them. */
export class Text {
  constructor(
    private readonly bytes: Buffer,
    private readonly start: number,
    private readonly end: number,
  ) {}

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

/**
 * Reads the objects of a PDF from front to back, and shows each dictionary, inner ones first, to `visit`. It goes by
 * the letter of the syntax and mends nothing: where readers would guess differently, it throws `Unreadable`.
 */
export class Reader {
  position = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly budget: Budget,
    private readonly visit: (dict: Dict) => void,
  ) {}

  /** Skips white space and comments (ISO 32000-2, 7.2.4). False at the end of the bytes. */
  skipSpace(): boolean {
    const { bytes } = this;
    while (this.position < bytes.length) {
      const byte = bytes[this.position]!;
      if (byte === PERCENT) this.skipLine();
      else if (KIND[byte] === SPACE) this.position++;
      else return true;
    }
    return false;
  }

  /** A word such as `obj`; empty where there is none. */
  keyword(): string {
    this.budget.spend(1);
    this.skipSpace();
    const start = this.position;
    while (this.isRegular(this.position)) this.position++;
    return this.bytes.toString('latin1', start, Math.min(this.position, start + MAX_KEYWORD_BYTES));
  }

  expect(keyword: string): void {
    if (this.keyword() !== keyword) throw new Unreadable('damaged');
  }

  atDigit(): boolean {
    return (KIND[this.bytes[this.position] ?? 0]! & DIGIT) !== 0;
  }

  /** A whole number without a sign. */
  integer(): number {
    this.budget.spend(1);
    this.skipSpace();
    const found = this.digits();
    if (found === undefined) throw new Unreadable('damaged');
    return found;
  }

  /** Any object but a stream, whose data follow its dictionary. */
  value(depth = 0): PdfValue {
    this.budget.spend(1);
    if (depth > MAX_DEPTH) throw new Unreadable('uncheckable');
    this.skipSpace();
    const { bytes, position } = this;
    const byte = bytes[position];
    if (byte === SLASH) return this.name();
    if (byte === ROUND) return this.literal();
    if (byte === SQUARE) return this.array(depth);
    if (byte === ANGLE) return bytes[position + 1] === ANGLE ? this.dict(depth) : this.hex();
    if (byte !== undefined && KIND[byte]! & NUMERIC) return this.numberOrRef();
    const constant = CONSTANTS.get(this.keyword());
    if (constant === undefined) throw new Unreadable('damaged');
    return constant;
  }

  private numberOrRef(): number | Ref {
    const start = this.position;
    const number = this.digits();
    if (number === undefined) {
      while (KIND[this.bytes[this.position] ?? 0]! & NUMERIC) this.position++;
      if (this.isRegular(this.position)) throw new Unreadable('damaged');
      return Number(this.bytes.toString('latin1', start, this.position));
    }
    const after = this.position;
    if (this.skipSpace() && this.atDigit()) {
      const generation = this.digits();
      if (generation !== undefined && this.skipSpace() && this.bytes[this.position] === 0x52) {
        this.position++;
        if (!this.isRegular(this.position)) return new Ref(number, generation);
      }
    }
    this.position = after;
    return number;
  }

  /** Undefined, and nothing read, where the digits are part of something else. */
  private digits(): number | undefined {
    const start = this.position;
    let number = 0;
    let end = start;
    for (; KIND[this.bytes[end] ?? 0]! & DIGIT; end++) number = number * 10 + (this.bytes[end]! - 0x30);
    if (end === start || this.isRegular(end)) return undefined;
    this.position = end;
    return number;
  }

  private name(): Name {
    const start = ++this.position;
    let escaped = false;
    for (; this.isRegular(this.position); this.position++) escaped ||= this.bytes[this.position] === HASH;
    if (this.position - start > MAX_NAME_BYTES) throw new Unreadable('uncheckable');
    const raw = this.bytes.toString('latin1', start, this.position);
    if (!escaped) return raw;
    return raw.replace(/#([\dA-Fa-f]{2})/g, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }

  private literal(): Text {
    const start = this.position;
    let open = 0;
    for (; this.position < this.bytes.length; this.position++) {
      const byte = this.bytes[this.position];
      if (byte === BACKSLASH) this.position++;
      else if (byte === ROUND) open++;
      else if (byte === ROUND_END && --open === 0) return new Text(this.bytes, start, ++this.position);
    }
    throw new Unreadable('damaged');
  }

  private hex(): Text {
    const start = this.position++;
    while (this.position < this.bytes.length && KIND[this.bytes[this.position]!]! & (HEX | SPACE)) this.position++;
    this.take(ANGLE_END);
    return new Text(this.bytes, start, this.position);
  }

  private array(depth: number): PdfValue[] {
    const items: PdfValue[] = [];
    this.position++;
    while (this.skipSpace() && this.bytes[this.position] !== SQUARE_END) items.push(this.value(depth + 1));
    this.take(SQUARE_END);
    return items;
  }

  private dict(depth: number): Dict {
    this.budget.spend(DICT_STEPS);
    const dict = new Map<string, PdfValue>();
    this.position += 2;
    while (this.skipSpace() && this.bytes[this.position] === SLASH) {
      this.budget.spend(ENTRY_STEPS);
      const key = this.name();
      // Some readers take the first of two equal keys and some the last, so there is no telling what is
      // shown.
      if (dict.has(key)) throw new Unreadable('damaged');
      dict.set(key, this.value(depth + 1));
    }
    this.take(ANGLE_END);
    this.take(ANGLE_END);
    this.visit(dict);
    return dict;
  }

  private take(byte: number): void {
    if (this.bytes[this.position] !== byte) throw new Unreadable('damaged');
    this.position++;
  }

  private skipLine(): void {
    while (this.position < this.bytes.length) {
      const byte = this.bytes[this.position];
      if (byte === LF || byte === CR) return;
      this.position++;
    }
  }

  private isRegular(position: number): boolean {
    return position < this.bytes.length && (KIND[this.bytes[position]!]! & (SPACE | DELIMITER)) === 0;
  }
}
