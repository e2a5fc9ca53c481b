import { queryOf } from '../http/query.js';
import { DEFAULT_PAGE_SIZE, MAX_OFFSET, MAX_PAGE_SIZE } from '../../shared/page.js';
import type { Refusal } from '../../shared/errors.js';
import type { JsonSchema } from '../input/json-schema.js';
import type { Parameter } from './operation.js';
import { refusalOf } from './refusals.js';
import { text, type ListSize } from './schema.js';

const OFFSET = { type: 'integer', minimum: 0, maximum: MAX_OFFSET };

/** What every list takes. */
export const PAGING: readonly Parameter[] = [
  {
    ...{ name: 'offSet', in: 'query', schema: { ...OFFSET, default: 0 }, example: 10 },
    description: 'The number of elements to skip.',
  },
  {
    ...{ name: 'offset', in: 'query', schema: OFFSET },
    description: 'The same as offSet. Send only one of them.',
  },
  {
    ...{ name: 'limit', in: 'query', example: 25 },
    description: `The maximum number of elements. More than ${MAX_PAGE_SIZE} means ${MAX_PAGE_SIZE}, and the next link then contains ${MAX_PAGE_SIZE}.`,
    schema: { type: 'integer', minimum: 1, default: DEFAULT_PAGE_SIZE },
  },
];

/** A query parameter that an operation does not know is refused, lest a misspelt filter show everything. */
export function unknownParameter(...known: readonly string[]): Refusal {
  return refusalOf(() => queryOf({ url: '/?colour=red' }, known));
}

export const TOTAL_ELEMENTS: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'The number of elements in the whole list.',
};

/** The offset of a page that there is, as a text. */
export function offsetText(description: string): JsonSchema {
  return text(description, { pattern: String.raw`^\d+$` });
}

/** What a page has at most. */
export const PAGE_SIZE: ListSize = { maxItems: MAX_PAGE_SIZE };

/** Path and query of the next page. */
export const HREF: JsonSchema = text('The path and query of the next page.', { format: 'uri-reference' });
