import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Style } from '../paper.js';
import { clip, showable, widthOf, wrap } from '../text.js';
import { pageOf } from './pages.js';
import { read } from './reading.js';
import { anyCharacters } from '../../../test/support/any-characters.js';
import { rounds } from '../../../test/support/rounds.js';

const STYLE: Style = { weight: 'regular', size: 10, color: '0 0 0' };

describe('a line', () => {
  test.each([
    ['English', 'Marisol Whitcombe'],
    ['Czech', 'Řehoř Žluťoučký'],
    ['Polish', 'Łukasz Świątek'],
    ['Vietnamese', 'Nguyễn Thị Phương Thảo'],
    ['Turkish', 'Şükrü İğdiroğlu'],
    ['Greek', 'Γεώργιος Παπαδόπουλος'],
    ['Russian', 'Екатерина Ёлкина'],
    ['Hebrew', 'יוסי כהן'],
    ['Arabic', 'محمد عبد الله الأحمد'],
    ['Chinese', '李明华'],
    ['traditional Chinese', '陳龍國'],
    ['Japanese', 'さくら電気料金'],
    ['Korean', '홍길동'],
    ['symbols that no font has', 'Party 🎉'],
  ])('in %s can be read back', async (_script, line) => {
    const { text } = await read(pageOf([line, `${line} and ${line}`], STYLE));
    expect(text.normalize('NFKC').split(line)).toHaveLength(4);
  });

  // A reader of the file gives pieces that run one way: here they are from left to right, each in reading order.
  test.each([
    ['Refund 12 יוסי כהן 4521 Northwind', ['Refund 12 4521', 'יוסי כהן', 'Northwind']],
    ['שכר 4521 Northwind יוסי', ['יוסי', 'Northwind 4521', 'שכר']],
    ['שכר 12.50% $45', ['$45 12.50%', 'שכר']],
    ['(שלום) [x]', ['[x] (', 'שלום', ')']],
    ['7731 שלום 🎉 יוסי', ['יוסי', '🎉', 'שלום', '7731']],
    ['Transfer 1,250.00 to محمد عبد (ref 77/12)', ['Transfer 1,250.00 to', 'محمد عبد', '(ref 77/12)']],
    ['رقم ١٢٣٫٤٥ ref 9', ['ref 9', 'رقم ١٢٣٫٤٥']],
  ])('of both directions has its pieces in their order: %s', async (line, pieces) => {
    const { pages } = await read(pageOf([line], STYLE));
    const items = pages[0]!.toSorted((one, other) => one.x - other.x).map(({ text }) => text.normalize('NFKC').trim());
    expect(items.filter(text => text !== '')).toEqual(pieces);
  });
});

describe('a text of any length', () => {
  test('is broken into lines that are not wider than they may be, and ends with an ellipsis where there is more', () => {
    for (const letter of ['W', 'i', '漢', 'שלום ', 'a\u0301\u0316'.repeat(9), 'word ']) {
      const lines = wrap(letter.repeat(1_000), 'regular', 9, 216, 6);
      expect(lines).toHaveLength(6);
      expect(lines[5]).toMatch(/…$/);
      for (const line of lines) expect(widthOf(line, 'regular', 9)).toBeLessThanOrEqual(216);
    }
    expect(wrap('', 'regular', 9, 216, 6)).toEqual([]);
    expect(clip('', 'regular', 9, 216)).toBe('');
  });

  test('is shown on one line, with nothing that has no shape, whatever it is', () => {
    fc.assert(
      fc.property(anyCharacters(80), text => {
        const shown = showable(text);
        expect(shown).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}| {2}|^ | $/u);
        expect(widthOf(shown, 'semibold', 9)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: rounds(50) },
    );
  });
});
