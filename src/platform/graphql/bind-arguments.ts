import {
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  defaultFieldResolver,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';
import { declare, hasProperties, readTypeOf, withProperties } from '../input/declared.js';
import { readCoerced } from '../input/read-input.js';
import { UUID } from '../scalars/scalars.js';

/**
 * Clients know one type of ids: what is declared as `UUID` is an `ID` in the schema, and is read as a UUID all the
 * same. Methods get their arguments by the properties of their input classes.
 */
export function bindArguments(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) Object.values(type.getFields()).forEach(takeIds);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.type = withIds(field.type);
      field.args.forEach(takeIds);
    }
  }
  delete schema.getTypeMap()[UUID.name];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields())) {
      const read = field.args.filter(
        argument => readTypeOf(argument) !== argument.type || hasProperties(argument.type),
      );
      if (read.length === 0) continue;
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (source, args: Record<string, unknown>, context, info) => {
        const given = read.filter(({ name }) => Object.hasOwn(args, name));
        const values = given.map(argument => [argument.name, valueOf(argument, args[argument.name])]);
        return resolve(source, { ...args, ...Object.fromEntries(values) }, context, info);
      };
    }
  }
}

/** Throws `InvalidInput` for a text that is no id of ours. */
function valueOf(argument: GraphQLArgument, value: unknown): unknown {
  const type = readTypeOf(argument);
  return type === argument.type ? withProperties(type, value) : readCoerced(type, value, `/${argument.name}`);
}

function takeIds(place: Pick<GraphQLArgument, 'name' | 'type' | 'extensions'>): void {
  if (getNamedType(place.type) !== UUID) return;
  declare(place, { readAs: place.type });
  place.type = withIds(place.type);
}

function withIds<Type extends GraphQLType>(type: Type): Type;
function withIds(type: GraphQLType): GraphQLType {
  if (getNamedType(type) !== UUID) return type;
  if (isNonNullType(type)) return new GraphQLNonNull(withIds(type.ofType));
  return isListType(type) ? new GraphQLList(withIds(type.ofType)) : GraphQLID;
}
