import { positionOf, sliceOf, windowOf, type CursorRequest, type Listing, type Window } from '../../shared/page.js';
import type { BatchedRepository } from './batched-repository.js';
import { pageIn, type ListPage } from './lists.js';

/** The names that the cursors of a list give to places in it. */
export interface Cursors<Row> {
  readonly form: Pick<RegExp, 'test'>;
  placeOf(row: Row): string;
}

/** The part of a parent's list that a request by cursor asks for: with the lazy columns or without, filtered or not. */
export interface ListPart extends Partial<Pick<ListPage, 'includeLazyColumns' | 'filter'>> {
  readonly parent: string;
  readonly request: CursorRequest;
}

/**
 * The part of a list that a request asks for, whose places are named as its cursors name them. Throws `InvalidInput`.
 */
export function windowAt({ form }: Pick<Cursors<never>, 'form'>, request: CursorRequest): Window<string> {
  return windowOf(request, (cursor, pointer) => positionOf(cursor, form, pointer));
}

/** A list by cursor. Throws `InvalidInput`. */
export function listing<Row extends object, View>(
  repository: Pick<BatchedRepository<object, Row>, 'page' | 'count'>,
  cursors: Cursors<Row>,
  { parent, request, includeLazyColumns, filter }: ListPart,
  show: (row: Row) => View,
): Listing<View> {
  const window = windowAt(cursors, request);
  const page = pageIn(parent, window, includeLazyColumns, filter);
  return {
    page: async () => {
      const slice = sliceOf(await repository.page(page), window, row => cursors.placeOf(row));
      return { ...slice, nodes: slice.nodes.map(show) };
    },
    total: () => repository.count(parent, filter),
  };
}
