import { exactNumber } from '../http/exact-number.js';
import type { JsonSchema } from '../input/json-schema.js';

/** The schemas of a document by their names. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

interface Words {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string | undefined;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
}

/**
 * An example as its schema wants it: without the properties that the schema lacks, and with those that it requires. These are what the
 * description of the property gives as an example (such as `USD`), or the simplest value of the schema.
 */
export function fitted(example: unknown, schema: JsonSchema, schemas: Schemas): unknown {
  const { anyOf, properties, items, required = [] } = resolved(schema, schemas);
  const isObject = typeof example === 'object' && example !== null;
  if (anyOf && (isObject || example === undefined)) {
    const names = Object.keys(example ?? {});
    const fits = (one: JsonSchema) => names.every(name => name in (resolved(one, schemas).properties ?? {}));
    return fitted(example, (isObject ? anyOf.findLast(fits) : anyOf[0]) ?? {}, schemas);
  }
  if (properties && (isObject || example === undefined)) {
    const given = (example ?? {}) as Readonly<Record<string, unknown>>;
    const shown = Object.entries(properties).filter(([name]) => name in given || required.includes(name));
    return Object.fromEntries(
      shown.map(([name, property]) => [name, fitted(given[name], property, schemas)]),
    );
  }
  if (items && Array.isArray(example)) return example.map(item => fitted(item, items, schemas));
  if (example !== undefined) return example;
  if (items) {
    const item = fitted(undefined, items, schemas) ?? '';
    const element = item === '' ? saidIn(schema) : item;
    return element === undefined ? [] : [element];
  }
  return simplest({ ...resolved(schema, schemas), ...schema });
}

function simplest({ description, type, enum: values, minimum }: Words): unknown {
  const said = saidIn({ description });
  if (type === 'number') return exactNumber(said ?? '0');
  if (type === 'integer') return Number(said ?? minimum ?? 0);
  if (type === 'boolean') return true;
  return type === 'string' ? (said ?? values?.[0] ?? '') : null;
}

function saidIn({ description = '' }: Words): string | undefined {
  return /such as `([^`]+)`/.exec(description)?.[1];
}

function resolved(schema: Words, schemas: Schemas): Words {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
  return name === undefined ? schema : resolved(schemas[name] ?? {}, schemas);
}
