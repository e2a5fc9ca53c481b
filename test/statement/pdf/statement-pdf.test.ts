import { describe, expect, test } from '@jest/globals';
import { expectInOrder } from '../../support/in-order.js';
import { aStatement, LONG_ADDRESS, pdfOf } from './contents.js';
import { checkPdf } from '../../../lib/pdf-check/pdf-check.js';
import { pngOf } from '../../../lib/typeset/test/png.js';
import { read } from '../../../lib/typeset/test/reading.js';
import { objectsOf } from '../../../lib/typeset/test/tags.js';

const NO_FEES = { fees: { items: [], total: '0.00', totalYearToDate: '0.00' } };
const NO_INTEREST = {
  interest: {
    paid: '0.00',
    paidYearToDate: '0.00',
    averageDailyBalance: '2500.00',
    annualPercentageYieldEarned: null,
  },
};

describe('a statement as PDF', () => {
  test('says who issued it, for whom, of which account and period', async () => {
    const { texts } = await read(pdfOf(aStatement()));
    expectInOrder(texts[0]!, [
      'First Harbor Bank',
      '400 Quay Street',
      'Portland, ME 04101',
      '+1 207 555 0142',
      'Marisol Whitcombe',
      '12 Lantern Hill Road',
      'Apartment 4B',
      'Brunswick, ME 04011',
      'Account statement',
      'October 1 to 31, 2026',
      '•••• 7731',
      'Checking account',
      'November 1, 2026',
      'Account owners',
      'Marisol Whitcombe',
      'Theodore Whitcombe',
    ]);
  });

  test('sums up the balances, the interest and the fees', async () => {
    const { text } = await read(pdfOf(aStatement({ entries: 5 })));
    expectInOrder(text, [
      'Summary',
      'Amounts in USD',
      'Opening balance',
      'Credits',
      'Debits',
      'Closing balance',
      '2,500.00',
      'October 1, 2026',
      '1,850.04',
      '1 entry',
      '46.22',
      '4 entries',
      '4,303.82',
      'October 31, 2026',
      'Interest',
      'Interest paid this period',
      'Interest paid, year to date',
      'Annual percentage yield earned',
      'Average daily balance',
      'Days in period',
      '1.27',
      '11.94',
      '0.50%',
      '2,987.45',
      '31',
      'Fees',
      'Number',
      'Total for this period',
      'Total year-to-date',
      'Out-of-network ATM fee',
      '2',
      '6.00',
      'Monthly maintenance fee',
      '1',
      '12.00',
      'Total fees',
      '18.00',
      '96.00',
      'Transactions',
    ]);
  });

  test('has every entry once and in order over many pages, each of which has the heads of the columns and its number', async () => {
    const content = aStatement({ entries: 200 });
    const { texts, text } = await read(pdfOf(content));
    expect(texts.length).toBeGreaterThan(3);
    expectInOrder(text, [
      'Oct 1 Opening balance 2,500.00',
      ...content.entries.map(entry => entry.description),
      'Oct 31 Closing balance',
    ]);
    for (const entry of content.entries) expect(text.split(`${entry.description} `)).toHaveLength(2);
    texts.forEach((page, index) => {
      expectInOrder(page, [
        'Date',
        'Description',
        'Credit',
        'Debit',
        'Balance',
        `Page ${index + 1} of ${texts.length}`,
      ]);
      expect(page).toContain('•••• 7731');
    });
  });

  test('names a sole owner in full, however long the name is', async () => {
    const name = `Hubert ${'Featherstonehaugh-Mountjoy '.repeat(9)}the Elder`;
    const { texts } = await read(pdfOf(aStatement({ owners: [name], addressLines: LONG_ADDRESS.addressLines })));
    expectInOrder(texts[0]!, ['Account owner', ...name.split(' '), 'Summary']);
  });

  test('says whom to ask and how to report errors, on the same page where that fits', async () => {
    const errorResolution = {
      telephone: '+1 503 555 0111',
      email: null,
      addressLines: ['PO Box 11', 'Bath, ME 04530'],
    };
    const issuer = { ...aStatement().issuer, errorResolution };
    const few = await read(pdfOf(aStatement({ entries: 5, issuer })));
    expect(few.texts).toHaveLength(1);
    expectInOrder(few.text, [
      'Closing balance',
      'In case of errors or questions',
      'Direct inquiries to: +1 503 555 0111, PO Box 11, Bath',
      'Telephone us at +1 503 555 0111',
      '(3)',
      'complete our investigation.',
    ]);
    expect((await read(pdfOf(aStatement({ entries: 12, issuer })))).texts).toHaveLength(2);
  });

  test('puts credits, debits and balances under their heads, right edge to right edge', async () => {
    const { pages } = await read(pdfOf(aStatement({ entries: 8 })));
    const rightEdges = (text: string): number[] =>
      pages[0]!.filter(item => item.text === text && item.y < 300).map(item => Math.round(item.x + item.width));
    expect(rightEdges('1,850.04')).toEqual(rightEdges('Credit'));
    expect(rightEdges('11.00')).toEqual(rightEdges('Debit'));
    expect(rightEdges('2,489.00')).toEqual(rightEdges('Balance'));
  });

  test('shows amounts with the digits of their currency, and what is below zero with a minus', async () => {
    const amounts = { openingBalance: '-1250', closingBalance: '-1234567890123456', entries: 0 };
    const yen = await read(pdfOf(aStatement({ ...amounts, account: { currency: 'JPY' } })));
    expectInOrder(yen.text, ['Amounts in JPY', 'Closing balance, overdrawn', '−1,250', '−1,234,567,890,123,456']);
    const dinars = aStatement({ account: { currency: 'KWD' }, openingBalance: '1250000.125', entries: 0 });
    expectInOrder((await read(pdfOf(dinars))).text, ['Amounts in KWD', '1,250,000.125']);
  });

  test('says that nothing happened when nothing did, and nothing of fees and interest', async () => {
    const { text } = await read(pdfOf(aStatement({ entries: 0, ...NO_FEES, ...NO_INTEREST })));
    expectInOrder(text, ['0 entries', 'Transactions', 'Opening balance', 'No transactions in this period', 'Closing']);
    expect(text).not.toMatch(/Fee|Interest|yield/);
  });

  test('has no annual percentage yield where no interest was paid in the period', async () => {
    const interest = { ...aStatement().interest, paid: '0.00', annualPercentageYieldEarned: null };
    const { text } = await read(pdfOf(aStatement({ interest })));
    expectInOrder(text, ['Interest paid this period', 'Interest paid, year to date', '0.00', '11.94']);
    expect(text).not.toContain('yield');
  });

  test('has the fees of the year where the period has none', async () => {
    const fees = { items: [], total: '0.00', totalYearToDate: '24.00' };
    expectInOrder((await read(pdfOf(aStatement({ fees })))).text, ['Fees', 'Total fees', '0.00', '24.00']);
  });

  test('has the totals of overdrafts and returned items beside the fees, in the words of the regulation', async () => {
    const overdraft = {
      fees: { period: '60.00', yearToDate: '150.00' },
      returnedItemFees: { period: '0.00', yearToDate: '30.00' },
    };
    const { text } = await read(pdfOf(aStatement({ overdraft })));
    expectInOrder(text, [
      'Total for this period',
      'Total year-to-date',
      'Total fees',
      'Total Overdraft Fees',
      '60.00',
      '150.00',
      'Total Returned Item Fees',
      '0.00',
      '30.00',
      'Transactions',
    ]);
  });

  test('says how to report an error, in the words of model form A-3(b)', async () => {
    const errorResolution = {
      telephone: '+1 207 555 0143',
      email: 'errors@harbor.example',
      addressLines: ['P.O. Box 118', 'Portland, ME 04104'],
    };
    const notice = async (wanted: typeof errorResolution | null): Promise<string> => {
      const issuer = { ...aStatement().issuer, errorResolution: wanted };
      return (await read(pdfOf(aStatement({ issuer })))).text.replaceAll('\n', ' ');
    };
    expectInOrder(await notice(errorResolution), [
      'In case of errors or questions about your electronic transfers',
      'Telephone us at +1 207 555 0143',
      'or write us at P.O. Box 118, Portland, ME 04104',
      'or e-mail us at errors@harbor.example as soon as you can',
      'no later than 60 days after we sent you the FIRST statement',
      '(1)',
      '(2)',
      '(3)',
      'dollar amount',
      'We will investigate your complaint',
      'more than 10 business days',
      'complete our investigation.',
    ]);
    expect(await notice(null)).not.toContain('In case of errors');
  });

  test('is of one owner or of several, in their order', async () => {
    const owners = ['Marisol Whitcombe', 'Theodore Whitcombe', '山田 花子', 'محمد الأحمد', 'Žofie Dvořáková'];
    const of = async (count: number): Promise<string> =>
      (await read(pdfOf(aStatement({ owners: owners.slice(0, count) })))).text.normalize('NFKC');
    expect(await of(1)).not.toContain('Account owner');
    expectInOrder(await of(5), ['Account owners', ...owners, 'Summary']);
  });

  test('has the year beside a day of another year', async () => {
    const { entries } = aStatement({ entries: 2 });
    const late = { ...entries[0]!, postedOn: '2025-12-28' };
    expectInOrder((await read(pdfOf(aStatement({ entries: [late, entries[1]!] })))).text, ['Dec 28', '2025', 'Corner']);
  });

  test('stands without owners and addresses', async () => {
    const bare = aStatement({
      owners: [],
      addressLines: [],
      issuer: { name: 'Quay', addressLines: [], telephone: null },
    });
    const { text } = await read(pdfOf(bare));
    expect(text).not.toContain('Account owner');
    expect(text).toContain('Closing balance');
  });

  test('shows every line of a long address in the window, and all of the last one where there is room', async () => {
    const { pages, text } = await read(pdfOf(aStatement(LONG_ADDRESS)));
    expectInOrder(text, [
      'Wilhelmina Konstantinopolska',
      'Residential Quarter',
      'Staircase C',
      'Care of the',
      '…',
      'Llanfairpwllgwyngyll, Isle of Anglesey',
      'United',
      'Kingdom',
      'Account statement',
    ]);
    const [first, last] = [/^Wilhelmina/, /Kingdom$/].map(part => pages[0]!.find(item => part.test(item.text)));
    expect(first!.y - last!.y).toBeLessThan(72);
    for (const item of pages[0]!.filter(({ x, y }) => x === first!.x && y <= first!.y && y >= last!.y)) {
      expect(item.width).toBeLessThanOrEqual(264);
    }
  });

  test('breaks long descriptions into lines, and ends with an ellipsis what is longer than that', async () => {
    const { entries } = aStatement({ entries: 3 });
    const long = { ...entries[1]!, description: 'Transfer for the renovation of the boat house '.repeat(40) };
    const { text } = await read(pdfOf(aStatement({ entries: [entries[0]!, long, entries[2]!] })));
    expectInOrder(text, ['Corner bakery no. 1', 'Transfer for the renovation', '…', 'Electric company no. 3']);
  });
});

describe('the file of a statement', () => {
  test('has a title, its language and a date, and says nothing of its making', async () => {
    const pdf = pdfOf(aStatement());
    const { info } = await read(pdf);
    expect(info).toMatchObject({
      Title: 'First Harbor Bank: statement of account •••• 7731, October 1 to 31, 2026',
      Author: 'First Harbor Bank',
      Producer: 'Tillgate',
      Creator: 'Tillgate',
      Language: 'en-US',
      CreationDate: 'D:20261101000000Z',
      ModDate: 'D:20261101000000Z',
    });
    const objects = [...objectsOf(pdf).values()].join('\n');
    expect(objects).toContain('/DisplayDocTitle true');
    expect(objects).not.toMatch(/\/JavaScript|\/EmbeddedFile/);
    expect(checkPdf(pdf)).toBeNull();
  });

  test('is the same for the same content, and another one for another document', () => {
    const content = aStatement({ entries: 70, owners: ['Žofie Dvořáková', '山田 花子'] });
    const first = pdfOf(content);
    pdfOf(aStatement({ owners: ['Wolfgang Müller', 'محمد الأحمد', 'Ωmega'] }));
    expect(pdfOf(structuredClone(content)).equals(first)).toBe(true);
    expect(pdfOf({ ...content, statementId: 'another' }).equals(first)).toBe(false);
  });

  test('is the same for the same logo, whatever was drawn before it', () => {
    const dots = Array.from({ length: 64 }, (_, dot) => [dot * 4, 80, 120, dot % 2 ? 255 : 0]).flat();
    const png = { png: pngOf({ width: 8, height: 8, kind: 6, dots }).toString('base64') };
    const outline = { svgPath: 'M0 0h24v24h-24z', viewBox: [0, 0, 24, 24], color: null } as const;
    const content = aStatement();
    const [first, second] = [pdfOf(content, png), pdfOf(content, outline)];
    expect(pdfOf(content, structuredClone(png)).equals(first)).toBe(true);
    expect(pdfOf(content, outline).equals(second)).toBe(true);
    expect(new Set([first, second, pdfOf(content)].map(pdf => pdf.toString('base64'))).size).toBe(3);
    expect([first, second].map(pdf => checkPdf(pdf))).toEqual([null, null]);
  });

  test('has the name beside a mark, and above the address where a wide logo contains it', async () => {
    const logo = (width: number) => ({ svgPath: 'M0 0h9v9z', viewBox: [0, 0, width, 10], color: '#123456' }) as const;
    const place = async (width: number) =>
      (await read(pdfOf(aStatement(), logo(width)))).pages[0]!.find(({ text }) => text === 'First Harbor Bank');
    expect(await place(10)).toMatchObject({ x: expect.closeTo(106), size: 17 });
    expect(await place(40)).toMatchObject({ x: 348, size: 7.5 });
  });

  test('is small, and has large fonts only where they are needed and in part', () => {
    expect(pdfOf(aStatement({ entries: 56 })).length).toBeLessThan(60_000);
    expect(pdfOf(aStatement({ entries: 56, owners: ['山田 花子', '김철수', '李明'] })).length).toBeLessThan(120_000);
  });
});
