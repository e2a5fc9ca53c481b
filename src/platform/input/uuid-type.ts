import {
  GraphQLList,
  GraphQLNonNull,
  isListType,
  isNonNullType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { UUID, UuidScalar } from '../scalars/scalars.js';
import { inputClassOf } from './input.js';
import { fieldsOf } from './input-schema.js';

/** The type by which a field of an input is read: a UUID where its class declares one, and the schema has an `ID`. */
export function readTypeOf(input: GraphQLInputObjectType, { name, type }: GraphQLInputField): GraphQLInputType {
  const declared = fieldsOf(inputClassOf(input) ?? Object).find(field => field.name === name);
  return declared?.getType() === UUID ? ofUuids(type) : type;
}

/** A type of ids, as they are read that are UUIDs. */
export function ofUuids(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(ofUuids(type.ofType) as typeof UuidScalar);
  return isListType(type) ? new GraphQLList(ofUuids(type.ofType)) : UuidScalar;
}
