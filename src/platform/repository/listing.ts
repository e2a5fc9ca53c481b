import { pageRequestOf, positionOf, sliceOf, type CursorRequest, type Listing } from '../../shared/page.js';
import type { BatchedRepository, ListPage, PageAhead } from './batched-repository.js';

/** How the cursors of a list name places in it. */
export interface Cursors<Row> {
  readonly form: Pick<RegExp, 'test'>;
  /** The place before the first row. */
  readonly start: number | null;
  placeOf(row: Row): string;
}

/** The page that a request by cursor asks for, and one row more to tell whether the list goes on. Throws `InvalidInput`. */
export function pageAt(
  { form, start }: Cursors<never>,
  parent: string,
  request: CursorRequest,
  { lazy = false, filter = null }: Partial<Pick<ListPage, 'lazy' | 'filter'>> = {},
): ListPage {
  const { limit, offset } = pageRequestOf(request);
  const after = request.after ? positionOf(request.after, form) : start;
  return { parent, after, skip: offset, size: limit + 1, lazy, filter };
}

/** A list by cursor from a page of `pageAt`, of which `ahead` may have been begun. */
export function listing<Row extends object, View>(
  repository: Pick<BatchedRepository<object, Row>, 'page' | 'count'>,
  cursors: Cursors<Row>,
  page: ListPage,
  show: (row: Row) => View,
  ahead: PageAhead<Row> | null = null,
): Listing<View> {
  const isBehind = page.after !== cursors.start || page.skip > 0;
  return {
    page: async () => {
      const rows = await repository.page(page, ahead);
      const slice = sliceOf(rows, page.size - 1, isBehind, row => cursors.placeOf(row));
      return { ...slice, nodes: slice.nodes.map(show) };
    },
    total: () => repository.count(page.parent, page.filter),
  };
}
