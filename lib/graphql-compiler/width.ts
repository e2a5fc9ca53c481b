import {
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isUnionType,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql';
import type { SelectedField } from './selected-fields.js';

/** The assumed length of a list that no argument limits. */
export const ASSUMED_LIST_SIZE = 3;

type Field = GraphQLField<unknown, unknown>;

const ownValues = new WeakMap<GraphQLNamedType, number>();

/**
 * The number of times that the values of an object are selected: more than once if aliases select more values than it
 * has. Of an object that is of one type of several, the type counts of which the most is selected.
 */
export function timesSelected(type: GraphQLNamedType, fields: readonly SelectedField[]): number {
  if (isAbstractType(type)) {
    const ofEach = [...Map.groupBy(fields, ({ parent }) => parent)];
    return Math.max(1, ...ofEach.map(([parent, own]) => timesOfType(parent, own)));
  }
  return timesOfType(type, fields);
}

function timesOfType(type: GraphQLNamedType, fields: readonly SelectedField[]): number {
  let values = ownValues.get(type);
  if (values === undefined) ownValues.set(type, (values = Math.max(1, valuesOf(type, new Set()))));
  return Math.max(1, Math.ceil(selectedValues(fields) / values));
}

/** True if objects of a type are records, in contrast to parts of a record: they have a non-null id. */
export function isRecord(type: GraphQLNamedType): boolean {
  if (isUnionType(type)) return type.getTypes().some(isRecord);
  if (!isCompositeType(type)) return false;
  return Object.values(type.getFields()).some(
    ({ type: of }) => of instanceof GraphQLNonNull && String(of.ofType) === 'ID',
  );
}

/** True for a field that is a connection. */
export function isConnection({ args }: Field): boolean {
  return args.some(({ name }) => name === 'first');
}

/** The cost that a field declares (`@Extensions({ cost })`): it is read on its own, such as the total of a list. */
export function statedCost({ extensions }: Field): number | null {
  const { cost } = extensions as { readonly cost?: unknown };
  return typeof cost === 'number' ? cost : null;
}

/**
 * The most elements that a list may have of records that are found and have no id of their own
 * (`@Extensions({ mostRecords })`).
 */
export function statedSize({ extensions }: Field): number | null {
  const { mostRecords } = extensions as { readonly mostRecords?: unknown };
  return typeof mostRecords === 'number' ? mostRecords : null;
}

function selectedValues(selected: readonly SelectedField[]): number {
  return selected.reduce((sum, { definition, fields }) => {
    if (!isPart(definition)) return sum;
    return sum + listSize(definition) * (isCompositeType(getNamedType(definition.type)) ? selectedValues(fields) : 1);
  }, 0);
}

function valuesOf(type: GraphQLNamedType, parents: ReadonlySet<GraphQLNamedType>): number {
  if (!isCompositeType(type)) return 1;
  if (isUnionType(type) || parents.has(type)) return 0;
  const inside = new Set([...parents, type]);
  const parts = Object.values(type.getFields()).filter(isPart);
  return parts.reduce((sum, field) => sum + listSize(field) * valuesOf(getNamedType(field.type), inside), 0);
}

/**
 * A scalar or an object that belongs to its record. Records and connections inside a record count separately, and so
 * does what states a cost or a size.
 */
function isPart(field: Field): boolean {
  return (
    !isConnection(field) &&
    !isRecord(getNamedType(field.type)) &&
    statedCost(field) === null &&
    statedSize(field) === null
  );
}

function listSize({ type }: Field): number {
  return isListType(getNullableType(type)) ? ASSUMED_LIST_SIZE : 1;
}
