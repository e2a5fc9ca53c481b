import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StatementContent, StatementEntry } from '../../../src/bank/statement/statement.content.js';
import { type Item, read } from '../../../lib/typeset/test/reading.js';
import { aStatement, pdfOf } from './contents.js';
import { rounds } from '../../support/rounds.js';

/** An amount as it is shown, as a number. */
const numberOf = (text: string): number => Number(text.replaceAll(',', '').replace('−', '-'));

/** The balances of the rows of a page that have a text in place of a description, from the top down. */
function balancesBeside(page: readonly Item[], label: string): number[] {
  return page
    .filter(({ text, x }) => text === label && x < 100)
    .map(({ y }) => page.find(item => Math.abs(item.y - y) < 0.5 && Math.abs(item.x + item.width - 558) < 1))
    .map(item => numberOf(item?.text ?? ''));
}

const entriesOn = (page: readonly Item[]): number =>
  page.filter(({ text }) => /^(Card purchase|ACH credit)$/.test(text)).length;

async function expectWholePages(content: StatementContent): Promise<void> {
  const { pages } = await read(pdfOf(content));
  const first = pages.findIndex(page => page.some(({ text }) => text === 'Transactions'));
  const last = pages.findIndex(page => balancesBeside(page, 'Closing balance').length === 1);
  expect(balancesBeside(pages[last]!, 'Closing balance')).toEqual([Number(content.closingBalance)]);
  let shown = 0;
  for (let number = first; number <= last; number += 1) {
    const page = pages[number]!;
    const before = shown === 0 ? content.openingBalance : content.entries[shown - 1]!.balance;
    const count = entriesOn(page);
    shown += count;
    if (number > first) expect(balancesBeside(page, 'Balance brought forward')).toEqual([Number(before)]);
    if (number < last) {
      expect(count).toBeGreaterThanOrEqual(1);
      expect(balancesBeside(page, 'Balance carried forward')).toEqual([Number(content.entries[shown - 1]!.balance)]);
    }
    if (number === last && number > first) expect(count).toBeGreaterThanOrEqual(Math.min(2, content.entries.length));
  }
  expect(shown).toBe(content.entries.length);
}

test('for any number of entries, balances are carried from page to page and no total stands alone', async () => {
  const step = 110 / rounds(110);
  const first = 1 + Math.floor(Math.random() * step);
  for (let count = first; count <= 110; count += step) await expectWholePages(aStatement({ entries: count }));
});

test('so it is for descriptions and fees of any length', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 260 }), { minLength: 1, maxLength: 90 });
  const fees = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lengths, fees, async (descriptions, kinds) => {
      const { entries } = aStatement({ entries: descriptions.length });
      const long = entries.map((entry, index): StatementEntry => ({
        ...entry,
        description: 'boat '.repeat(descriptions[index]! / 5 + 1),
      }));
      const items = kinds.map(length => ({ description: 'fee '.repeat(length / 4 + 1), count: 1, amount: '1.00' }));
      await expectWholePages(aStatement({ entries: long, fees: { items, total: `${items.length}.00` } }));
    }),
    { numRuns: rounds(60) },
  );
});
