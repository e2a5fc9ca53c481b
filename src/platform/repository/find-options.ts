import type { Window } from '../../shared/page.js';

/** The options of `EntityManager.find` beside `orderBy`, whose properties a place has by their names. */
export interface CursorOptions<Place> {
  after?: Place;
  before?: Place;
  first?: number;
  last?: number;
  offset?: number;
}

/**
 * The options with which MikroORM finds the part of a list that a request by cursor asks for: one row more, as
 * `sliceOf` takes them.
 */
export function cursorOptions<Place>({ after, before, skip, limit, fromEnd }: Window<Place>): CursorOptions<Place> {
  return {
    ...(after && { after }),
    ...(before && { before }),
    ...(fromEnd ? { last: limit + 1 } : { first: limit + 1 }),
    ...(skip > 0 && { offset: skip }),
  };
}

/**
 * Rows that were found by `cursorOptions` in the order in which `sliceOf` takes them: from the end, if it reads there.
 */
export function inReadingOrder<Row>(rows: readonly Row[], { fromEnd }: Pick<Window<unknown>, 'fromEnd'>): Row[] {
  return fromEnd ? rows.toReversed() : [...rows];
}
