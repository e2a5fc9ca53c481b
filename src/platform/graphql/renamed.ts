import {
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { declare } from '../input/declared.js';
import { inputClassOf } from '../input/input.js';
import { fieldsOf } from '../input/input-schema.js';

type Field = GraphQLField<unknown, unknown>;

/**
 * Gives a field of an object or of an input another name in the schema. The property keeps its name, which REST shows
 * and which outcomes that are recorded under idempotency keys have.
 */
export function Renamed(name: string): PropertyDecorator {
  return Extensions({ renamed: name });
}

/** Gives all fields that are declared by `Renamed` their names. */
export function bindNames(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) {
      rename(type.getFields(), (field: Field) => ({ ...field, resolve: record => valueIn(record, field.name) }));
    }
    if (!isInputObjectType(type)) continue;
    addInherited(type);
    rename(type.getFields(), (field: GraphQLInputField) => {
      declare(field, { property: field.name });
      return field;
    });
  }
}

/** Gives the fields that an input has of its base class their extensions, which Type-GraphQL leaves out. */
function addInherited(type: GraphQLInputObjectType): void {
  const target = inputClassOf(type);
  if (!target) return;
  const fields = type.getFields();
  for (const { name, extensions } of fieldsOf(target)) {
    const field = fields[name];
    if (field) field.extensions = { ...extensions, ...field.extensions };
  }
}

/** Puts fields under their names, in their order. `moved` gives one that gets another name. */
function rename<Of extends Field | GraphQLInputField>(fields: Record<string, Of>, moved: (field: Of) => Of): void {
  const all = Object.values(fields);
  if (!all.some(nameOf)) return;
  for (const { name } of all) delete fields[name];
  for (const field of all) {
    const name = nameOf(field) ?? field.name;
    fields[name] = name === field.name ? field : Object.assign(moved(field), { name });
  }
}

function nameOf({ extensions }: Field | GraphQLInputField): string | undefined {
  return (extensions as { readonly renamed?: string }).renamed;
}

function valueIn(record: unknown, property: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[property];
}
