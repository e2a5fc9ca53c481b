import { ActiveContent } from './active-content.js';
import { Body } from './body.js';
import { Budget } from './budget.js';
import { spendExpanded } from './expansion.js';
import { checkExtensions, readObjectStream } from './object-stream.js';
import { MAX_PDF_BYTES, type PdfProblem, type PdfProblemCode, problemOf, Unreadable } from './problem.js';
import { checkXref } from './xref-chain.js';

export { MAX_PDF_BYTES, type PdfProblem };

/** ISO 32000-2, 7.5.2. A file with something before the header is also a file of another kind: a program, a page, an archive. */
const HEADER = /^%PDF-(?:1\.[0-7]|2\.0)[\r\n\t ]/;
/** ISO 32000-2, 7.5.5. */
const END = /startxref\s+(\d{1,10})\s+%%EOF$/;
const MAX_END_BYTES = 64;

/**
 * Says why a partner's PDF is not taken, or null where it may be kept as it is: a whole and plain document of PDF 1.0 to
 * 2.0 (ISO 32000-2) that shows pages and does nothing by itself. Goes through every object of every revision, also those
 * in object streams; never evaluates anything, and takes no more than `budget` allows. Of pages, fonts and pictures it
 * learns how far they expand, and no more.
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
