import { InvalidInput, type FieldProblem } from './errors.js';

/**
 * Lists come in pages: REST counts by offset and limit, GraphQL by cursor or offset. Both doors share these numbers.
 */

export const DEFAULT_PAGE_SIZE = 10;
/** A larger page is cut to this size, and the next link says so. */
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

/** A page by cursor: `first` elements after the one with the cursor `after`, skipping `offset` more. */
export interface CursorRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly offset?: number | null;
}

/** One page of a list that goes by cursors. */
export interface Slice<Node> {
  readonly nodes: readonly Node[];
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

/** What is wrong with a number that says which page. */
export function outOfRange(name: string, min: number, max: number): FieldProblem {
  return { pointer: `/${name}`, code: 'range', detail: `${name} must be between ${min} and ${max}.` };
}

/**
 * Where the page before one begins that begins at `offset`: never behind the end, wherever a client has jumped to. Null
 * on the first page.
 */
export function previousOffset({ offset, limit }: PageRequest, total: number): number | null {
  return offset > 0 ? Math.max(0, Math.min(offset, total) - limit) : null;
}

/**
 * The size of a page (`sizeName` is what it is called) and how many elements to skip, within their limits. Throws
 * `InvalidInput`.
 */
export function pageRequestOf(request: CursorRequest, sizeName = 'first'): PageRequest {
  const limit = request.first ?? DEFAULT_PAGE_SIZE;
  const offset = request.offset ?? 0;
  const problems: FieldProblem[] = [];
  if (limit < 1) problems.push(outOfRange(sizeName, 1, MAX_PAGE_SIZE));
  if (offset < 0) problems.push(outOfRange('offset', 0, MAX_OFFSET));
  if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
  return { limit: Math.min(limit, MAX_PAGE_SIZE), offset };
}

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

/** A page out of rows that were read one beyond its end, to know whether the list goes on. */
export function sliceOf<Node>(
  rows: readonly Node[],
  limit: number,
  hasPreviousPage: boolean,
  position: (node: Node) => string,
): Slice<Node> {
  const nodes = rows.slice(0, limit);
  const cursorAt = (index: number): string => cursorOf(position(nodes[index] as Node));
  return { nodes, cursorAt, hasNextPage: rows.length > limit, hasPreviousPage };
}
