import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { checkPdf, MAX_PDF_BYTES } from '../pdf-check.js';
import {
  Budget,
  MAX_EXPANDED_BYTES,
  MAX_EXPANDED_STREAM_BYTES,
  MAX_INFLATED_BYTES,
  MAX_OPENED_STREAMS,
  MAX_STEPS,
  PDF_PROBLEM_CODES,
  problemOf,
} from '../problem.js';
import { PdfWriter } from './pdf-writer.js';
import { FORMS, ROOT, unfinished } from './samples.js';
import { rounds } from '../../../test/support/rounds.js';

/** The code of the problem, or null; fails where the check takes more than it may. */
function checked(bytes: Buffer, budget = new Budget()) {
  const problem = checkPdf(bytes, budget);
  expect(budget.steps).toBeLessThanOrEqual(MAX_STEPS);
  expect(budget.inflatedBytes).toBeLessThanOrEqual(MAX_INFLATED_BYTES);
  expect(budget.expandedBytes).toBeLessThanOrEqual(MAX_EXPANDED_BYTES);
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

const MIB = 1024 * 1024;

function ascii85(bytes: Buffer): Buffer {
  const groups = Array.from({ length: Math.ceil(bytes.length / 4) }, (_, index) => {
    const group = bytes.subarray(index * 4, index * 4 + 4);
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE();
    let characters = '';
    for (let digit = 0; digit < 5; digit++, value = Math.floor(value / 85)) {
      characters = String.fromCharCode(33 + (value % 85)) + characters;
    }
    return value === 0 && characters === '!!!!!' && group.length === 4 ? 'z' : characters.slice(0, group.length + 1);
  });
  return Buffer.from(`${groups.join('')}~>`);
}

/** Codes of 9 to 12 bits for longer and longer runs of zeros; a new table when there are 4,096. */
function lzwOfZeros(length: number): Buffer {
  const bytes: number[] = [];
  let [held, bits, left] = [0, 0, length];
  const put = (code: number, width: number) => {
    held = (held << width) | code;
    for (bits += width; bits >= 8; bits -= 8) bytes.push((held >> (bits - 8)) & 0xff);
    held &= (1 << bits) - 1;
  };
  let width = 9;
  while (left > 0) {
    put(256, width);
    width = 9;
    // The first code of a table is one zero; each one after it makes a code for a zero more, which can be used at once.
    for (let run = 1; left > 0 && run + 256 < 4096; run++) {
      const taken = Math.min(run, left);
      put(taken === 1 ? 0 : 256 + taken, width);
      left -= taken;
      while (width < 12 && 257 + run + 1 >= 1 << width) width++;
    }
  }
  put(257, width);
  return Buffer.concat([Buffer.from(bytes), Buffer.of((held << (8 - bits)) & 0xff)]);
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

  const withStream = (entries: string, data: Buffer) =>
    checked(unfinished().stream(20, entries, data).table(ROOT).bytes);
  const HEX_BOMB = Buffer.from(`${bomb(400_000).toString('hex')}>`);

  test.each([
    ['deflated', '/Filter /FlateDecode', BOMB],
    ['deflated, by a short name', '/Filter /Fl', BOMB],
    ['deflated and written in hexadecimal digits', '/Filter [/ASCIIHexDecode /FlateDecode]', HEX_BOMB],
    ['deflated and written in 85 characters', '/Filter [/ASCII85Decode /FlateDecode]', ascii85(bomb(400_000))],
    ['a picture, deflated once more', '/Filter [/FlateDecode /DCTDecode]', BOMB],
    ['compressed by LZW', '/Filter /LZWDecode', lzwOfZeros(80 * MIB)],
    ['compressed by run lengths', '/Filter /RunLengthDecode', Buffer.alloc(2 * MIB, Buffer.from([129, 0]))],
  ])('a page of hundreds of millions of bytes and more is refused, %s', (_how, entries, data) => {
    const { code, problem, budget } = withStream(entries, data);
    expect([code, budget.expandedBytes]).toEqual(['expanding', 0]);
    expect(problem?.message).toBe(
      'The PDF expands to more than 1024 MiB, or one stream of it to more than 64 MiB. Send it with smaller pictures.',
    );
  });

  test('many streams together, deflated or by LZW, expand to no more than the limit', () => {
    // All but what two streams may expand to is spent, as by the streams before them.
    const spent = () =>
      Object.assign(new Budget(), { expandedBytes: MAX_EXPANDED_BYTES - 2 * MAX_EXPANDED_STREAM_BYTES });
    const writer = unfinished();
    writer.stream(20, '/Filter /LZWDecode', lzwOfZeros(MAX_EXPANDED_STREAM_BYTES));
    writer.stream(21, '/Filter /FlateDecode', deflateSync(Buffer.alloc(MAX_EXPANDED_STREAM_BYTES)));
    const taken = checked(unfinished().raw(writer.bytes.subarray(unfinished().offset)).table(ROOT).bytes, spent());
    expect([taken.code, taken.budget.expandedBytes]).toEqual([null, MAX_EXPANDED_BYTES]);
    writer.stream(99, '/Filter /FlateDecode', deflateSync('x'));
    expect(checked(writer.table(ROOT).bytes, spent()).code).toBe('expanding');
  });

  test.each([
    ['two compressions', '/Filter [/FlateDecode /FlateDecode]'],
    ['two of different kinds', '/Filter [/RunLengthDecode /FlateDecode]'],
    ['an encoding within a compression', '/Filter [/FlateDecode /ASCIIHexDecode]'],
    ['a hundred of them', `/Filter [${'/FlateDecode '.repeat(100)}]`],
    ['a filter that there is not', '/Filter /ZipDecode'],
    ['a filter by reference', '/Filter 21 0 R'],
    ['a filter by reference in a list', '/Filter [21 0 R]'],
  ])('a stream with %s is not guessed at', (_what, entries) => {
    expect(withStream(entries, deflateSync(deflateSync('x'))).code).toBe('uncheckable');
  });

  test.each([
    ['in 85 characters and deflated', '/Filter [/ASCII85Decode /FlateDecode]', ascii85(deflateSync('some text')), 9],
    ['deflated without its checksum', '/Filter /FlateDecode', deflateSync('some text').subarray(0, -4), 9],
    ['deflated and cut off', '/Filter [/FlateDecode]', deflateSync('some text').subarray(0, -6), 9],
    ['deflated, and empty', '/Filter /FlateDecode', Buffer.alloc(0), 0],
    ['in run lengths', '/Filter /RunLengthDecode', Buffer.from([2, 1, 2, 3, 254, 7, 128]), 6],
    ['in hexadecimal digits', '/Filter /ASCIIHexDecode', Buffer.from('4a 4\n>'), 0],
    ['a picture', '/Filter /DCTDecode', Buffer.from('not looked at'), 0],
    ['nothing', '/Filter []', Buffer.from('as it is'), 0],
    // The example of ISO 32000-2, 7.4.4.2.
    ['by LZW', '/Filter /LZWDecode', Buffer.from('800b6050220c0c8501', 'hex'), 10],
  ])('a stream is taken that is written %s', (_how, entries, data, expanded) => {
    const { code, budget } = withStream(entries, data);
    expect([code, budget.expandedBytes]).toEqual([null, expanded]);
  });

  test.each([
    ['what is not deflated', '/Filter /FlateDecode', Buffer.from('plain text')],
    [
      'what is deflated and broken',
      '/Filter /FlateDecode',
      Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(9, 0xff)]),
    ],
    ['what is no LZW', '/Filter /LZWDecode', Buffer.alloc(9, 0xff)],
    ['other characters than 85', '/Filter /ASCII85Decode', Buffer.from('vvvvv~>')],
    ['other digits', '/Filter /ASCIIHexDecode', Buffer.from('4x>')],
  ])('a stream of %s is damaged', (_what, entries, data) => {
    expect(withStream(entries, data).code).toBe('damaged');
  });

  test('LZW expands to what was compressed, whatever the widths of its codes', () => {
    for (const length of [1, 300, 100_000, 3 * MIB]) {
      expect(withStream('/Filter /LZWDecode', lzwOfZeros(length)).budget.expandedBytes).toBe(length);
    }
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

  /** A document whose pages are these objects, in each way in which it can be written. */
  const pages = (objects: Record<number, string>): (string | null)[] => {
    const root = { 1: '<< /Type /Catalog /Pages 2 0 R >>', ...objects };
    const plain = new PdfWriter();
    for (const [number, body] of Object.entries(root)) plain.object(Number(number), body);
    const packed = new PdfWriter().objectStream(80, root);
    const updated = unfinished().table(ROOT);
    for (const [number, body] of Object.entries(root)) updated.object(Number(number), body);
    return [plain.table(ROOT), packed.xrefStream(90, ROOT), updated.table(ROOT)].map(
      ({ bytes }) => checked(bytes).code,
    );
  };
  const alike = (code: string | null) => [code, code, code];
  const node = (kids: string, parent = '') => `<< /Type /Pages /Count 1 /Kids [${kids}] ${parent} >>`;
  const PAGE = '<< /Type /Page /Parent 2 0 R >>';

  test.each<[string, Record<number, string>]>([
    ['a root that is its own kid', { 2: node('2 0 R') }],
    ['a node that is its own kid', { 2: node('3 0 R'), 3: node('3 0 R', '/Parent 2 0 R') }],
    ['the kid of a kid that is an ancestor', { 2: node('3 0 R'), 3: node('4 0 R'), 4: node('2 0 R') }],
    ['two nodes that are kids of each other', { 2: node('3 0 R'), 3: node('4 0 R'), 4: node('3 0 R') }],
    ['a page that is there twice', { 2: node('3 0 R 3 0 R'), 3: PAGE }],
    ['a page of two nodes', { 2: node('3 0 R 4 0 R'), 3: node('5 0 R'), 4: node('5 0 R'), 5: PAGE }],
    ['kids of kids that double with each level', doubling(30)],
    ['a list of kids elsewhere that leads back', { 2: '<< /Type /Pages /Kids 3 0 R >>', 3: '[4 0 R 2 0 R]', 4: PAGE }],
    ['a page that is its own parent', { 2: node('3 0 R'), 3: '<< /Type /Page /Parent 3 0 R >>' }],
    ['a root that has a page for its parent', { 2: node('3 0 R', '/Parent 3 0 R'), 3: PAGE }],
  ])('in its pages: %s', (_what, objects) => {
    expect(pages(objects)).toEqual(alike('looping_pages'));
  });

  function doubling(levels: number): Record<number, string> {
    const nodes = Array.from({ length: levels }, (_, level) => [level + 2, node(`${level + 3} 0 R ${level + 3} 0 R`)]);
    return { ...(Object.fromEntries(nodes) as Record<number, string>), [levels + 2]: PAGE };
  }

  test('in pages without a root, or with kids that are none, is damaged; one level under another without end is not followed', () => {
    expect(pages({ 1: '<< /Type /Catalog >>' })).toEqual(alike('damaged'));
    expect(pages({ 2: node('<< /Type /Page >>') })).toEqual(alike('damaged'));
    expect(pages({ 2: '<< /Type /Pages /Kids (3) >>' })).toEqual(alike('damaged'));
    const chain = Array.from({ length: 1_000 }, (_, level) => [level + 2, node(`${level + 3} 0 R`)]);
    expect(pages(Object.fromEntries(chain) as Record<number, string>)).toEqual(alike('uncheckable'));
  });

  test('in pages that an update has replaced is a file like another, and one that an update brings is not', () => {
    const looping = new PdfWriter().object(1, '<< /Type /Catalog /Pages 2 0 R >>').object(2, node('2 0 R')).table(ROOT);
    expect(checked(looping.object(2, node('3 0 R')).object(3, PAGE).table(ROOT).bytes).code).toBeNull();
    expect(checked(unfinished().table(ROOT).object(3, node('2 0 R')).table(ROOT).bytes).code).toBe('looping_pages');
  });

  test('with a wide tree, kids in a list of their own and missing ones is a document like another', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => index + 10);
    const list = `[${many.map(number => `${number} 0 R`).join(' ')} 9999 0 R]`;
    const wide = Object.fromEntries(many.map(number => [number, PAGE])) as Record<number, string>;
    expect(pages({ 2: '<< /Type /Pages /Count 2000 /Kids 3 0 R >>', 3: list, ...wide })).toEqual(alike(null));
    expect(pages({ 2: node('null 3 0 R'), 3: PAGE })).toEqual(alike(null));
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
    expect(checked(inEachOther.xrefStream(90, ROOT).bytes).code).toBe('damaged');
    const goingOn = (first: number, second: number) =>
      unfinished()
        .stream(80, `/Type /ObjStm /N 1 /First 5 /Extends ${first} 0 R`, '10 0 null')
        .stream(81, `/Type /ObjStm /N 1 /First 5 /Extends ${second} 0 R`, '11 0 null')
        .table(ROOT).bytes;
    expect(checked(goingOn(81, 80)).code).toBe('damaged');
    expect(checked(goingOn(80, 99)).code).toBe('damaged');
    expect(checked(goingOn(81, 99)).code).toBeNull();
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
      { numRuns: rounds(2_000) },
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
      { numRuns: rounds(2_000) },
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
      { numRuns: rounds(5_000) },
    );
  });

  test('two documents in one file have a known result', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.constantFrom(...samples), fc.nat(3_000), (outer, inner, at) => {
        expectKnown(Buffer.concat([outer.subarray(0, at % outer.length), inner, outer.subarray(at % outer.length)]));
      }),
      { numRuns: rounds(500) },
    );
  });
});
