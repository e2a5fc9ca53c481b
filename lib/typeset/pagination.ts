/** Heights in points. */
export interface PageHeights {
  /** The height that remains on the page where the table begins, below the heads of its columns. */
  readonly first: number;
  /** The height of every further page. */
  readonly other: number;
  /** The height of the totals below the last row. */
  readonly closing: number;
  /**
   * The height of the row at the end of a page that goes on, and of the one at the head of the page that it goes on to.
   */
  readonly carry: number;
}

/** As many rows as these stay together at the beginning and before the totals. */
const TOGETHER = 2;

/**
 * The numbers of rows that go on each page. The first number is 0 if the table is to begin on a new page. Rows are
 * lower than half a page.
 */
export function paginate(heights: readonly number[], { first, other, closing, carry }: PageHeights): number[] {
  const pages: number[] = [];
  const together = Math.min(TOGETHER, heights.length);
  let left = heights.reduce((sum, height) => sum + height, 0);
  let from = 0;
  while (true) {
    const room = (pages.length === 0 ? first : other) - (from > 0 ? carry : 0);
    if (left + closing <= room) return [...pages, heights.length - from];
    let used = carry;
    let to = from;
    while (to < heights.length - together && used + heights[to]! <= room) {
      used += heights[to]!;
      to += 1;
    }
    if (from === 0 && pages.length === 0 && to < together) to = 0;
    for (let index = from; index < to; index += 1) left -= heights[index]!;
    pages.push(to - from);
    from = to;
  }
}
