import { InvalidInput, type FieldProblem } from './errors.js';

/**
 * Lists come in pages: REST counts by offset and limit, GraphQL by cursor. Both share these numbers.
 */

export const DEFAULT_PAGE_SIZE = 10;
/** A larger page is cut to this size. The next link of REST and `limit` of GraphQL say so. */
export const MAX_PAGE_SIZE = 100;
/** The largest offset that is a number at all: PostgreSQL's `integer`. */
export const MAX_OFFSET = 2_147_483_647;

export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

/** One page, and how many elements the whole list has. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/**
 * A page by cursor: of the elements between those with the cursors `after` and `before`, the `first` or the
 * `last` ones.
 */
export interface CursorRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

/** The part of a list that a page by cursor is. A place is what a list tells the places of its elements by. */
export interface Window<Place> {
  /** The elements behind this one; null from the beginning of the list. */
  readonly after: Place | null;
  /** The elements ahead of this one; null to the end of the list. */
  readonly before: Place | null;
  /** The number of elements that a page of REST leaves out. */
  readonly skip: number;
  readonly limit: number;
  /**
   * True if the page has the last elements of the part. They are read from the end, in the reverse order of the list.
   */
  readonly fromEnd: boolean;
}

/** One page of a list that goes by cursors. */
export interface Slice<Node> {
  readonly nodes: readonly Node[];
  /** The most elements that the page may have: what was asked for, cut to the largest size. */
  readonly limit: number;
  /** The cursor of a node, by its place on the page. */
  readonly cursorAt: (index: number) => string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/**
 * A list that goes by cursors, for a caller who may read it. Its page and its total are read when they are asked for.
 */
export interface Listing<Node> {
  page(): Promise<Slice<Node>>;
  total(): Promise<number>;
}

/** The fault of an offset that is out of range. */
export function offsetOutOfRange(name: string): FieldProblem {
  return { pointer: `/${name}`, code: 'range', detail: `${name} must be between 0 and ${MAX_OFFSET}.` };
}

/** The fault of a page that would have no elements. */
export function limitOutOfRange(name: string): FieldProblem {
  const detail = `${name} must be 1 or more; more than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}.`;
  return { pointer: `/${name}`, code: 'range', detail };
}

/**
 * Where the page before one begins that begins at `offset`: never behind the end, wherever a client has jumped to. Null
 * on the first page.
 */
export function previousOffset({ offset, limit }: PageRequest, total: number): number | null {
  return offset > 0 ? Math.max(0, Math.min(offset, total) - limit) : null;
}

/**
 * The part of a list that a page is, with its size within its limits. `placeOf` reads a cursor.
 * Throws `InvalidInput`.
 */
export function windowOf<Place>(
  { first = null, last = null, after, before }: CursorRequest,
  placeOf: (cursor: string, pointer: string) => Place,
): Window<Place> {
  const fromEnd = last !== null;
  const limit = last ?? first ?? DEFAULT_PAGE_SIZE;
  const problems: FieldProblem[] = [];
  if (limit < 1) problems.push(limitOutOfRange(fromEnd ? 'last' : 'first'));
  if (fromEnd && first !== null) problems.push(FIRST_AND_LAST);
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return {
    after: after ? placeOf(after, '/after') : null,
    before: before ? placeOf(before, '/before') : null,
    skip: 0,
    limit: Math.min(limit, MAX_PAGE_SIZE),
    fromEnd,
  };
}

const FIRST_AND_LAST: FieldProblem = {
  pointer: '/first',
  code: 'range',
  detail: 'first cannot be combined with last. Leave one of them out.',
};

/** Opaque to clients, so that what a list is ordered by can change without them. */
function cursorOf(position: string): string {
  return Buffer.from(position).toString('base64url');
}

/** Where the cursor of a page stands. Throws `InvalidInput` unless it matches `form`. */
export function positionOf(cursor: string, form: Pick<RegExp, 'test'>, pointer = '/after'): string {
  const position = Buffer.from(cursor, 'base64url').toString();
  if (form.test(position)) return position;
  throw new InvalidInput('rule_broken', [
    { pointer, code: 'format', detail: 'Must be a cursor from a page of the same list.' },
  ]);
}

/**
 * A page out of rows in the order in which they were read, one more than it has, to know whether the list goes on. The
 * element of a cursor is in the list itself, so the list goes on beyond it.
 */
export function sliceOf<Node>(
  rows: readonly Node[],
  { after, before, limit, fromEnd }: Window<unknown>,
  position: (node: Node) => string,
): Slice<Node> {
  const read = rows.slice(0, limit);
  const nodes = fromEnd ? read.reverse() : read;
  const goesOn = rows.length > limit;
  return {
    nodes,
    limit,
    cursorAt: index => cursorOf(position(nodes[index] as Node)),
    hasNextPage: before !== null || (goesOn && !fromEnd),
    hasPreviousPage: after !== null || (goesOn && fromEnd),
  };
}
