import type { Window } from '../../shared/page.js';
import type { Database } from '../database/orm.js';
import { batcher } from './batcher.js';
import { byOrdinal, transpose, oneByOrdinal, type WithOrdinal } from './by-ordinal.js';
import * as statements from './statements.js';
import type { ListShape, PageDirection, Visibility } from './statements.js';
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

/** What a list names the places of its rows by. */
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

/**
 * A page that is prefetched: read before it is known whether the caller sees the parent; null where the caller does
 * not.
 */
export interface PagePrefetch<View> {
  readonly page: ListPage;
  readonly rows: Promise<View[] | null>;
}

/** How rows belong to a parent, and in which order they are listed. */
export interface ListOf<Entity, Viewer> {
  readonly parent: keyof Entity & string;
  readonly order: readonly (keyof Entity & string)[];
  readonly descending?: boolean;
  /** What names the place after which a page begins: the order's one column unless it is a column of the key. */
  readonly cursor?: keyof Entity & string;
  /** A column by whose value a list may be narrowed. */
  readonly filter?: keyof Entity & string;
  /** Needed for pages that are prefetched. */
  readonly visibility?: Visibility<Viewer>;
}

/** The batched statements of a repository's lists. */
export class Lists<View, Viewer> {
  private readonly reading: Readonly<Record<PageDirection, (page: ListPage) => Promise<View[]>>>;
  readonly prefetch: (asked: { readonly page: ListPage; readonly viewer: Viewer }) => Promise<View[] | null>;
  readonly count: (asked: { readonly parent: string; readonly filter: string | null }) => Promise<number>;

  constructor(database: Database, table: Table, list: ListOf<never, Viewer>, read: (row: readonly unknown[]) => View) {
    const shape = shapeOf(table, list);
    const counts = statements.counts(table, shape);
    const readingBy = (reading: PageDirection) => {
      const known = statements.pages(table, shape, reading, null);
      return batcher<ListPage, View[]>(async pages => {
        const values = pages.map(page => valuesOf(page, shape, reading));
        const rows = await database.queryTogether<WithOrdinal<unknown[]>>(known, transpose(values));
        return byOrdinal(rows, pages.length, read);
      });
    };
    this.reading = { after: readingBy('after'), between: readingBy('between'), fromEnd: readingBy('fromEnd') };
    this.count = batcher(async asked => {
      const values = asked.map(({ parent, filter }) => (shape.filter ? [parent, filter] : [parent]));
      const rows = await database.queryTogether<WithOrdinal<[number]>>(counts, transpose(values));
      return oneByOrdinal(rows, asked.length, ([count]) => count).map(count => count ?? 0);
    });
    const { visibility } = list;
    const seen = visibility && statements.pages(table, shape, 'after', visibility);
    const key = (table.key.at(-1) as Table['key'][number]).index as number;
    this.prefetch = batcher(async asked => {
      if (!seen) throw new Error(`${table.entity} has no pages to prefetch`);
      // A batch has keys of many callers, so each key says who asks, and the parent's row is checked against it.
      const values = asked.map(({ page, viewer }) => [
        ...valuesOf(page, shape, 'after'),
        ...visibility.valuesOf(viewer),
      ]);
      const rows = await database.queryTogether<WithOrdinal<unknown[]>>(seen, transpose(values));
      // A parent that is seen has one row at least, so that an empty page is told from none. That row has no key.
      const isSeen = new Set(rows.map(row => row.at(-1)));
      const found = byOrdinal(
        rows.filter(row => row[key] !== null),
        asked.length,
        read,
      );
      return found.map((views, index) => (isSeen.has(index + 1) ? views : null));
    });
  }

  page(page: ListPage): Promise<View[]> {
    return this.reading[page.fromEnd ? 'fromEnd' : isBounded(page) ? 'between' : 'after'](page);
  }
}

function shapeOf<Viewer>(
  table: Table,
  { parent, order, descending, cursor, filter }: ListOf<never, Viewer>,
): ListShape {
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

/** Whether two pages have the same rows of a list that is read from its beginning. */
export function isSamePage(one: ListPage, other: ListPage): boolean {
  return (
    one.parent === other.parent &&
    (one.after ?? null) === (other.after ?? null) &&
    !(one.fromEnd || isBounded(one)) &&
    one.skip === other.skip &&
    one.size === other.size &&
    one.includeLazyColumns === other.includeLazyColumns &&
    (one.filter ?? null) === (other.filter ?? null)
  );
}
