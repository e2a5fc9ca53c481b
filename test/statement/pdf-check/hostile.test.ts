import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { checkPdf, MAX_PDF_BYTES } from '../../../src/statement/pdf-check.js';
import { Budget, MAX_INFLATED_BYTES, MAX_OPENED_STREAMS, MAX_STEPS } from '../../../src/statement/pdf-check/budget.js';
import { PDF_PROBLEM_CODES, problemOf } from '../../../src/statement/pdf-check/problem.js';
import { FORMS, ROOT, unfinished } from './samples.js';

/** The code of the problem, or null; fails where the check takes more than it may. */
function checked(bytes: Buffer) {
  const budget = new Budget();
  const problem = checkPdf(bytes, budget);
  expect(budget.steps).toBeLessThanOrEqual(MAX_STEPS);
  expect(budget.inflatedBytes).toBeLessThanOrEqual(MAX_INFLATED_BYTES);
  expect(budget.openedStreams).toBeLessThanOrEqual(MAX_OPENED_STREAMS);
  return { code: problem?.code ?? null, problem, budget };
}

/** Zeros, a thousandth of the size: ten million bytes become ten thousand millions. */
function bomb(compressedBytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: Math.floor(compressedBytes / piece.length) }, () => piece),
    Buffer.from([0x03, 0x00]),
  ]);
}

/** A stream as the cross-reference of a document. */
function pointedAt(entries: string, data: Buffer): Buffer {
  const writer = unfinished();
  const start = writer.offset;
  return writer.stream(80, entries, data).end(start).bytes;
}

describe('a file that asks for too much', () => {
  const BOMB = bomb(MAX_PDF_BYTES - 2_000);

  test('ten thousand million bytes in an object stream are inflated no further than the limit', () => {
    const { code, budget } = checked(
      unfinished().stream(80, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', BOMB).table(ROOT).bytes,
    );
    expect(code).toBe('uncheckable');
    expect(budget.inflatedBytes).toBe(MAX_INFLATED_BYTES);
  });

  test('ten thousand million bytes in a cross-reference stream are inflated no further either', () => {
    const entries = `/Type /XRef /W [1 4 1] /Size 999999999 ${ROOT} /Filter /FlateDecode`;
    expect(checked(pointedAt(entries, BOMB)).code).toBe('uncheckable');
  });

  test('a page is not inflated at all', () => {
    const { code, budget } = checked(unfinished().stream(20, '/Filter /FlateDecode', BOMB).table(ROOT).bytes);
    expect([code, budget.inflatedBytes]).toEqual([null, 0]);
  });

  test('many object streams together inflate to no more than one', () => {
    const spaces = deflateSync(Buffer.alloc(MAX_INFLATED_BYTES / 4, ' '));
    const writer = unfinished();
    for (let number = 20; number < 25; number++) {
      writer.stream(number, '/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode', spaces);
    }
    expect(checked(writer.table(ROOT).bytes).code).toBe('uncheckable');
  });

  test('more object streams than any writer makes are not opened', () => {
    const stream = '20 0 obj << /Type /ObjStm /N 0 /First 0 /Length 0 >> stream\n\nendstream endobj\n';
    const { code } = checked(
      unfinished()
        .raw(stream.repeat(MAX_OPENED_STREAMS + 1))
        .table(ROOT).bytes,
    );
    expect(code).toBe('uncheckable');
  });

  test.each([
    ['arrays', '['],
    ['dictionaries', '<< /A '],
    ['both', '[<< /A '],
  ])('%s in one another do not overflow the stack', (_name, opening) => {
    const body = opening.repeat(1_000_000);
    expect(checked(unfinished().object(10, body).table(ROOT).bytes).code).toBe('uncheckable');
    expect(checked(unfinished().objectStream(80, { 10: body }).xrefStream(90, ROOT).bytes).code).toBe('uncheckable');
  });

  test.each([
    ['numbers', '1 '],
    ['names', '/a'],
    ['dictionaries', '<<>>'],
    ['strings', '()'],
  ])('%s by the million are not kept', (_name, item) => {
    const body = `[${item.repeat(9_000_000 / item.length)}]`;
    expect(checked(unfinished().object(10, body).table(ROOT).bytes).code).toBe('uncheckable');
  });

  test('a cross-reference of millions of objects is refused', () => {
    const rows = deflateSync(Buffer.alloc(3_000_000));
    const entries = `/Type /XRef /W [1 1 1] /Size 1000000 ${ROOT} /Filter /FlateDecode`;
    expect(checked(pointedAt(entries, rows)).code).toBe('uncheckable');
    const table = `xref\n0 1500000\n${'9 0 f '.repeat(1_500_000)}trailer << ${ROOT} >>\n`;
    expect(checked(unfinished().raw(table).table(ROOT).bytes).code).toBe('uncheckable');
    const lying = `xref\n0 99999999999\n9 0 f trailer << ${ROOT} >>\n`;
    expect(checked(unfinished().raw(lying).table(ROOT).bytes).code).toBe('damaged');
  });

  test('an object stream that says it has millions of objects is refused', () => {
    const stream = (count: number) => unfinished().stream(80, `/Type /ObjStm /N ${count} /First 4`, '1 0 null');
    expect(checked(stream(99_999_999).table(ROOT).bytes).code).toBe('damaged');
  });
});

describe('a file that goes round', () => {
  test('in its trailers', () => {
    const writer = unfinished();
    const first = writer.offset;
    writer.table(ROOT);
    const second = writer.offset;
    writer.raw(`xref\n0 0\ntrailer << ${ROOT} /Prev ${second} >>\n`).end(second);
    expect(checked(writer.bytes).code).toBe('damaged');
    const toItself = unfinished();
    toItself.raw(`xref\n0 0\ntrailer << ${ROOT} /Prev ${first} >>\n`).end(first);
    expect(checked(toItself.bytes).code).toBe('damaged');
  });

  test('in its objects is a file like another', () => {
    const writer = unfinished().object(10, '<< /Parent 11 0 R /Kids [10 0 R] >>').object(11, '<< /Parent 10 0 R >>');
    expect(checked(writer.table(ROOT).bytes).code).toBeNull();
    const action = unfinished().object(10, '<< /S /GoTo /D (a) /Next 10 0 R /AA 10 0 R >>');
    expect(checked(action.table(ROOT).bytes).code).toBeNull();
  });

  test('in its object streams', () => {
    const writer = unfinished().objectStream(80, { 10: '<< /Type /ObjStm /N 1 /First 4 /Extends 80 0 R >>' });
    expect(checked(writer.xrefStream(90, ROOT).bytes).code).toBeNull();
    const inEachOther = unfinished().objectStream(80, { 81: 'null' }).objectStream(81, { 80: 'null' });
    expect(checked(inEachOther.xrefStream(90, ROOT).bytes).code).toBeNull();
    const asLength = unfinished().stream(80, '/Type /ObjStm /N 1 /First 5', '80 0 8', '80 0 R');
    expect(checked(asLength.table(ROOT).bytes).code).toBe('damaged');
  });
});

describe('whatever is sent', () => {
  const expectKnown = (bytes: Buffer) => {
    const { code, problem } = checked(bytes);
    expect([null, ...PDF_PROBLEM_CODES]).toContain(code);
    if (code) expect(problem).toEqual(problemOf(code));
  };
  const samples = Object.values(FORMS).map(written =>
    written({ page: '/AA << /O << /S /URI /URI (https://a.b/) >> >>' }),
  );

  test('random bytes have a known result', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.boolean(), (bytes, withFrame) => {
        const frame = ['%PDF-1.7\n', '\nstartxref\n9\n%%EOF'].map(part => Buffer.from(withFrame ? part : ''));
        expectKnown(Buffer.concat([frame[0]!, bytes, frame[1]!]));
      }),
      { numRuns: 2_000 },
    );
  });

  test('words of the format in random order have a known result', () => {
    const WORDS = [
      '<<',
      '>>',
      '[',
      ']',
      '(',
      ')',
      '<',
      '/S',
      '/JavaScript',
      '/Length',
      '/Type',
      '/ObjStm',
      '/N',
      '/First',
    ];
    const MORE = [
      '1 0 obj',
      'endobj',
      'stream\n',
      '\nendstream',
      '1 0 R',
      '0',
      '9',
      'xref',
      'trailer',
      'startxref',
      '%',
      '\n',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS, ...MORE), { maxLength: 60 }), words =>
        expectKnown(unfinished().raw(words.join(' ')).table(ROOT).bytes),
      ),
      { numRuns: 2_000 },
    );
  });

  test('a document with changed, lost or doubled bytes has a known result', () => {
    const change = fc.record({
      at: fc.nat(4_000),
      lost: fc.constantFrom(0, 0, 1, 1, 2, 40),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 3 }),
        fc.constantFrom(...['/', '<<', '>>', '(', '0', ' R', '%'].map(text => Buffer.from(text))),
      ),
    });
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 4 }), (sample, changes) => {
        let bytes = sample;
        for (const { at, lost, put } of changes) {
          const place = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + lost)]);
        }
        expectKnown(bytes);
      }),
      { numRuns: 5_000 },
    );
  });

  test('two documents in one file have a known result', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.constantFrom(...samples), fc.nat(3_000), (outer, inner, at) => {
        expectKnown(Buffer.concat([outer.subarray(0, at % outer.length), inner, outer.subarray(at % outer.length)]));
      }),
      { numRuns: 500 },
    );
  });
});
