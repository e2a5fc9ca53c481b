import { exactNumber } from '../http/json.js';
import type { JsonSchema } from '../input/json-schema.js';
import { CountryCode, Currency, DateTimeISO, LocalDate, LocalDateTime, UuidScalar } from '../scalars/scalars.js';
import { FORMS } from './schema.js';

interface SchemaKeywords {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string | undefined;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

/** The schemas of a document by their names, and examples of some of them. */
export interface DocumentSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly examples: Readonly<Record<string, unknown>>;
}

/**
 * An example as its schema wants it: without the properties that the schema lacks, and with those that it requires.
 * These are what the description of the property or of its scalar gives as an example (such as `USD`), or the simplest
 * value of the schema.
 */
export function fitted(written: unknown, schema: JsonSchema, schemas: DocumentSchemas): unknown {
  const { anyOf, properties, items } = resolved(schema, schemas);
  const example = written === undefined ? schemas.examples[nameOf(schema) ?? ''] : written;
  const mayBeObject = example === undefined || (typeof example === 'object' && example !== null);
  if (anyOf && mayBeObject) return fitted(example, branchOf(anyOf, example, schemas), schemas);
  if (properties && mayBeObject) return withRequired(example ?? {}, resolved(schema, schemas), schemas);
  if (items && Array.isArray(example)) return example.map(item => fitted(item, items, schemas));
  if (example !== undefined) return example;
  if (!items) return simplest({ ...resolved(schema, schemas), ...schema });
  const item = fitted(undefined, items, schemas);
  return [item === '' ? saidIn(schema) : item].filter(element => element !== undefined && element !== null);
}

function withRequired(
  example: object,
  { properties = {}, required = [] }: SchemaKeywords,
  schemas: DocumentSchemas,
): object {
  const parts = new Map(Object.entries(example));
  const shown = Object.entries(properties).filter(([name]) => parts.has(name) || required.includes(name));
  return Object.fromEntries(shown.map(([name, property]) => [name, fitted(parts.get(name), property, schemas)]));
}

/** The last of some schemas that has all properties of the example; the first one if there is no example. */
function branchOf(schemas: readonly JsonSchema[], example: object | undefined, document: DocumentSchemas): JsonSchema {
  const names = Object.keys(example ?? {});
  const fits = (one: JsonSchema) => names.every(name => name in (resolved(one, document).properties ?? {}));
  return (example ? schemas.findLast(fits) : schemas[0]) ?? {};
}

function simplest(schema: SchemaKeywords): unknown {
  const { type, enum: values, minimum } = schema;
  const said = saidIn(schema) ?? saidOfForm(schema);
  if (type === 'number') return exactNumber(said ?? '0');
  if (type === 'integer') return Number(said ?? minimum ?? 0);
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  return type === 'string' ? (said ?? values?.[0] ?? '') : null;
}

const FORMED = [CountryCode, Currency, DateTimeISO, LocalDate, LocalDateTime, UuidScalar] as const;

/** The example in the description of a scalar, where the schema has its form. */
function saidOfForm({ format, pattern }: SchemaKeywords): string | undefined {
  if (format === undefined && pattern === undefined) return undefined;
  const scalar = FORMED.find(({ name }) => {
    const form: SchemaKeywords = FORMS[name as keyof typeof FORMS];
    return form.format === format && form.pattern === pattern;
  });
  return scalar && saidIn({ description: scalar.description ?? '' });
}

function saidIn({ description = '' }: SchemaKeywords): string | undefined {
  return /[Ss]uch as `([^`]+)`/.exec(description)?.[1];
}

function resolved(schema: SchemaKeywords, schemas: DocumentSchemas): SchemaKeywords {
  const name = nameOf(schema);
  return name === undefined ? schema : resolved(schemas.schemas[name] ?? {}, schemas);
}

function nameOf({ $ref }: SchemaKeywords): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}
