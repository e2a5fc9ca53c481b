import { type ActiveContent } from './active-content.js';
import { contentOf } from './filters.js';
import { PageTree } from './page-tree.js';
import { type Budget, Unreadable } from './problem.js';
import { type Dict, isDict, type PdfValue, Reader, Ref } from './reader.js';
import { readXrefTable, type XrefSection } from './xref.js';

/** A stream, with its data as they are in the file. */
export interface PdfStream {
  readonly number: number;
  readonly offset: number;
  readonly dict: Dict;
  readonly data: Buffer;
}

/** Object numbers and generations are below these (ISO 32000-2, annex C, and 7.5.4). */
const MAX_OBJECT_NUMBER = 8_388_607;
const MAX_GENERATION = 65_535;
/** A line break stands between the data of a stream and its end, and some writers count it into the length. */
const MAX_GAP_BYTES = 2;
/** The cost of keeping in mind where an object is, in plain values. */
const OBJECT_STEPS = 4;
const [LF, CR] = [0x0a, 0x0d];
/** The characters before the word `obj`: 7 digits, 5 digits, and white space. */
const OBJECT_NUMBERS = /\d[\0\s]+\d+[\0\s]*$/;
const MAX_HEADER_BYTES = 24;

/**
 * The file from its first byte to its last: the objects, cross-reference sections and trailers of all revisions, one
 * after the other. A reader jumps about in a file instead; what it can reach by that is all here, or the file is
 * refused.
 */
export class Body {
  /** Where each object begins. */
  readonly offsets = new Map<number, Ref>();
  readonly catalogs = new Set<number>();
  readonly tables: XrefSection[] = [];
  readonly xrefStreams: PdfStream[] = [];
  readonly objectStreams: PdfStream[] = [];
  readonly objectStreamNumbers = new Set<number>();
  /** All streams but object streams. */
  readonly streams: PdfStream[] = [];
  readonly pageTree = new PageTree();
  private readonly headerEnds = new Set<number>();
  private readonly reader: Reader;
  /** Lengths that are given by reference, and the whole numbers among the objects, which such lengths may be. */
  private readonly lengths: { readonly number: number; readonly allowed: readonly number[] }[] = [];
  private readonly integers = new Map<number, Set<number>>();

  constructor(
    private readonly bytes: Buffer,
    private readonly budget: Budget,
    private readonly active: ActiveContent,
  ) {
    this.reader = new Reader(bytes, budget, active.visit);
    while (this.reader.skipSpace()) this.next(this.reader.position);
  }

  /** Takes an indirect object that is not a stream: from `place` in the file, or from the object stream there. */
  keep(number: number, value: PdfValue, place: number): void {
    // An object that is nothing but a reference is against the rules (ISO 32000-2, 7.3.10), and some readers would
    // follow it.
    if (value instanceof Ref) throw new Unreadable('damaged');
    if (typeof value === 'number') this.integers.set(number, (this.integers.get(number) ?? new Set()).add(value));
    if (isDict(value) && value.get('Type') === 'Catalog') this.catalogs.add(number);
    this.active.object(number, value);
    this.pageTree.keep(number, place, value);
  }

  /** To be asked once all objects have been kept: is there nothing that a reader could take for something else? */
  checkWhole(): void {
    for (const { number, allowed } of this.lengths) {
      if (!allowed.some(length => this.integers.get(number)?.has(length))) throw new Unreadable('damaged');
    }
    // A reader that mends a file looks for `12 0 obj` everywhere, so an object could hide in a stream, a string or a
    // comment.
    if (this.hidesAnObject()) throw new Unreadable('uncheckable');
  }

  private next(offset: number): void {
    if (this.reader.atDigit()) return this.object(offset);
    const keyword = this.reader.keyword();
    if (keyword === 'xref') this.tables.push(readXrefTable(this.reader, offset));
    else if (keyword === 'startxref') this.reader.integer();
    else throw new Unreadable('damaged');
  }

  /** ISO 32000-2, 7.3.10 and 7.3.8. */
  private object(offset: number): void {
    const number = this.reader.integer();
    const generation = this.reader.integer();
    if (number > MAX_OBJECT_NUMBER || generation > MAX_GENERATION) throw new Unreadable('damaged');
    this.reader.expect('obj');
    this.budget.spend(OBJECT_STEPS);
    this.headerEnds.add(this.reader.position);
    this.offsets.set(offset, new Ref(number, generation));
    const value = this.reader.value();
    const after = this.reader.keyword();
    if (after === 'endobj') return this.keep(number, value, offset);
    if (after !== 'stream' || !isDict(value)) throw new Unreadable('damaged');
    this.keepStream({ number, offset, dict: value, data: this.data(value) });
    this.active.stream(value);
    this.reader.expect('endobj');
  }

  private keepStream(stream: PdfStream): void {
    const { dict } = stream;
    if (dict.get('Type') === 'XRef') this.xrefStreams.push(stream);
    // Not all readers ask for the type, so whatever has the other entries of an object stream is taken for one.
    if (dict.get('Type') === 'ObjStm' || (dict.has('N') && dict.has('First'))) {
      this.objectStreams.push(stream);
      this.objectStreamNumbers.add(stream.number);
    } else this.streams.push(stream);
  }

  private data(dict: Dict): Buffer {
    const { bytes, reader } = this;
    if (bytes[reader.position] === CR) reader.position++;
    if (bytes[reader.position] !== LF) throw new Unreadable('damaged');
    const start = reader.position + 1;
    // The length counts, but a reader that mends a file goes by this word: data that hold it would be two streams in
    // one.
    const end = bytes.indexOf('endstream', start);
    if (end === -1) throw new Unreadable('damaged');
    reader.position = end;
    reader.expect('endstream');

    const data = bytes.subarray(start, end);
    const allowed = lengthsOf(data);
    const length = dict.get('Length');
    if (length instanceof Ref) this.lengths.push({ number: length.number, allowed });
    else if (typeof length !== 'number' || !allowed.includes(length)) throw new Unreadable('damaged');
    return data;
  }

  private hidesAnObject(): boolean {
    const { bytes } = this;
    for (let at = bytes.indexOf('obj'); at !== -1; at = bytes.indexOf('obj', at + 3)) {
      this.budget.spend(1);
      if (this.headerEnds.has(at + 3)) continue;
      if (OBJECT_NUMBERS.test(bytes.toString('latin1', Math.max(0, at - MAX_HEADER_BYTES), at))) return true;
    }
    return false;
  }
}

/** With the line break before `endstream`, of one or two bytes, and without. */
function lengthsOf(data: Buffer): number[] {
  const lengths = [data.length];
  while (lengths.length <= MAX_GAP_BYTES && [LF, CR].includes(data[data.length - lengths.length] ?? 0)) {
    lengths.push(data.length - lengths.length);
  }
  return lengths;
}

/**
 * Shows the objects in an object stream (ISO 32000-2, 7.5.7) to `keep`. They must follow one another without overlap or
 * gap, as all writers put them: then it makes no difference whether a reader goes by their offsets or from first to
 * last.
 */
export function readObjectStream(
  { dict, data }: { readonly dict: Dict; readonly data: Buffer },
  budget: Budget,
  visit: (dict: Dict) => void,
  keep: (number: number, value: PdfValue) => void,
): void {
  const [count, first] = [dict.get('N'), dict.get('First')];
  if (typeof count !== 'number' || typeof first !== 'number') throw new Unreadable('uncheckable');
  const reader = new Reader(contentOf(dict, data, budget), budget, visit);
  const places: { readonly number: number; readonly offset: number }[] = [];
  for (let index = 0; index < count; index++) {
    places.push({ number: reader.integer(), offset: first + reader.integer() });
  }
  for (const { number, offset } of places) {
    if (reader.position > offset) throw new Unreadable('damaged');
    reader.skipSpace();
    if (reader.position < offset) throw new Unreadable('damaged');
    keep(number, reader.value());
  }
  if (reader.skipSpace()) throw new Unreadable('damaged');
}

/** Throws where an object stream goes on in one that it is a part of itself (ISO 32000-2, table 16: `Extends`). */
export function checkExtensions(streams: readonly { readonly number: number; readonly dict: Dict }[]): void {
  const extended = new Map(streams.map(({ number, dict }) => [number, dict.get('Extends')]));
  const ending = new Set<number>();
  for (const { number } of streams) {
    const met = new Set<number>();
    let each: PdfValue | undefined = new Ref(number, 0);
    while (each instanceof Ref && !ending.has(each.number)) {
      if (met.has(each.number)) throw new Unreadable('damaged');
      met.add(each.number);
      each = extended.get(each.number);
    }
    for (const one of met) ending.add(one);
  }
}
