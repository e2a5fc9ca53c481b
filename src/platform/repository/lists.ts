import type { Window } from '../../shared/page.js';
import type { Database } from '../database/orm.js';
import { batcher } from './batcher.js';
import { byOrdinal, transpose, oneByOrdinal, type WithOrdinal } from './by-ordinal.js';
import * as statements from './statements.js';
import type { ListShape, PageDirection } from './statements.js';
import { columnOf, type Table } from './table.js';

/**
 * `size` rows of a parent behind the place `after` and ahead of the place `before`, without the first `skip` of them,
 * with the lazy columns or without: in the order of the list, or from its end.
 */
export interface ListPage {
  readonly parent: string;
  readonly after?: Place | null;
  readonly before?: Place | null;
  readonly fromEnd?: boolean;
  readonly skip: number;
  readonly size: number;
  readonly includeLazyColumns: boolean;
  /** The values that the list's filter may have, separated by commas; null or absent for all. */
  readonly filter?: string | null;
}

/** The value by which a list names the places of its rows. */
type Place = string | number;

/** A window of a parent's list as its repository reads it: with one row more, to know whether the list goes on. */
export function pageIn(
  parent: string,
  { after, before, fromEnd, skip, limit }: Window<Place>,
  includeLazyColumns = false,
  filter: string | null = null,
): ListPage {
  return { parent, after, before, fromEnd, skip, size: limit + 1, includeLazyColumns, filter };
}

/** The way in which rows belong to a parent, and the order in which they are listed. */
export interface ListOf<Entity> {
  readonly parent: keyof Entity & string;
  readonly order: readonly (keyof Entity & string)[];
  readonly descending?: boolean;
  /**
   * The column that names the place after which a page begins: the order's one column unless it is a column of the key.
   */
  readonly cursor?: keyof Entity & string;
  /** A column by whose value a list may be narrowed. */
  readonly filter?: keyof Entity & string;
}

/** The batched statements of a repository's lists. */
export class Lists<View> {
  private readonly reading: Readonly<Record<PageDirection, (page: ListPage) => Promise<View[]>>>;
  readonly count: (requests: { readonly parent: string; readonly filter: string | null }) => Promise<number>;

  constructor(database: Database, table: Table, list: ListOf<never>, read: (row: readonly unknown[]) => View) {
    const shape = shapeOf(table, list);
    const counts = statements.counts(table, shape);
    const readingBy = (reading: PageDirection) => {
      const pageStatements = statements.pages(table, shape, reading);
      return batcher<ListPage, View[]>(async pages => {
        const values = pages.map(page => valuesOf(page, shape, reading));
        const rows = await database.queryTogether<WithOrdinal<unknown[]>>(pageStatements, transpose(values));
        return byOrdinal(rows, pages.length, read);
      });
    };
    this.reading = { after: readingBy('after'), between: readingBy('between'), fromEnd: readingBy('fromEnd') };
    this.count = batcher(async requests => {
      const values = requests.map(({ parent, filter }) => (shape.filter ? [parent, filter] : [parent]));
      const rows = await database.queryTogether<WithOrdinal<[number]>>(counts, transpose(values));
      return oneByOrdinal(rows, requests.length, ([count]) => count).map(count => count ?? 0);
    });
  }

  page(page: ListPage): Promise<View[]> {
    return this.reading[page.fromEnd ? 'fromEnd' : isBounded(page) ? 'between' : 'after'](page);
  }
}

function shapeOf(table: Table, { parent, order, descending, cursor, filter }: ListOf<never>): ListShape {
  const ordered = order.map(property => columnOf(table, property));
  return {
    parent: columnOf(table, parent),
    order: ordered,
    descending: descending ?? false,
    cursor: cursor ? columnOf(table, cursor) : (ordered[0] as ListShape['cursor']),
    filter: filter ? columnOf(table, filter) : null,
  };
}

function isBounded({ before = null }: ListPage): boolean {
  return before !== null;
}

function valuesOf(page: ListPage, shape: ListShape, reading: PageDirection): unknown[] {
  const { parent, after = null, before = null, skip, size, includeLazyColumns, filter = null } = page;
  const [start, end] = statements.boundsOf(shape);
  const bounds = reading === 'after' ? [after ?? start] : [after ?? start, before ?? end];
  return [parent, ...bounds, skip, size, includeLazyColumns, ...(shape.filter ? [filter] : [])];
}
