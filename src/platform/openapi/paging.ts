import { DEFAULT_PAGE_SIZE, MAX_OFFSET, MAX_PAGE_SIZE } from '../../shared/page.js';
import type { JsonSchema } from '../input/json-schema.js';
import { parameter, type PageWords } from './operation.js';
import { list, record, text, value } from './schema.js';

const OFFSET = { type: 'integer', minimum: 0, maximum: MAX_OFFSET };

/** The parameters of every list. */
export const PAGING = [
  parameter('query', 'offSet', 'The number of elements to skip.', { ...OFFSET, default: 0 }, 10),
  parameter('query', 'offset', 'The same as offSet. Send only one of them.', OFFSET),
  parameter(
    'query',
    'limit',
    `The maximum number of elements. More than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}, and the next link then contains ${MAX_PAGE_SIZE}.`,
    { type: 'integer', minimum: 1, default: DEFAULT_PAGE_SIZE },
    25,
  ),
];

/** The schema of a page. */
export function pageSchema({ description, elements, hasNumbers, hasPrevious, link }: PageWords): JsonSchema {
  const [name, ofElements, items] = elements;
  const offset = (words: string) =>
    hasNumbers ? value('Int', words, { minimum: 1 }) : text(words, { pattern: String.raw`^\d+$` });
  const previous = offset('The offset of the previous page; absent on the first page.');
  const href = text('The path and query of the next page.', { format: 'uri-reference' });
  return record(description, {
    [name]: list(items, ofElements, MAX_PAGE_SIZE),
    page: record(
      'The position of the page in the list.',
      {
        nextOffset: offset('The offset of the next page; absent on the last page.'),
        ...(hasPrevious && { prevOffset: previous }),
        totalElements: value('Int', 'The number of elements in the whole list.', { minimum: 0 }),
      },
      ['nextOffset', 'prevOffset'],
    ),
    links: record(
      'Links to other pages.',
      { next: record('A link to the next page; absent on the last page.', { href, ...link }) },
      ['next'],
    ),
  });
}

/** The example of a page. `fitted` adds its elements. */
export function pageExample({ next, hasNumbers }: PageWords): object {
  return { page: { nextOffset: hasNumbers ? 1 : '1', totalElements: 3 }, links: { next: { href: next } } };
}
