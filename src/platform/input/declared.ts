import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputField,
  type GraphQLInputType,
} from 'graphql';

/** An argument or a field of an input, as the schema has it. */
type Place = Pick<GraphQLInputField, 'name' | 'type' | 'extensions'>;

interface Declared {
  /** The property of the class, where the schema has another name. */
  readonly property?: string;
  /** The type by which the value is read, where clients are told a wider one. */
  readonly readAs?: GraphQLInputType;
}

/** The property of an input class that a field of the schema is. */
export function propertyOf({ name, extensions }: Place): string {
  return (extensions as Declared).property ?? name;
}

/** The type by which the value of a place is read. */
export function readTypeOf({ type, extensions }: Place): GraphQLInputType {
  return (extensions as Declared).readAs ?? type;
}

/** Notes how the value of a place is read, beside what the schema says of it. */
export function declare(place: Place, declared: Declared): void {
  place.extensions = { ...place.extensions, ...declared };
}

/** True if a value of the type has fields, at any depth, that are other properties. */
export function hasProperties(type: GraphQLInputType, seen: ReadonlySet<unknown> = new Set()): boolean {
  const of = getNamedType(type);
  if (!isInputObjectType(of) || seen.has(of)) return false;
  const fields = Object.values(of.getFields());
  return fields.some(field => propertyOf(field) !== field.name || hasProperties(field.type, new Set([...seen, of])));
}

/** A value that GraphQL coerced, with the properties of the input classes in place of the names of the schema. */
export function withProperties(type: GraphQLInputType, value: unknown): unknown {
  const of = getNullableType(type);
  if (value === null || value === undefined) return value;
  if (isListType(of)) return (value as readonly unknown[]).map(item => withProperties(of.ofType, item));
  if (!isInputObjectType(of)) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const fields = Object.values(of.getFields()).filter(({ name }) => Object.hasOwn(given, name));
  return Object.fromEntries(fields.map(field => [propertyOf(field), withProperties(field.type, given[field.name])]));
}
