import {
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  type GraphQLSchema,
} from 'graphql';
import type { SelectedField } from './selected-fields.js';

/** So many values of the schema take as long as reading a record: the usual question of tools costs some 300. */
const VALUES_OF_UNIT = 300;
/** Fields of a type, arguments of a field, values of an enum: more in some, fewer in most. */
const USUAL_LIST_SIZE = 5;

/** Whether a field asks for the schema. */
export function isOfSchema({ definition }: SelectedField): boolean {
  return definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
}

/** What a question about the schema costs, in the units of `cost.ts`. */
export function introspectionCost(schema: GraphQLSchema, field: SelectedField): number {
  return Math.ceil(valuesIn(schema, field) / VALUES_OF_UNIT);
}

function valuesIn(schema: GraphQLSchema, { definition, fields }: SelectedField): number {
  const inside = isCompositeType(getNamedType(definition.type))
    ? fields.reduce((sum, inner) => sum + valuesIn(schema, inner), 0)
    : 1;
  if (!isListType(getNullableType(definition.type))) return inside;
  return inside * (definition.name === 'types' ? Object.keys(schema.getTypeMap()).length : USUAL_LIST_SIZE);
}
