import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import {
  DEFAULT_PAGE_SIZE,
  MAX_OFFSET,
  MAX_PAGE_SIZE,
  limitOutOfRange,
  offsetOutOfRange,
  type PageRequest,
  type Slice,
} from '../../shared/page.js';
import { FIELD_NAME } from '../input/shape.js';

/**
 * The query parameters of a request. Throws `InvalidInput` for one that is neither in `single` nor in `lists`, and for
 * one of `single` that is given twice.
 */
export function queryOf(
  request: Pick<IncomingMessage, 'url'>,
  single: readonly string[],
  lists: readonly string[] = [],
): URLSearchParams {
  const query = new URLSearchParams(searchOf(request));
  const problems = [...new Set(query.keys())].flatMap((name): FieldProblem[] => {
    if (lists.includes(name)) return [];
    if (!single.includes(name)) {
      return [
        {
          pointer: FIELD_NAME.test(name) ? `/${name}` : '',
          code: 'unknown_parameter',
          detail: `This query parameter is unknown. The known parameters are: ${[...single, ...lists].join(', ') || 'none'}.`,
        },
      ];
    }
    if (query.getAll(name).length > 1) {
      return [{ pointer: `/${name}`, code: 'repeated', detail: 'This parameter must be given only once.' }];
    }
    return [];
  });
  if (problems.length > 0) throw new InvalidInput('malformed', problems);
  return query;
}

/** The query of a request with its question mark, or an empty text. It may contain question marks (RFC 3986, 3.4). */
export function searchOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

/** For routes without query parameters: refuses any parameter. */
export function noQuery(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
  queryOf(request, []);
  next();
}

/** A parameter that is true or false; false where it is absent. Throws `InvalidInput`. */
export function booleanOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidInput('malformed', [{ pointer: `/${name}`, code: 'wrong_type', detail: 'Must be true or false.' }]);
}

/** The link to the page behind one that goes by cursor, as `links` of its answer. */
export function linksBehind(
  path: string,
  query: URLSearchParams,
  { nodes, cursorAt, hasNextPage }: Slice<unknown>,
): { readonly next?: { readonly href: string } } {
  if (!hasNextPage) return {};
  query.set('after', cursorAt(nodes.length - 1));
  return { next: { href: `${path}?${query.toString()}` } };
}

/**
 * The parts of an answer beside the elements of a page by offset: the start of the next one, the number of all, and a
 * link.
 */
export function besidePage(
  path: string,
  { offset, limit }: PageRequest,
  total: number,
  filters: Readonly<Record<string, string | null>> = {},
): object {
  const next = offset + limit;
  if (next >= total) return { page: { totalElements: total }, links: {} };
  const query = new URLSearchParams({ offSet: String(next), limit: String(limit) });
  for (const [name, value] of Object.entries(filters)) if (value !== null) query.set(name, value);
  return { page: { nextOffset: next, totalElements: total }, links: { next: { href: `${path}?${query.toString()}` } } };
}

/** The parameters of a list's page. `offSet` is the contract's spelling. */
export const PAGE_PARAMETERS = ['offSet', 'offset', 'limit'] as const;

/**
 * `offSet` (or `offset`, from 0) and `limit` (from 1; above 100 it means 100). Throws `InvalidInput` for anything else.
 */
export function pageOf(query: URLSearchParams): PageRequest {
  const problems: FieldProblem[] = [];
  const number = (name: string, fallback: number): number => {
    const text = query.get(name);
    if (text === null) return fallback;
    return /^\d+$/.test(text) ? Number(text) : -1;
  };
  const offsetName = query.has('offSet') ? 'offSet' : 'offset';
  const offset = number(offsetName, 0);
  if (offset < 0 || offset > MAX_OFFSET) problems.push(offsetOutOfRange(offsetName));
  if (query.has('offSet') && query.has('offset')) {
    problems.push({
      pointer: '/offset',
      code: 'repeated',
      detail: 'offSet and offset are the same parameter. Send only one of them.',
    });
  }
  const limit = number('limit', DEFAULT_PAGE_SIZE);
  if (limit < 1) problems.push(limitOutOfRange('limit'));
  if (problems.length > 0) throw new InvalidInput('malformed', problems);
  return { offset, limit: Math.min(limit, MAX_PAGE_SIZE) };
}
