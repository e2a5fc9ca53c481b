import { type Body } from './body.js';
import { type Budget } from './budget.js';
import type { CurrentPlace } from './page-tree.js';
import { Unreadable } from './problem.js';
import { type PdfValue, Ref } from './value.js';
import { readXrefStream, type XrefEntry, type XrefSection } from './xref.js';

/**
 * Follows the cross-reference sections as a reader does, from the newest one to the one before (ISO 32000-2, 7.5.5 and
 * 7.5.8.4): there is a catalog, and every object that is named is one that has been looked at. What is in the file beside
 * the chain is of no effect: some writers carry a replaced section along.
 */
export function checkXref(start: number, body: Body, budget: Budget): { catalog: number; placeOf: CurrentPlace } {
  const sections = new Map<PdfValue, () => XrefSection>();
  for (const table of body.tables) sections.set(table.offset, () => table);
  for (const stream of body.xrefStreams) sections.set(stream.offset, () => readXrefStream(stream, budget));
  const current = new Map<number, XrefEntry>();
  const take = (offset: PdfValue): XrefSection => {
    const section = sections.get(offset)?.();
    if (!section) throw new Unreadable('damaged');
    // Whoever meets a section for the second time goes round and round.
    sections.delete(offset);
    checkEntries(section.entries, body);
    // The newest section comes first.
    for (const entry of section.entries) if (!current.has(entry.number)) current.set(entry.number, entry);
    return section;
  };

  let { trailer } = take(start);
  const root = trailer.get('Root');
  if (!(root instanceof Ref) || !body.catalogs.has(root.number)) throw new Unreadable('damaged');
  for (;;) {
    const [hybrid, previous]: (PdfValue | undefined)[] = [trailer.get('XRefStm'), trailer.get('Prev')];
    if (hybrid !== undefined) take(hybrid);
    if (previous === undefined) break;
    ({ trailer } = take(previous));
  }
  const placeOf = (number: number): number | undefined => {
    const entry = current.get(number);
    if (!entry || 'offset' in entry) return entry?.offset;
    const stream = current.get(entry.stream);
    return stream && 'offset' in stream ? stream.offset : undefined;
  };
  return { catalog: root.number, placeOf };
}

function checkEntries(entries: readonly XrefEntry[], body: Body): void {
  const isThere = (entry: XrefEntry) => {
    // No stream is in an object stream (ISO 32000-2, 7.5.7), else two could be in one another.
    if ('stream' in entry) {
      return body.objectStreamNumbers.has(entry.stream) && !body.objectStreamNumbers.has(entry.number);
    }
    // The header is at 0, so no object is: some writers put this for a number that they do not use.
    if (entry.offset === 0) return true;
    const found = body.offsets.get(entry.offset);
    return found?.number === entry.number && found.generation === entry.generation;
  };
  if (!entries.every(isThere)) throw new Unreadable('damaged');
}
