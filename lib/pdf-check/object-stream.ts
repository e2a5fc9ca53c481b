import { type Budget } from './budget.js';
import { contentOf } from './flate.js';
import { Unreadable } from './problem.js';
import { Reader } from './reader.js';
import { type Dict, type PdfValue, Ref } from './value.js';

/**
 * Shows the objects in an object stream (ISO 32000-2, 7.5.7) to `keep`. They must follow one another without overlap or
 * gap, as all writers put them: then it makes no difference whether a reader goes by their offsets or from first to last.
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
