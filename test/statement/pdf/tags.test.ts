import { expect, test } from '@jest/globals';
import { allOf, contentsOf, objectsOf, rowsOf, tagsOf } from '../../../lib/typeset/test/tags.js';
import { aStatement, aTaxForm, pdfOf, taxFormPdf } from './contents.js';

const LOGO = { svgPath: 'M0 0h24v24h-24z', viewBox: [0, 0, 24, 24], color: '#0a3d5c' } as const;

test('a statement has its title, its language and headings in their order', async () => {
  const pdf = pdfOf(aStatement());
  const objects = [...objectsOf(pdf).values()].join('\n');
  expect(objects).toMatch(/\/Type\/Catalog.*\/MarkInfo<<\/Marked true>>\/Lang\(en-US\)/);
  const tree = await tagsOf(pdf);
  expect(allOf('H1', tree).map(({ text }) => text)).toEqual(['Account statement']);
  expect(allOf('H2', tree).map(({ text }) => text)).toEqual(['Summary', 'Interest', 'Fees', 'Transactions']);
});

test('each table is rows of as many cells as it has heads, which are heads of columns', async () => {
  const tree = await tagsOf(pdfOf(aStatement({ entries: 120 })));
  const tables = allOf('Table', tree);
  expect(tables).toHaveLength(4);
  for (const table of tables) {
    const [heads, ...rows] = allOf('TR', table);
    expect(heads!.parts.every(({ tag, entries }) => tag === 'TH' && entries.includes('/Scope/Column'))).toBe(true);
    for (const { parts } of rows) {
      expect(parts).toHaveLength(heads!.parts.length);
      expect(parts.every(({ tag, entries }) => tag === 'TD' || entries.includes('/Scope/Row'))).toBe(true);
    }
  }
});

test('the transactions are one table of every entry over all pages, without what pages repeat', async () => {
  const content = aStatement({ entries: 120 });
  const table = allOf('Table', await tagsOf(pdfOf(content))).at(-1)!;
  const [heads, opening, ...rows] = rowsOf(table);
  const closing = rows.pop();
  expect(heads).toEqual(['Date', 'Description', 'Credit', 'Debit', 'Balance']);
  expect(opening).toEqual(['Oct 1', 'Opening balance', '', '', '2,500.00']);
  expect(
    rows.map(([, description, credit, debit]) => [description!.split(/ (?=Card|ACH)/)[0], credit! + debit!]),
  ).toEqual(
    content.entries.map(({ description, amount }) => [
      description,
      Number(amount).toLocaleString('en', { minimumFractionDigits: 2 }),
    ]),
  );
  expect(closing!.slice(0, 2)).toEqual(['Oct 31', 'Closing balance']);
  expect(table.text).not.toMatch(/forward|Page/);
});

test('lines of a part are kept apart by spaces, for readers that do not look where they stand', () => {
  const parts = contentsOf(pdfOf(aStatement())).flatMap(content => content.match(/BDC[^]*?EMC/g) ?? []);
  const lines = parts.map(part => part.match(/\[<[0-9a-f]{4}/g) ?? []).filter(({ length }) => length > 1);
  expect(lines.length).toBeGreaterThan(5);
  // The first character of the shared fonts is the space.
  for (const [, ...next] of lines) expect(new Set(next)).toEqual(new Set(['[<0001']));
});

test('a logo is a figure with words in its place, and a place on the page', async () => {
  const tree = await tagsOf(pdfOf(aStatement(), LOGO));
  const [figure, ...others] = allOf('Figure', tree);
  expect(others).toEqual([]);
  expect(figure!.entries).toContain('/Alt (Logo of First Harbor Bank)');
  expect(figure!.entries).toMatch(/\/O\/Layout\/Placement\/Block\/BBox\[54 706 94 746\]/);
  expect(allOf('Figure', await tagsOf(pdfOf(aStatement())))).toEqual([]);
});

test('the account number is read aloud as its end, and joint owners are a list', async () => {
  const tree = await tagsOf(pdfOf(aStatement()));
  const number = allOf('P', tree).find(({ text }) => text === 'Account number •••• 7731');
  expect(number!.entries).toContain('/ActualText (Account number ending in 7731)');
  expect(allOf('LI', tree).map(({ text }) => text)).toEqual(['Marisol Whitcombe', 'Theodore Whitcombe']);
});

test('a form is read as its title, its boxes each with their caption, and whether it is corrected', async () => {
  const correctedStatementId = '7b1d2f30-0000-4000-8000-00000000abcd';
  const tree = await tagsOf(taxFormPdf(aTaxForm({ correctedStatementId })));
  expect(tree.parts[0]).toMatchObject({ tag: 'H1', text: expect.stringMatching(/^Form ?1099-INT/) });
  expect(tree.parts.some(({ entries }) => entries.includes('/ActualText (CORRECTED: checked)'))).toBe(true);
  const texts = allOf('P', tree).map(({ text }) => text);
  expect(texts.find(text => text.includes('Interest income'))).toMatch(/^1.*Interest income.*\$.*1,234\.56$/);
  expect(texts.find(text => text.startsWith("RECIPIENT'S name"))).toMatch(/Marisol Whitcombe$/);
  const first = await tagsOf(taxFormPdf(aTaxForm()));
  expect(first.parts.some(({ entries }) => entries.includes('/ActualText (CORRECTED: not checked)'))).toBe(true);
});
