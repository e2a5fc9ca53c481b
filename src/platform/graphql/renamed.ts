import { isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import { replacedBy } from './deprecation.js';

type Field = GraphQLField<unknown, unknown>;

/**
 * Gives a field of an object another name in the schema; its own name stays as the deprecated one. The property keeps
 * its name, since REST shows it and outcomes that are recorded under idempotency keys have it.
 */
export function Renamed(name: string): PropertyDecorator & MethodDecorator {
  return Extensions({ renamed: name });
}

/** Adds the new names of all fields that are declared by `Renamed`, each before the former one. */
export function bindNames(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    const fields = type.getFields();
    const all = Object.values(fields);
    if (!all.some(nameOf)) continue;
    for (const { name } of all) delete fields[name];
    for (const field of all) {
      const name = nameOf(field);
      if (name) fields[name] = { ...field, name, resolve: field.resolve ?? (record => valueIn(record, field.name)) };
      fields[field.name] = name ? former(field, name) : field;
    }
  }
}

function nameOf({ extensions }: Field): string | undefined {
  return (extensions as { readonly renamed?: string }).renamed;
}

function valueIn(record: unknown, property: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[property];
}

function former(field: Field, name: string): Field {
  return { ...field, description: `\`${name}\` by its former name.`, deprecationReason: replacedBy(name) };
}
