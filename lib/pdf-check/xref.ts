import { contentOf } from './filters.js';
import { type Budget, Unreadable } from './problem.js';
import { type Dict, isDict, type PdfValue, type Reader } from './reader.js';

/** Where an object is: at an offset of the file, or in an object stream. */
export type XrefEntry =
  | { readonly number: number; readonly offset: number; readonly generation: number }
  | { readonly number: number; readonly stream: number };

/** A cross-reference section with the trailer that belongs to it. */
export interface XrefSection {
  readonly offset: number;
  readonly trailer: Dict;
  readonly entries: readonly XrefEntry[];
}

/** No field is wider in any writer's files: offsets of 10 MiB need three bytes. */
const MAX_FIELD_BYTES = 8;
/** The further cost of an entry of a table, with its three words and the record that is made of them. */
const ENTRY_STEPS = 4;

/** A table and its trailer, after the word `xref` (ISO 32000-2, 7.5.4 and 7.5.5). */
export function readXrefTable(reader: Reader, offset: number): XrefSection {
  const entries: XrefEntry[] = [];
  while (reader.skipSpace() && reader.atDigit()) {
    const first = reader.integer();
    const count = reader.integer();
    for (let index = 0; index < count; index++) {
      const [position, generation, use] = [reader.integer(), reader.integer(), reader.keyword()];
      if (use !== 'n' && use !== 'f') throw new Unreadable('damaged');
      if (use === 'n') entries.push({ number: first + index, offset: position, generation });
    }
  }
  reader.expect('trailer');
  const trailer = reader.value();
  if (!isDict(trailer)) throw new Unreadable('damaged');
  return { offset, trailer, entries };
}

/** A cross-reference stream, which is its own trailer (ISO 32000-2, 7.5.8). */
export function readXrefStream(
  { offset, dict, data }: { readonly offset: number; readonly dict: Dict; readonly data: Buffer },
  budget: Budget,
): XrefSection {
  const widths = wholeNumbers(dict.get('W'));
  const rowBytes = widths.reduce((sum, width) => sum + width, 0);
  if (widths.length !== 3 || rowBytes === 0 || widths.some(width => width > MAX_FIELD_BYTES)) {
    throw new Unreadable('damaged');
  }
  const rows = contentOf(dict, data, budget);
  const ranges = wholeNumbers(dict.get('Index') ?? [0, dict.get('Size') ?? null]);
  const entries: XrefEntry[] = [];
  let at = 0;
  for (let range = 0; range < ranges.length; range += 2) {
    const [first, count] = [ranges[range]!, ranges[range + 1] ?? 0];
    if (at + count * rowBytes > rows.length) throw new Unreadable('damaged');
    budget.spend(count * ENTRY_STEPS);
    for (let index = 0; index < count; index++, at += rowBytes) {
      const [kind, second, third] = fields(rows, at, widths);
      if (kind === 1) entries.push({ number: first + index, offset: second!, generation: third! });
      else if (kind === 2) entries.push({ number: first + index, stream: second! });
    }
  }
  return { offset, trailer: dict, entries };
}

/** The three fields of a row; the kind is 1 where it is left out. */
function fields(rows: Buffer, start: number, widths: readonly number[]): number[] {
  let at = start;
  return widths.map((width, field) => {
    if (width === 0) return field === 0 ? 1 : 0;
    let value = 0;
    for (const end = at + width; at < end; at++) value = value * 256 + rows[at]!;
    return value;
  });
}

function wholeNumbers(value: PdfValue | undefined): readonly number[] {
  if (!Array.isArray(value)) throw new Unreadable('damaged');
  return (value as readonly PdfValue[]).map(item => {
    if (typeof item !== 'number' || !Number.isInteger(item) || item < 0) throw new Unreadable('damaged');
    return item;
  });
}
