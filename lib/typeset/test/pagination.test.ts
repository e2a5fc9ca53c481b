import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paginate } from '../pagination.js';
import { rounds } from '../../../test/support/rounds.js';

test('rows of any heights are on their pages in order, fit them, and stay with the heads and the totals', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 14, max: 78 }), { maxLength: 200 }),
      fc.integer({ min: -50, max: 640 }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 0, max: 15 }),
      (heights, first, closing, carry) => {
        const pages = paginate(heights, { first, other: 640, closing, carry });
        expect(pages.reduce((sum, count) => sum + count, 0)).toBe(heights.length);
        const together = Math.min(2, heights.length);
        let from = 0;
        pages.forEach((count, page) => {
          const isLast = page === pages.length - 1;
          const rows = heights.slice(from, from + count).reduce((sum, height) => sum + height, 0);
          const used = (from > 0 ? carry : 0) + rows + (isLast ? closing : carry);
          if (count > 0 || isLast) expect(used).toBeLessThanOrEqual(page === 0 ? first : 640);
          if (isLast || page === 0) {
            expect(count === 0 && page === 0 ? together : count).toBeGreaterThanOrEqual(together);
          }
          from += count;
        });
      },
    ),
    { numRuns: rounds(2_000) },
  );
});

test('what fits one page stays on it', () => {
  expect(paginate([15, 15, 15], { first: 60, other: 640, closing: 15, carry: 15 })).toEqual([3]);
  expect(paginate([15, 15, 15], { first: 59, other: 640, closing: 15, carry: 15 })).toEqual([0, 3]);
  expect(paginate([], { first: 60, other: 640, closing: 15, carry: 0 })).toEqual([0]);
  expect(paginate([15, 15, 15, 15, 15], { first: 75, other: 640, closing: 15, carry: 15 })).toEqual([3, 2]);
});
