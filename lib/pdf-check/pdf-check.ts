import { ActiveContent } from './active-content.js';
import { Body, checkExtensions, readObjectStream } from './body.js';
import { spendExpanded } from './filters.js';
import { type CurrentPlace } from './page-tree.js';
import { Budget, MAX_PDF_BYTES, type PdfProblem, type PdfProblemCode, problemOf, Unreadable } from './problem.js';
import { type PdfValue, Ref } from './reader.js';
import { readXrefStream, type XrefEntry, type XrefSection } from './xref.js';

export { MAX_PDF_BYTES, type PdfProblem };

/** ISO 32000-2, 7.5.2. With something before the header, a file is also of another kind: a program or an archive. */
const HEADER = /^%PDF-(?:1\.[0-7]|2\.0)[\r\n\t ]/;
/** ISO 32000-2, 7.5.5. */
const END = /startxref\s+(\d{1,10})\s+%%EOF$/;
const MAX_END_BYTES = 64;

/**
 * Says why a PDF of somebody else is not taken, or null where it may be kept as it is: a whole and plain document of
 * PDF 1.0 to 2.0 (ISO 32000-2) that shows pages and does nothing by itself. Goes through every object of every
 * revision, also those in object streams; never evaluates anything, and takes no more than `budget` allows. Of pages,
 * fonts and pictures it learns how far they expand, and no more.
 */
export function checkPdf(bytes: Buffer, budget = new Budget()): PdfProblem | null {
  if (bytes.length === 0) return problemOf('empty');
  if (bytes.length > MAX_PDF_BYTES) return problemOf('too_large');
  if (!HEADER.test(bytes.toString('latin1', 0, 16))) return problemOf('not_pdf');
  try {
    const code = problemIn(bytes, budget);
    return code && problemOf(code);
  } catch (error) {
    if (error instanceof Unreadable) return problemOf(error.code);
    throw error;
  }
}

function problemIn(bytes: Buffer, budget: Budget): PdfProblemCode | null {
  const start = startOfChain(bytes);
  const active = new ActiveContent();
  const body = new Body(bytes, budget, active);
  // Nothing in an encrypted file can be read, so this comes before what would be found there.
  const trailers = [...body.tables.map(({ trailer }) => trailer), ...body.xrefStreams.map(({ dict }) => dict)];
  if (trailers.some(trailer => (trailer.get('Encrypt') ?? null) !== null)) return 'encrypted';

  for (const stream of body.objectStreams) {
    readObjectStream(stream, budget, active.visit, (number, value) => body.keep(number, value, stream.offset));
  }
  checkExtensions(body.objectStreams);
  body.checkWhole();
  const { catalog, placeOf } = checkXref(start, body, budget);
  body.pageTree.check(catalog, placeOf, budget);
  for (const stream of body.streams) spendExpanded(stream, budget);
  return active.problem();
}

function startOfChain(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20].includes(bytes[end - 1]!)) end--;
  const offset = END.exec(bytes.toString('latin1', Math.max(0, end - MAX_END_BYTES), end))?.[1];
  if (offset === undefined) throw new Unreadable('damaged');
  return Number(offset);
}

/**
 * Follows the cross-reference sections as a reader does, from the newest one to the one before (ISO 32000-2, 7.5.5 and
 * 7.5.8.4): there is a catalog, and every object that is named is one that has been looked at. What is in the file
 * beside the chain is of no effect: some writers carry a replaced section along.
 */
function checkXref(start: number, body: Body, budget: Budget): { catalog: number; placeOf: CurrentPlace } {
  const sections = new Map<PdfValue, () => XrefSection>();
  for (const table of body.tables) sections.set(table.offset, () => table);
  for (const stream of body.xrefStreams) sections.set(stream.offset, () => readXrefStream(stream, budget));
  const current = new Map<number, XrefEntry>();
  const take = (offset: PdfValue): XrefSection => {
    const section = sections.get(offset)?.();
    if (!section) throw new Unreadable('damaged');
    // A section that is met for the second time is a loop.
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
