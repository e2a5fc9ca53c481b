import {
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isUnionType,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql';
import type { SelectedField } from './selected-fields.js';

/** Elements of a list that no argument bounds, such as the owners of an account. */
export const ASSUMED_LIST_SIZE = 3;

type Field = GraphQLField<unknown, unknown>;

/** How many values an object of a type has, each once. */
const owned = new WeakMap<GraphQLNamedType, number>();

/** How often the values of an object are asked for: 1, or more where aliases ask for more values than it has. */
export function timesOver(type: GraphQLNamedType, selected: readonly SelectedField[]): number {
  let values = owned.get(type);
  if (values === undefined) owned.set(type, (values = Math.max(1, valuesOf(type, new Set()))));
  return Math.max(1, Math.ceil(asked(selected) / values));
}

/** Objects of a type are rows of their own, in contrast to parts of one, where the type has an id that is always there. */
export function isRecord(type: GraphQLNamedType): boolean {
  if (isUnionType(type)) return type.getTypes().some(isRecord);
  if (!isCompositeType(type)) return false;
  return Object.values(type.getFields()).some(
    ({ type: of }) => of instanceof GraphQLNonNull && ['ID', 'UUID'].includes(String(of.ofType)),
  );
}

/** Whether a field reads a page of a list. */
export function isPage({ args }: Field): boolean {
  return args.some(({ name }) => name === 'first');
}

function asked(selected: readonly SelectedField[]): number {
  return selected.reduce((sum, { definition, fields }) => {
    if (!isPart(definition)) return sum;
    return sum + timesListed(definition) * (isCompositeType(getNamedType(definition.type)) ? asked(fields) : 1);
  }, 0);
}

function valuesOf(type: GraphQLNamedType, seen: ReadonlySet<GraphQLNamedType>): number {
  if (!isCompositeType(type)) return 1;
  if (isUnionType(type) || seen.has(type)) return 0;
  return Object.values(type.getFields())
    .filter(isPart)
    .reduce((sum, field) => sum + timesListed(field) * valuesOf(getNamedType(field.type), new Set([...seen, type])), 0);
}

/** A scalar, or a part that belongs to its record. Records and pages inside count for themselves. */
function isPart(field: Field): boolean {
  return !isPage(field) && !isRecord(getNamedType(field.type));
}

function timesListed({ type }: Field): number {
  return isListType(getNullableType(type)) ? ASSUMED_LIST_SIZE : 1;
}
