import { BANK_ID } from '../../shared/ids.js';
import type { InputClass } from '../input/input.js';
import { inputFields } from '../input/input-schema.js';
import type { JsonSchema } from '../input/json-schema.js';

/** Words for the schemas of answers. */

export function text(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, ...more };
}

/** How long a text is at most, or of what form: as the input class lets this field be, or each text of it. */
export function formOf(input: InputClass, field: string): JsonSchema {
  const schema = schemaOf(input, field);
  const { maxLength, pattern } = (schema['items'] ?? schema) as JsonSchema;
  return maxLength === undefined ? { pattern } : { maxLength };
}

/** How many elements a list has at most: as many as the input class lets this field have. */
export function sizeOf(input: InputClass, field: string): ListSize {
  return { maxItems: schemaOf(input, field)['maxItems'] as number };
}

function schemaOf(input: InputClass, field: string): JsonSchema {
  const found = inputFields(input).find(({ name }) => name === field);
  if (!found) throw new Error(`an input class has no field ${field}`);
  return found.schema;
}

/** An id that the bank's own systems give. */
export function bankId(description: string): JsonSchema {
  return text(description, { pattern: BANK_ID.source });
}

export function oneOf(values: readonly string[], description: string): JsonSchema {
  return { type: 'string', enum: values, description };
}

/** One of these words, in whatever case its letters are. */
export function inAnyCase(words: readonly string[]): JsonSchema {
  const either = (letter: string): string => `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
  return { type: 'string', pattern: `^(${words.map(word => word.replaceAll(/[a-z]/gi, either)).join('|')})$` };
}

/** Every list has an end, which `size` says. */
export function list(items: JsonSchema, description: string, size: ListSize): JsonSchema {
  return { type: 'array', items, description, ...size };
}

export interface ListSize {
  readonly minItems?: number;
  readonly maxItems: number;
}

/** A list that the contract has and that is always empty. */
export function emptyList(description: string): JsonSchema {
  return { type: 'array', items: {}, maxItems: 0, description };
}

/** An object with these properties, all of them there but the `optional` ones. A later release may add others, which clients ignore. */
export function record(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', description, properties, required };
}

/** What is masked: asterisks for all but the last four characters. */
export function masked(description: string, example = '*****6789'): JsonSchema {
  return text(description, { pattern: String.raw`^\*+.{0,4}$`, examples: [example] });
}

export function uuid(description: string): JsonSchema {
  return text(description, { format: 'uuid' });
}

export function day(description: string): JsonSchema {
  return text(description, { format: 'date' });
}

/** An instant in UTC with milliseconds. */
export function instant(description: string): JsonSchema {
  return text(description, { format: 'date-time', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` });
}

/** A date and time on somebody's clock. */
export function localTime(description: string): JsonSchema {
  return text(description, { pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$` });
}

export function countryCode(description: string): JsonSchema {
  return text(description, { pattern: '^[A-Z]{2}$' });
}

export function currencyCode(description: string): JsonSchema {
  return text(description, { pattern: '^[A-Z]{3}$' });
}

/** An amount: a JSON number with all digits of its currency, never a rounded one. */
export function money(description: string): JsonSchema {
  return { type: 'number', description };
}
