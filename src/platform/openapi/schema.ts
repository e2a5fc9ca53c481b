import { BANK_ID } from '../../shared/ids.js';
import type { JsonSchema } from '../input/json-schema.js';

/** Words for the schemas of what REST shows. */

/** The forms in which REST writes the scalars of GraphQL. */
export const FORMS = {
  String: { type: 'string' },
  ID: { type: 'string', pattern: BANK_ID.source },
  UUID: { type: 'string', format: 'uuid' },
  Int: { type: 'integer' },
  Boolean: { type: 'boolean' },
  CountryCode: { type: 'string', pattern: '^[A-Z]{2}$' },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$' },
  LocalDate: { type: 'string', format: 'date' },
  LocalDateTime: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$` },
  DateTimeISO: {
    type: 'string',
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
  },
  Metadata: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string', maxLength: 500 } },
  // A JSON number with all digits of its currency, never a rounded one.
  Decimal: { type: 'number' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export function value(form: keyof typeof FORMS, description: string, more: JsonSchema = {}): JsonSchema {
  return { ...FORMS[form], description, ...more };
}

export function text(description: string, more: JsonSchema = {}): JsonSchema {
  return value('String', description, more);
}

export function oneOf(values: readonly string[], description: string): JsonSchema {
  return text(description, { enum: values });
}

/** One of these words, in upper or lower case. */
export function inAnyCase(words: readonly string[]): JsonSchema {
  const either = (letter: string): string => `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
  return { type: 'string', pattern: `^(${words.map(word => word.replaceAll(/[a-z]/gi, either)).join('|')})$` };
}

/** Asterisks for all but the last four characters. */
export const MASKED: JsonSchema = { type: 'string', pattern: String.raw`^\*+.{0,4}$` };

/** Every list has an end. */
export function list(items: JsonSchema, description: string, maxItems: number): JsonSchema {
  return { type: 'array', items, description, maxItems };
}

/** A list that the contract has and that is always empty. */
export const EMPTY_LIST = list({}, 'Always empty.', 0);

/** An object with these properties. A later release may add others, which clients ignore. */
export function record(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', description, properties, required };
}

/** The links of a page that goes by cursor. */
export function pagesBehind(elements: string): JsonSchema {
  const href = text('The path and query of the next page.', { format: 'uri-reference' });
  const next = record(`The next ${elements}; absent on the last page.`, { href });
  return record('Links to other pages.', { next }, ['next']);
}
