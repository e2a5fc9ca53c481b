import { describe, expect, test } from '@jest/globals';
import { csvRows, type CsvDialect, type CsvRow } from '../../../lib/csv/csv-rows.js';

async function rowsOf(bytes: Buffer, dialect: Partial<CsvDialect> = {}, chunkBytes = 3): Promise<CsvRow[]> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const rows: CsvRow[] = [];
  for await (const row of csvRows(chunks(), { maxRowBytes: 200, ...dialect })) rows.push(row);
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
    expect(await rowsOf(Buffer.from(text))).toEqual([
      { line: 2, cells: ['a', 'b'] },
      { line: 4, cells: [' x" ', ['two', 'lines', 'here'].join(end)] },
      { line: 8, cells: ['last', '1'] },
    ]);
  });

  test('as nothing, where there is nothing', async () => {
    expect(await rowsOf(Buffer.alloc(0))).toEqual([]);
    expect(await rowsOf(Buffer.from('\uFEFF'))).toEqual([]);
    expect(await rowsOf(Buffer.from('a'))).toEqual([{ line: 1, cells: ['a'] }]);
  });
});

test.each([
  [
    'a quote that is not closed',
    'a,b\n1,2\n3,"x',
    'The row that begins on line 3 has a cell whose quote is not closed.',
  ],
  ['a quote inside of a cell', 'a,b\n1,2"', 'The row that begins on line 2 has a quote inside a cell.'],
  ['text behind a quote', 'a,b\n1,"2"x', 'The row that begins on line 2 has text behind the closing quote of a cell.'],
  ['a row that is too long', `a,b\n1,${'x'.repeat(300)}`, 'The row that begins on line 2 is too long.'],
])('%s is told with its line, and without its text', async (_what, text, message) => {
  const error = await rowsOf(Buffer.from(text)).catch((thrown: unknown) => thrown as Error);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message.startsWith(message)).toBe(true);
});
