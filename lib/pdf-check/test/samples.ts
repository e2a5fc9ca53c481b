import { PdfWriter } from './pdf-writer.js';

/** A document of one page; `objects` are further ones, from number 10 up. */
export interface Sample {
  catalog?: string;
  page?: string;
  objects?: Record<number, string>;
}

/** Words that would matter if they were objects, and mean nothing in a text. */
const CONTENT = 'BT /F1 12 Tf (JavaScript << /S /JavaScript /JS (x) >> /EmbeddedFiles /Launch) Tj ET';
const METADATA = '<x:xmpmeta><rdf:li>/JavaScript /OpenAction /AA /XFA</rdf:li></x:xmpmeta>';

export const ROOT = '/Root 1 0 R';

function objectsOf({ catalog = '', page = '', objects = {} }: Sample): Record<number, string> {
  return {
    1: `<< /Type /Catalog /Pages 2 0 R /Metadata 5 0 R ${catalog} >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842.5] /Contents 4 0 R ${page} >>`,
    ...objects,
  };
}

function started(header?: string): PdfWriter {
  return new PdfWriter(header).stream(4, '', CONTENT).stream(5, '/Type /Metadata /Subtype /XML', METADATA);
}

function plain(sample: Sample, header?: string): PdfWriter {
  const writer = started(header);
  for (const [number, body] of Object.entries(objectsOf(sample))) writer.object(Number(number), body);
  return writer;
}

/** Every way in which the same document can be written. */
export const FORMS: Record<string, (sample: Sample) => Buffer> = {
  'a cross-reference table': sample => plain(sample).table(ROOT).bytes,
  'a cross-reference stream': sample => plain(sample).xrefStream(90, ROOT).bytes,
  'an object stream': sample => started().objectStream(80, objectsOf(sample)).xrefStream(90, ROOT).bytes,
  'an object stream with predictors': sample =>
    started().objectStream(80, objectsOf(sample), { predictor: true }).xrefStream(90, ROOT, { predictor: true }).bytes,
  'an object stream that is not compressed': sample =>
    started().objectStream(80, objectsOf(sample), { deflated: false }).xrefStream(90, ROOT, { deflated: false }).bytes,
  'a hybrid of table and stream': sample => {
    const writer = plain({}).objectStream(80, objectsOf(sample));
    const hybrid = writer.offset;
    return writer.xrefStreamOnly(90, ROOT).table(`${ROOT} /XRefStm ${hybrid}`).bytes;
  },
  'an update': sample => {
    const writer = plain({}).table(ROOT);
    for (const [number, body] of Object.entries(objectsOf(sample))) writer.object(Number(number), body);
    return writer.table(ROOT).bytes;
  },
  'an update in an object stream': sample =>
    plain({}).xrefStream(90, ROOT).objectStream(80, objectsOf(sample)).xrefStream(91, ROOT).bytes,
  'a revision that was replaced': sample => {
    const writer = plain(sample).table(ROOT);
    for (const [number, body] of Object.entries(objectsOf({}))) writer.object(Number(number), body);
    return writer.table(ROOT).bytes;
  },
};

export function pdf(sample: Sample = {}): Buffer {
  return FORMS['a cross-reference table']!(sample);
}

/** The objects of a document, to go on with. */
export function unfinished(header?: string): PdfWriter {
  return plain({}, header);
}
