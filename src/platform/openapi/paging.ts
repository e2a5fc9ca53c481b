import { DEFAULT_PAGE_SIZE, MAX_OFFSET, MAX_PAGE_SIZE } from '../../shared/page.js';
import type { JsonSchema } from '../input/json-schema.js';
import type { Parameter } from './operation.js';
import { list, record, text, value } from './schema.js';

const OFFSET = { type: 'integer', minimum: 0, maximum: MAX_OFFSET };

/** The parameters of every list. */
export const PAGING: readonly Parameter[] = [
  {
    name: 'offSet',
    in: 'query',
    description: 'The number of elements to skip.',
    schema: { ...OFFSET, default: 0 },
    example: 10,
  },
  { name: 'offset', in: 'query', description: 'The same as offSet. Send only one of them.', schema: OFFSET },
  {
    name: 'limit',
    in: 'query',
    description: `The maximum number of elements. More than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}, and the next link then contains ${MAX_PAGE_SIZE}.`,
    schema: { type: 'integer', minimum: 1, default: DEFAULT_PAGE_SIZE },
    example: 25,
  },
];

/** How a list of the contract differs from others. */
interface PageWords {
  /** An offset in the page is a text unless this says otherwise. */
  readonly offset?: JsonSchema;
  readonly hasPrevious?: boolean;
  /** What the link to the next page has besides its address. */
  readonly link?: Readonly<Record<string, JsonSchema>>;
}

/** A page of a list, whose elements are under `name`. */
export function pageSchema(
  description: string,
  name: string,
  elements: string,
  items: JsonSchema,
  { offset = text('', { pattern: String.raw`^\d+$` }), hasPrevious = false, link = {} }: PageWords = {},
): JsonSchema {
  const next = { ...offset, description: 'The offset of the next page; absent on the last page.' };
  const previous = { ...offset, description: 'The offset of the previous page; absent on the first page.' };
  const totalElements = value('Int', 'The number of elements in the whole list.', { minimum: 0 });
  const href = text('The path and query of the next page.', { format: 'uri-reference' });
  return record(description, {
    [name]: list(items, elements, MAX_PAGE_SIZE),
    page: record(
      'The position of the page in the list.',
      { nextOffset: next, ...(hasPrevious && { prevOffset: previous }), totalElements },
      ['nextOffset', 'prevOffset'],
    ),
    links: record(
      'Links to other pages.',
      { next: record('A link to the next page; absent on the last page.', { href, ...link }) },
      ['next'],
    ),
  });
}
