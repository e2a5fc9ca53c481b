import { describe, expect, test } from '@jest/globals';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { checkPdf, MAX_PDF_BYTES } from '../pdf-check.js';
import { PDF_PROBLEM_CODES, problemOf } from '../problem.js';
import { FORMS, pdf, ROOT, unfinished } from './samples.js';

const codeOf = (bytes: Buffer | string) => checkPdf(Buffer.from(bytes as string, 'latin1'))?.code ?? null;

describe('a file of another kind', () => {
  const ELF = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), Buffer.alloc(4096)]);
  const PE = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(4096)]);

  test.each([
    ['a program of Linux', ELF],
    ['a program of Windows', PE],
    ['a page', '<!doctype html><title>%PDF-1.7</title>'],
    ['a text', 'Statement of March'],
    ['half of a header', '%PDF-'],
    ['a version that there is not', '%PDF-1.8\n'],
    ['a program with a PDF after it', Buffer.concat([PE.subarray(0, 512), pdf()])],
    ['a page with a PDF after it', Buffer.concat([Buffer.from('<script>alert(1)</script>\n'), pdf()])],
    ['an archive with a PDF in it', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), pdf()])],
    ['a PDF after a line break', Buffer.concat([Buffer.from('\n'), pdf()])],
    ['a PDF after a byte order mark', Buffer.concat([Buffer.from('\ufeff'), pdf()])],
  ])('%s is not a PDF', (_name, bytes) => {
    expect(codeOf(bytes)).toBe('not_pdf');
  });

  test('that follows a PDF is not overlooked', () => {
    expect(codeOf(Buffer.concat([pdf(), Buffer.from('PK\x03\x04'), Buffer.alloc(30)]))).toBe('damaged');
    expect(codeOf(Buffer.concat([pdf(), PE, Buffer.from('\nstartxref\n9\n%%EOF\n')]))).toBe('damaged');
  });
});

describe('size', () => {
  test('an empty file is refused', () => {
    expect(codeOf('')).toBe('empty');
  });

  test('10 MiB are taken, a byte more is not', () => {
    const large = unfinished()
      .stream(20, '', Buffer.alloc(MAX_PDF_BYTES - 5_000))
      .table(ROOT).bytes;
    const filledTo = (bytes: number) => Buffer.concat([large, Buffer.alloc(bytes - large.length, '\n')]);
    expect(codeOf(filledTo(MAX_PDF_BYTES))).toBeNull();
    expect(codeOf(filledTo(MAX_PDF_BYTES + 1))).toBe('too_large');
    expect(codeOf(Buffer.alloc(11 * 1024 * 1024))).toBe('too_large');
  });
});

describe('header and end', () => {
  test.each(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '2.0'])('PDF %s is taken', version => {
    expect(codeOf(unfinished(`%PDF-${version}\n`).table(ROOT).bytes)).toBeNull();
    expect(codeOf(unfinished(`%PDF-${version}\r\n`).table(ROOT).bytes)).toBeNull();
  });

  test.each(['', '\n', '\r\n', ' \n\n\0'])('white space at the end is taken', space => {
    expect(codeOf(pdf().toString('latin1').trimEnd() + space)).toBeNull();
  });

  test.each(Object.entries(FORMS))('%s that is cut off is damaged', (_form, written) => {
    const whole = written({}).toString('latin1').trimEnd();
    const lengths = Array.from({ length: 49 }, (_, part) => Math.floor((whole.length * (part + 1)) / 50));
    for (let less = 1; less < 16; less++) lengths.push(whole.length - less);
    // A file that ends within an update may still be the whole document before it.
    const parts = lengths.map(length => whole.slice(0, length)).filter(part => !/%%EOF\s*$/.test(part));
    expect(parts.length).toBeGreaterThan(60);
    for (const part of parts) expect(codeOf(part)).toBe('damaged');
  });

  test('a file without its end, or without a catalog, is damaged', () => {
    expect(codeOf('%PDF-1.7\n')).toBe('damaged');
    expect(codeOf('%PDF-1.7\nstartxref\n9\n%%EOF\n')).toBe('damaged');
    expect(codeOf(unfinished().table('').bytes)).toBe('damaged');
    expect(codeOf(unfinished().table('/Root 2 0 R').bytes)).toBe('damaged');
    expect(codeOf(unfinished().table('/Root << /Type /Catalog >>').bytes)).toBe('damaged');
  });
});

describe('encryption', () => {
  const ENCRYPT = '/Encrypt << /Filter /Standard /V 2 /R 3 /O (x) /U (x) /P -4 >>';

  test.each([
    ['a trailer', unfinished().table(`${ROOT} ${ENCRYPT}`)],
    ['a trailer, by reference', unfinished().object(20, '<< /Filter /Standard >>').table(`${ROOT} /Encrypt 20 0 R`)],
    ['a trailer, by an escaped name', unfinished().table(`${ROOT} /#45ncrypt << >>`)],
    ['a cross-reference stream', unfinished().xrefStream(90, `${ROOT} ${ENCRYPT}`)],
    ['an earlier trailer', unfinished().table(`${ROOT} ${ENCRYPT}`).object(20, 'null').table(ROOT)],
  ])('in %s is refused', (_place, writer) => {
    expect(codeOf(writer.bytes)).toBe('encrypted');
  });

  test('is said before what cannot be read because of it', () => {
    const unreadable = unfinished().stream(80, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', 'scrambled');
    expect(codeOf(unreadable.xrefStream(90, `${ROOT} ${ENCRYPT}`).bytes)).toBe('encrypted');
  });

  test('that is null is none', () => {
    expect(codeOf(unfinished().table(`${ROOT} /Encrypt null`).bytes)).toBeNull();
  });
});

describe('structure', () => {
  const HIDDEN = '10 0 obj << /S /JavaScript /JS (x) >> endobj ';

  test('the length of a stream may be given by reference, before or after it, or in an object stream', () => {
    expect(codeOf(unfinished().object(21, '3').stream(20, '', 'abc', '21 0 R').table(ROOT).bytes)).toBeNull();
    expect(codeOf(unfinished().stream(20, '', 'abc', '21 0 R').object(21, '3').table(ROOT).bytes)).toBeNull();
    const packed = unfinished().stream(20, '', 'abc', '21 0 R').objectStream(80, { 21: '3' });
    expect(codeOf(packed.xrefStream(90, ROOT).bytes)).toBeNull();
  });

  test.each(['0', '2', '5', '99999', '-1', '3.5', '(3)', 'null', '21 0 R', '22 0 R'])(
    'a length of %s for three bytes is damaged',
    length => {
      expect(codeOf(unfinished().object(21, '2').stream(20, '', 'abc', length).table(ROOT).bytes)).toBe('damaged');
    },
  );

  test('no object hides in a stream, a string or a comment', () => {
    expect(codeOf(unfinished().stream(20, '', HIDDEN).table(ROOT).bytes)).toBe('uncheckable');
    expect(codeOf(unfinished().stream(20, '', `\nendstream\nendobj\n${HIDDEN}`).table(ROOT).bytes)).toBe('damaged');
    expect(codeOf(unfinished().object(20, `(${HIDDEN})`).table(ROOT).bytes)).toBe('uncheckable');
    expect(codeOf(unfinished().raw(`%${HIDDEN}\n`).table(ROOT).bytes)).toBe('uncheckable');
    // An object with a comment in its header does not make up for it.
    expect(codeOf(unfinished().raw(`%${HIDDEN}\n20 %\n0 %\nobj null endobj\n`).table(ROOT).bytes)).toBe('uncheckable');
  });

  test('a cross-reference that was replaced, and is no longer right, is of no effect', () => {
    const row = Buffer.from([1, 0x7f, 0xff, 0]);
    const stale = unfinished().stream(20, '/Type /XRef /W [1 2 1] /Size 1', row);
    expect(codeOf(stale.table(ROOT).bytes)).toBeNull();
  });

  test.each([
    ['into a stream', (writer: ReturnType<typeof unfinished>) => writer.stream(20, '', '10 0 ').offset - 27],
    ['beside an object', () => 16],
    ['past the end', () => 9_999_999],
  ])('a cross-reference that points %s is damaged', (_where, offsetIn) => {
    const writer = unfinished();
    const offset = String(offsetIn(writer)).padStart(10, '0');
    const start = writer.offset;
    writer.raw(`xref\n10 1\n${offset} 00000 n \ntrailer\n<< ${ROOT} >>\n`).end(start);
    expect(codeOf(writer.bytes)).toBe('damaged');
  });

  test('a cross-reference may leave numbers unused', () => {
    const writer = unfinished();
    const first = writer.offset;
    const start = writer.table(ROOT).offset;
    const unused = 'xref\n0 1\n0000000000 65535 f \n30 1\n0000000000 00000 n \n';
    writer.raw(`${unused}trailer\n<< ${ROOT} /Prev ${first} >>\n`).end(start);
    expect(codeOf(writer.bytes)).toBeNull();
  });

  test('an object stream needs no type, and hides nothing between its objects', () => {
    const script = '<< /S /JavaScript /JS (x) >>';
    const stream = (entries: string, data: string) => codeOf(unfinished().stream(80, entries, data).table(ROOT).bytes);
    expect(stream('/N 1 /First 5', `10 0 ${script}`)).toBe('javascript');
    expect(stream('/N 1 /First 99', `10 0 ${script}`)).toBe('damaged');
    expect(stream('/N 1 /First 5', `10 0 null ${script}`)).toBe('damaged');
    expect(stream('/N 2 /First 10', `10 0 11 0 null`)).toBe('damaged');
    expect(stream('/Type /ObjStm /N 21 0 R /First 5', `10 0 null`)).toBe('uncheckable');
  });

  test.each([
    ['another filter', '/Filter /LZWDecode'],
    ['two filters', '/Filter [/ASCIIHexDecode /FlateDecode]'],
    ['a filter by reference', '/Filter 21 0 R'],
    ['another predictor', '/Filter /FlateDecode /DecodeParms << /Predictor 2 >>'],
    ['rows without end', '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 99999999 >>'],
    ['rows of nothing', '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 0 >>'],
  ])('an object stream with %s is not guessed at', (_name, entries) => {
    const stored = Buffer.concat([Buffer.from('x\x9c', 'latin1'), deflateRawSync(''), Buffer.from([0, 0, 0, 1])]);
    const writer = unfinished().stream(80, `/Type /ObjStm /N 0 /First 0 ${entries}`, stored);
    expect(codeOf(writer.table(ROOT).bytes)).toBe('uncheckable');
  });

  test.each([
    ['a row that is cut off', Buffer.from([0, 1, 2, 3, 4, 0, 1])],
    ['a filter of PNG that there is not', Buffer.from([5, 1, 2, 3, 4])],
  ])('an object stream with %s is damaged', (_name, rows) => {
    const entries = '/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 4 >>';
    expect(codeOf(unfinished().stream(80, entries, deflateSync(rows)).table(ROOT).bytes)).toBe('damaged');
  });

  test.each(['null', '[1 4]', '[0 0 0]', '[1 99 1]', '[1 -4 1]', '(1)'])(
    'a cross-reference stream with fields of the widths %s is damaged',
    widths => {
      const writer = unfinished();
      const start = writer.offset;
      const entries = `/Type /XRef /W ${widths} /Size 1 ${ROOT}`;
      expect(codeOf(writer.stream(90, entries, Buffer.alloc(99)).end(start).bytes)).toBe('damaged');
    },
  );

  test.each([
    ['a key that is there twice', '<< /S /GoTo /S /URI >>'],
    ['an object that is a reference', '11 0 R'],
    ['a string without an end', '(('],
    ['an array without an end', '[1 2'],
    ['a dictionary without an end', '<< /A 1'],
    ['a key without a value', '<< /A >>'],
    ['a value without a key', '<< 1 >>'],
    ['letters in a hexadecimal string', '<4x>'],
    ['a word that there is not', 'undefined'],
    ['a number that is none', '1.x'],
    ['nothing', ''],
  ])('%s is damaged', (_name, body) => {
    expect(codeOf(unfinished().object(10, body).table(ROOT).bytes)).toBe('damaged');
  });
});

test('each problem has a sentence that a person can act upon', () => {
  for (const code of PDF_PROBLEM_CODES) expect(problemOf(code).message).toMatch(/^The .*(PDF|file).* [A-Z].+\.$/);
});
