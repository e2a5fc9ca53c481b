import { describe, expect, test } from '@jest/globals';
import { renderStatement } from '../../../src/statement/pdf/statement.pdf.js';
import { aStatement, LONG_ADDRESS } from './contents.js';
import { read } from '../../lib/typeset/reading.js';

describe('a statement as PDF', () => {
  test('says who issued it, for whom, of which account and period', async () => {
    const { texts } = await read(renderStatement(aStatement()));
    expectInOrder(texts[0]!, [
      ...['First Harbor Bank', '400 Quay Street', 'Portland, ME 04101', '+1 207 555 0142'],
      ...['Marisol Whitcombe', '12 Lantern Hill Road', 'Apartment 4B', 'Brunswick, ME 04011'],
      ...['Account statement', 'October 1, 2026 to October 31, 2026', '••••••7731', 'Checking account'],
      ...['Account owners', 'Marisol Whitcombe', 'Theodore Whitcombe'],
    ]);
  });

  test('sums up the balances, the interest and the fees', async () => {
    const { text } = await read(renderStatement(aStatement({ entries: 5 })));
    expectInOrder(text, [
      ...[
        'Summary',
        'Opening balance on October 1, 2026',
        '2,500.00',
        'Credits (1)',
        '1,850.04',
        'Debits (4)',
        '46.22',
      ],
      ...['Closing balance', '4,303.82'],
      ...['Interest paid this period', '1.27', 'Interest paid, year to date', '11.94'],
      ...['Annual percentage yield earned', '0.50%', 'Average daily balance', '2,987.45', 'Days in period', '31'],
      ...[
        'Fees',
        'Out-of-network ATM fee',
        '2 ×',
        '6.00',
        'Monthly maintenance fee',
        '1 ×',
        '12.00',
        'Total fees',
        '18.00',
      ],
    ]);
  });

  test('has every entry once and in order over many pages, each of which has the heads of the columns and its number', async () => {
    const content = aStatement({ entries: 200 });
    const { texts, text } = await read(renderStatement(content));
    expect(texts.length).toBeGreaterThan(3);
    expectInOrder(text, [
      'Opening balance 2,500.00',
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
      expect(page).toContain('••••••7731');
    });
  });

  test('puts credits, debits and balances under their heads, right edge to right edge', async () => {
    const { pages } = await read(renderStatement(aStatement({ entries: 8 })));
    const rightEdges = (text: string): number[] =>
      pages[0]!.filter(item => item.text === text && item.y < 300).map(item => Math.round(item.x + item.width));
    expect(rightEdges('1,850.04')).toEqual(rightEdges('Credit'));
    expect(rightEdges('11.00')).toEqual(rightEdges('Debit'));
    expect(rightEdges('2,489.00')).toEqual(rightEdges('Balance'));
  });

  test('shows amounts with the digits of their currency, and what is below zero with a minus', async () => {
    const amounts = { openingBalance: '-1250', closingBalance: '-1234567890123456', entries: 0 };
    const yen = await read(renderStatement(aStatement({ ...amounts, account: { currency: 'JPY' } })));
    expectInOrder(yen.text, ['Amounts in JPY', '−1,250', '−1,234,567,890,123,456']);
    const dinars = aStatement({ account: { currency: 'KWD' }, openingBalance: '1250000.125', entries: 0 });
    expectInOrder((await read(renderStatement(dinars))).text, ['Amounts in KWD', '1,250,000.125']);
  });

  test('says that nothing happened when nothing did', async () => {
    const quiet = aStatement({
      ...{ entries: 0, fees: { items: [], total: '0.00' } },
      interest: {
        paid: '0.00',
        paidYearToDate: '0.00',
        averageDailyBalance: '2500.00',
        annualPercentageYieldEarned: null,
      },
    });
    const { text } = await read(renderStatement(quiet));
    expectInOrder(text, [
      'Annual percentage yield earned none',
      'No fees were charged',
      'Opening balance',
      'No activity',
      'Closing',
    ]);
  });

  test('stands without owners and addresses', async () => {
    const bare = aStatement({
      owners: [],
      addressLines: [],
      issuer: { name: 'Quay', addressLines: [], telephone: null },
    });
    const { text } = await read(renderStatement(bare));
    expect(text).not.toContain('Account owner');
    expect(text).toContain('Closing balance');
  });

  test('shows every line of a long address in the window, and all of the last one where there is room', async () => {
    const { pages, text } = await read(renderStatement(aStatement(LONG_ADDRESS)));
    expectInOrder(text, [
      ...['Wilhelmina Konstantinopolska', 'Residential Quarter', 'Staircase C', 'Care of the', '…'],
      ...['Llanfairpwllgwyngyll, Isle of Anglesey', 'United', 'Kingdom', 'Account statement'],
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
    const { text } = await read(renderStatement(aStatement({ entries: [entries[0]!, long, entries[2]!] })));
    expectInOrder(text, ['Corner bakery no. 1', 'Transfer for the renovation', '…', 'Electric company no. 3']);
  });
});

describe('the file of a statement', () => {
  test('has a title, its language and a date, and says nothing of its making', async () => {
    const pdf = renderStatement(aStatement());
    const { info } = await read(pdf);
    expect(info).toMatchObject({
      Title: 'First Harbor Bank: statement of account ••••••7731, 2026-10-01 to 2026-10-31',
      ...{ Author: 'First Harbor Bank', Producer: 'Tillgate', Creator: 'Tillgate', Language: 'en-US' },
      ...{ CreationDate: 'D:20261101000000Z', ModDate: 'D:20261101000000Z' },
    });
    const bytes = pdf.toString('latin1');
    expect(bytes).toContain('/DisplayDocTitle true');
    expect(bytes).not.toMatch(/\/JavaScript|\/EmbeddedFile/);
  });

  test('is the same for the same content, and another one for another document', () => {
    const content = aStatement({ entries: 70, owners: ['Žofie Dvořáková', '山田 花子'] });
    const first = renderStatement(content);
    renderStatement(aStatement({ owners: ['Wolfgang Müller', 'محمد الأحمد', 'Ωmega'] }));
    expect(renderStatement(structuredClone(content)).equals(first)).toBe(true);
    expect(renderStatement({ ...content, statementId: 'another' }).equals(first)).toBe(false);
  });

  test('is small, and has large fonts only where they are needed and in part', () => {
    expect(renderStatement(aStatement({ entries: 56 })).length).toBeLessThan(60_000);
    expect(renderStatement(aStatement({ entries: 56, owners: ['山田 花子', '김철수', '李明'] })).length).toBeLessThan(
      120_000,
    );
  });
});

function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) throw new Error(`'${part}' is not there, or not in its place, in: ${text.slice(from, from + 400)}`);
    from = at + part.length;
  }
  expect(from).toBeGreaterThan(0);
}
