import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type StatementContent, type TaxFormContent } from '../../../src/bank/statement/statement.content.js';
import { aStatement, aTaxForm, pdfOf, reportPdf, taxFormPdf } from './contents.js';
import { type Read, read } from '../../../lib/typeset/test/reading.js';
import { rounds } from '../../support/rounds.js';

test('whatever its texts are, a statement has all of its amounts, and nothing runs off the page', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyText(1_200), cents()), { maxLength: 40 }),
      statementTexts(),
      async (rows, texts) => {
        const entries = rows.map(([description, minor], index) => entryOf(description, minor, index));
        const document = await read(pdfOf({ ...aStatement({ entries }), ...texts }));
        for (const { amount } of entries) expect(document.text).toContain(shown(amount));
        expectInsideThePage(document);
      },
    ),
    { numRuns: rounds(12) },
  );
});

test('whatever its days are, a report has both of them whole, and nothing runs off the page', async () => {
  const day = fc.date({ min: new Date('1850-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(day, day, async (one, other) => {
      const [start = '', end = ''] = [one, other].map(at => at.toISOString().slice(0, 10)).toSorted();
      const document = await read(reportPdf({ ...aStatement(), period: { start, end } }));
      const [period] = /Report period.*?Account number/s.exec(document.texts[0]!) ?? [];
      expect(period?.match(/\d{4}/g)).toContain(end.slice(0, 4));
      expectInsideThePage(document);
    }),
    { numRuns: rounds(12) },
  );
});

test('whatever its texts are, a tax form has all of its amounts, and nothing runs off the page', async () => {
  await fc.assert(
    fc.asyncProperty(cents(), cents(), formTexts(), async (interest, withheld, texts) => {
      const boxes = { 1: decimal(interest), 4: decimal(withheld), ...texts.boxes };
      const document = await read(taxFormPdf({ ...aTaxForm(), ...texts, boxes }));
      expect(document.pages).toHaveLength(2);
      expect(document.text).toContain(shown(boxes[1]));
      expect(document.text).toContain(shown(boxes[4]));
      expectInsideThePage(document);
    }),
    { numRuns: rounds(12) },
  );
});

test('a text of any length does not reach into its neighbour', async () => {
  for (const letter of ['W', 'i', '漢', 'שלום ', 'a\u0301\u0316'.repeat(9)]) {
    const { entries } = aStatement({ entries: 1 });
    const long = {
      ...entries[0]!,
      description: letter.repeat(1_500),
      transactionType: letter.repeat(200),
      amount: '123456789012345.67',
    };
    const { pages } = await read(pdfOf(aStatement({ entries: [long, entries[0]!] })));
    const isOfDescription = (text: string): boolean =>
      text.length > 10 && [...text].every(each => `${letter}…`.includes(each));
    const descriptions = pages.flat().filter(item => item.y < 320 && item.x > 60 && isOfDescription(item.text));
    for (const { x, width } of descriptions) expect(x + width).toBeLessThan(315);
  }
});

function expectInsideThePage({ pages }: Read): void {
  for (const { x, y, width, size } of pages.flat()) {
    expect(x).toBeGreaterThanOrEqual(50);
    expect(x + width).toBeLessThanOrEqual(562);
    expect(y).toBeGreaterThanOrEqual(30);
    expect(y + size).toBeLessThanOrEqual(770);
  }
}

// Any code units at all, among them halves of characters; and names as people have them, repeated until they are long.
function anyText(maxLength: number): fc.Arbitrary<string> {
  const units = fc.string({ unit: fc.nat(0xffff).map(unit => String.fromCharCode(unit)), maxLength: 60 });
  const graphemes = fc.string({ unit: 'grapheme', maxLength: maxLength / 4 });
  const words = fc.constantFrom(
    'Dvořák ',
    'Παπαδόπουλος ',
    'כהן ',
    'محمد ',
    '山田',
    '홍 ',
    'Wolfeschlegelsteinhausen',
    '\n',
    '🎉',
    ')',
  );
  const repeated = fc.array(words, { maxLength: 12 }).map(all => all.join('').repeat(20).slice(0, maxLength));
  return fc.oneof(units, graphemes, repeated);
}

function cents(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 10 ** 15 });
}

function statementTexts(): fc.Arbitrary<Partial<StatementContent>> {
  return fc.record({
    owners: fc.array(anyText(300), { maxLength: 5 }),
    addressLines: fc.array(anyText(200), { maxLength: 8 }),
    issuer: fc.record({
      name: anyText(300),
      addressLines: fc.array(anyText(200), { maxLength: 6 }),
      telephone: anyText(60),
    }),
  });
}

function formTexts(): fc.Arbitrary<Pick<TaxFormContent, 'payer' | 'recipient' | 'boxes'>> {
  return fc.record({
    payer: fc.record({
      name: anyText(300),
      addressLines: fc.array(anyText(200), { maxLength: 6 }),
      telephone: anyText(60),
      taxId: anyText(20),
    }),
    recipient: fc.record({
      name: anyText(300),
      addressLines: fc.array(anyText(200), { maxLength: 8 }),
      taxId: fc.option(anyText(20)),
    }),
    boxes: fc.record({ 7: anyText(100), 14: anyText(40), 15: anyText(20), 16: anyText(40) }),
  });
}

function entryOf(description: string, minor: number, index: number): StatementContent['entries'][number] {
  return {
    transactionId: `t${index}`,
    postedOn: '2026-10-09',
    description,
    transactionType: 'WIRE_TRANSFER',
    direction: index % 2 ? 'CREDIT' : 'DEBIT',
    amount: decimal(minor),
    balance: decimal(-minor),
  };
}

function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function shown(amount: string): string {
  const [whole, fraction] = amount.split('.');
  return `${BigInt(whole!).toLocaleString('en-US')}.${fraction}`;
}
