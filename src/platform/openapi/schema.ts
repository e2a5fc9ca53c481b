import type { JsonSchema } from '../input/json-schema.js';

/** Words for the schemas of answers. They are exact: what is not described is not there. */

export function text(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', description, ...more };
}

export function oneOf(values: readonly string[], description: string): JsonSchema {
  return { type: 'string', enum: values, description };
}

export function list(items: JsonSchema, description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'array', items, description, ...more };
}

/** A list that the contract has and that is always empty. */
export function emptyList(description: string): JsonSchema {
  return { type: 'array', maxItems: 0, description };
}

/** An object with these properties and no others, all of them there but the `optional` ones. */
export function record(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', description, properties, required, additionalProperties: false };
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
  return text(description, { pattern: '^[A-Za-z]{2}$' });
}

export function currencyCode(description: string): JsonSchema {
  return text(description, { pattern: '^[A-Z]{3}$' });
}

/** An amount: a JSON number with all digits of its currency, never a rounded one. */
export function money(description: string): JsonSchema {
  return { type: 'number', description };
}
