import { getMetadataStorage } from 'type-graphql';

/**
 * The fields that a type or an input declares for the API, in their order; those of the classes that it extends first.
 */
export function fieldsOf(type: new () => object): readonly string[] {
  const parent = Object.getPrototypeOf(type) as new () => object;
  const inherited = parent.prototype ? fieldsOf(parent) : [];
  const own = getMetadataStorage().fields.filter(({ target }) => target === type);
  return [...inherited, ...own.map(({ name }) => name)];
}

/** Some of an object's fields as plain data; a field that it lacks is null. */
export function pick<Picked extends object>(from: object, fields: readonly string[]): Picked {
  const values = from as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map(name => [name, values[name] ?? null])) as Picked;
}
