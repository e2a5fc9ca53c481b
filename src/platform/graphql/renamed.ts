import { isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';

type Field = GraphQLField<unknown, unknown>;

/**
 * Gives a field of an object another name in the schema. The property keeps its name, which REST shows
 * and which outcomes that are recorded under idempotency keys have.
 */
export function Renamed(name: string): PropertyDecorator {
  return Extensions({ renamed: name });
}

/** Gives all fields that are declared by `Renamed` their names. */
export function bindNames(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) rename(type.getFields());
}

/** Puts fields under their names, in their order. */
function rename(fields: Record<string, Field>): void {
  const all = Object.values(fields);
  if (!all.some(nameOf)) return;
  for (const { name } of all) delete fields[name];
  for (const field of all) {
    const name = nameOf(field) ?? field.name;
    const isMoved = name !== field.name;
    fields[name] = isMoved ? { ...field, name, resolve: record => valueIn(record, field.name) } : field;
  }
}

function nameOf({ extensions }: Field): string | undefined {
  return (extensions as { readonly renamed?: string }).renamed;
}

function valueIn(record: unknown, property: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[property];
}
