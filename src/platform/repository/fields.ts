import { fieldsOf } from '../input/input-schema.js';

/**
 * The names of the fields that a type or an input declares, in their order; those of the classes that it extends first.
 */
export function fieldNamesOf(type: new () => object): readonly string[] {
  return fieldsOf(type).map(({ name }) => name);
}

/** Some of an object's fields as plain data, with instants as ISO 8601 in UTC; a field that it lacks is null. */
export function pick<Picked extends object>(from: object, fields: readonly string[]): Picked {
  const values = from as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(name => [name, plain(values[name] ?? null)])) as Picked;
}

/** A value as it is shown: an instant as ISO 8601 in UTC. */
export function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
