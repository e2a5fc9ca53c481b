import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { csvLine } from '../csv.js';

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['semi;colon', '"semi;colon"'],
  ['a\tb', '"a\tb"'],
])('a text is in quotes where a reader could end a cell in it: %j', (text, field) => {
  expect(csvLine([text])).toBe(`${field}\r\n`);
});

test.each([
  ['=1+1', `"'=1+1"`],
  ['@SUM(1)', `"'@SUM(1)"`],
  ['＝1＋1', `"'＝1＋1"`],
  [' =1+1', `"' =1+1"`],
  ['\u00a0=1+1', `"'\u00a0=1+1"`],
  ['\0=1', `"'\0=1"`],
  ['\u200b-1-1', `"'\u200b-1-1"`],
  ['semi;colon;=1+1', `"semi;colon;'=1+1"`],
  ['tab\t=1+1', `"tab\t'=1+1"`],
  ['line\n=1+1', `"line\n'=1+1"`],
  ['a;"=1+1;b', `"a;'""=1+1;b"`],
  ['a; +cmd|x', `"a;' +cmd|x"`],
])('a formula is a text, wherever a reader begins a cell: %j', (text, field) => {
  expect(csvLine([text])).toBe(`${field}\r\n`);
});

test.each(['-500.00', '+1', '0', '12.5', 'a-b', 'x=1', 'e@mail.example', '1;-2.50'])(
  'a number, and a sign within a text, stay as they are: %j',
  text => {
    expect(csvLine([text]).replace(/^"|"?\r\n$/g, '')).toBe(text);
  },
);

test('no part of a line begins with a formula for any separator, and readers of RFC 4180 get each cell', () => {
  const cell = fc.string({ unit: fc.constantFrom(...'=+-@;,\t"\r\n\' \0aé1.＝') });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), cells => {
      const line = csvLine(cells);
      expect(cellsOf(line).map(withoutApostrophes)).toEqual(cells.map(withoutApostrophes));
      for (const separators of [/[;\r\n]/, /[\t\r\n]/, /[;\t\r\n]/]) {
        // A reader with these separators knows a quote at the beginning of a cell alone.
        const others = `x,${line}`.split(separators).slice(1);
        for (const begun of others) expect(begun).not.toMatch(/^[\s"\0]*[=@＝]/u);
      }
    }),
  );
});

const withoutApostrophes = (text: string): string => text.replaceAll("'", '');

/** Reads a line as RFC 4180 has it. */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n$)/gy)];
  return cells.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
