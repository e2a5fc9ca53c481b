import { describe, expect, test } from '@jest/globals';
import { csvRows } from '../csv-rows.js';
import { MAX_CELLS, type CsvRow, type RowFault } from '../rows.js';

type Form = Partial<Parameters<typeof csvRows>[1]>;

async function rowsOf(bytes: Buffer, form: Form = {}, chunkBytes = 3): Promise<CsvRow[]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const rows: CsvRow[] = [];
  for await (const row of csvRows(chunks(), { maxRowCharacters: 200, ...form })) rows.push(row);
  return rows;
}

const TEXT = 'Name;Straße\r\nInès;"Rue €; 5"\r\n';
const CELLS = [
  ['Name', 'Straße'],
  ['Inès', 'Rue €; 5'],
];
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('CSV is read', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark, as Excel writes it', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16 the other way around', utf16be(`\uFEFF${TEXT}`)],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['Windows-1252', Buffer.from(TEXT.replace('€', '\u0080'), 'latin1')],
  ])('in %s, whatever the chunks', async (_encoding, bytes) => {
    for (const chunkBytes of [1, 2, 3, 7, 1000]) {
      const rows = await rowsOf(bytes, {}, chunkBytes);
      expect([chunkBytes, rows.map(({ cells }) => cells)]).toEqual([chunkBytes, CELLS]);
    }
  });

  test('in the encoding that is named, and not in another one', async () => {
    const bytes = Buffer.from('a\r\n\u00c3\u00a9\r\n', 'latin1');
    expect((await rowsOf(bytes, { encoding: 'windows-1252' })).at(-1)?.cells).toEqual(['Ã©']);
    expect((await rowsOf(bytes)).at(-1)?.cells).toEqual(['é']);
    await expect(rowsOf(Buffer.from('é\r\né', 'latin1'), { encoding: 'utf-8' })).rejects.toThrow(
      'The file is not utf-8 throughout.',
    );
  });

  test.each([
    ['commas', 'a,b;c\n1,2;3', 'b;c'],
    ['semicolons', 'a;"b,c,d"\n1;2,3', 'b,c,d'],
    ['tabs', 'a\t"b;;;c"\n1\t2', 'b;;;c'],
    ['bars', 'a|b\n1|2', 'b'],
    ['what the line of Excel says', 'sep=;\r\na,x;b\r\n1;2', 'b'],
  ])('with %s between cells', async (_separator, text, second) => {
    const rows = await rowsOf(Buffer.from(text));
    expect(rows.map(({ cells }) => cells.length)).toEqual([2, 2]);
    expect(rows[0]?.cells[1]).toBe(second);
  });

  test('with the separator that is named', async () => {
    expect((await rowsOf(Buffer.from('a;b,c,d'), { separator: ';' }))[0]?.cells).toEqual(['a', 'b,c,d']);
  });

  test.each(['\n', '\r\n', '\r'])('with the lines on which rows begin, ended by %j', async end => {
    const text = ['sep=,', 'a,b', '', '" x"" ","two', 'lines', 'here"', ' , ', 'last , 1'].join(end);
    expect((await rowsOf(Buffer.from(text))).map(({ line, cells }) => ({ line, cells }))).toEqual([
      { line: 2, cells: ['a', 'b'] },
      { line: 4, cells: [' x" ', ['two', 'lines', 'here'].join(end)] },
      { line: 8, cells: ['last', '1'] },
    ]);
  });

  test('as nothing, where there is nothing', async () => {
    expect(await rowsOf(Buffer.alloc(0))).toEqual([]);
    expect(await rowsOf(Buffer.from('\uFEFF'))).toEqual([]);
    expect(await rowsOf(Buffer.from('a'))).toMatchObject([{ line: 1, cells: ['a'], fault: null }]);
  });
});

/** The first cells of the rows that are right, and the lines and faults of the others. */
function outcomeOf(rows: readonly CsvRow[]): (string | [line: number, fault: RowFault])[] {
  return rows.slice(1).map(({ line, cells, fault }) => (fault === null ? `${cells[0]}@${line}` : [line, fault]));
}

describe('a fault ends its row, and the rows behind it are read', () => {
  test.each<[what: string, lines: string[], outcome: unknown]>([
    ['a quote that is not closed', ['1,"x', '2,y', '3,z'], [[2, 'not closed'], '2@3', '3@4']],
    ['a quote that is not closed on the last line', ['1,x', '2,"y'], ['1@2', [3, 'not closed']]],
    ['a quote that seems to close in a later row', ['1,"x', '2,y', '3,"z"'], [[2, 'text behind quote'], '2@3', '3@4']],
    ['quotes inside of a cell', ['1,Café "Zur Mühle"', '2,y'], [[2, 'quote inside'], '2@3']],
    ['quotes inside of a cell in quotes', ['1,"Café "Zur Mühle""', '"2","y"'], [[2, 'text behind quote'], '2@3']],
    ['a row that is too long', [`1,${'x'.repeat(300)}`, '2,y'], [[2, 'too long'], '2@3']],
    [
      'a row that is too long in quotes',
      [`1,"${'x\n'.repeat(150)}"`, '2,y'],
      expect.arrayContaining([[2, 'too long'], '2@153']),
    ],
    ['rows that are too long at the end', ['1,x', `2,${'y'.repeat(900)}`], ['1@2', [3, 'too long']]],
    ['more cells than a record has fields', ['1' + ','.repeat(MAX_CELLS), '2,y'], [[2, 'too many cells'], '2@3']],
  ])('%s', async (_what, lines, outcome) => {
    const maxRowCharacters = lines[0]?.startsWith('1,,') ? 2000 : 200;
    for (const end of ['\n', '\r\n', '\r']) {
      for (const chunkBytes of [1, 7, 100, 5000]) {
        const text = ['a,b', ...lines].join(end).replaceAll(/\n(?<!\r\n)/g, end);
        const rows = await rowsOf(Buffer.from(text), { encoding: 'utf-8', maxRowCharacters }, chunkBytes);
        expect([end, chunkBytes, outcomeOf(rows)]).toEqual([end, chunkBytes, outcome]);
      }
    }
  });

  test('in time that grows with the length, whatever the quotes', async () => {
    const texts = ['"x', '"', '""', ', "', 'x"', '",', '"a"b', '"\n"x'];
    for (const text of texts) {
      const bytes = Buffer.from(`a,b\n${`${text}\n`.repeat(60_000)}`);
      const rows = await rowsOf(bytes, { maxRowCharacters: 1024 * 1024 }, 64 * 1024);
      expect(rows[0]?.cells).toEqual(['a', 'b']);
    }
  });

  test('but a header that has one is told with its line, and without its text', async () => {
    const error = await rowsOf(Buffer.from('\na,SECRET "b"\n1,2')).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({
      name: 'UnreadableCsv',
      message: expect.stringMatching(/^The header on line 2 has a quote inside a cell\..* name it as headerLine\.$/),
    });
  });
});

test.each([
  ['a CRLF header and LF rows', 'a,b\r\n1,2\n3,4\n'],
  ['an LF header and CRLF rows', 'a,b\n1,2\r\n3,4'],
  ['all line breaks in turn', 'a,b\r1,2\r\n3,4\n'],
])('rows of a file with %s', async (_what, text) => {
  expect((await rowsOf(Buffer.from(text), {}, 1)).map(({ line, cells }) => [line, ...cells])).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2'],
    [3, '3', '4'],
  ]);
});

describe('the header', () => {
  const FILE = ['Konto "Giro;', '', 'Saldo;1.00', 'Tag;Betrag', '1;2'].join('\r\n');

  test('is on the line that is named, whatever stands before it', async () => {
    for (const chunkBytes of [1, 1000]) {
      const rows = await rowsOf(Buffer.from(FILE), { headerLine: 4 }, chunkBytes);
      expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
        [4, 'Tag', 'Betrag'],
        [5, '1', '2'],
      ]);
    }
  });

  test('is on the next line that is not blank', async () => {
    expect((await rowsOf(Buffer.from(FILE), { headerLine: 2 }))[0]).toMatchObject({
      line: 3,
      cells: ['Saldo', '1.00'],
    });
  });

  test('is missed where the file is shorter', async () => {
    await expect(rowsOf(Buffer.from(FILE), { headerLine: 9 })).rejects.toThrow('no header on line 9');
  });
});
