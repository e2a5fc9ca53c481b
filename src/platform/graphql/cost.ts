import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import type { ArgumentReaders, Variables } from '../../../lib/graphql-compiler/arguments.js';
import { isIntrospection, type SelectedField } from '../../../lib/graphql-compiler/selected-fields.js';
import {
  ASSUMED_LIST_SIZE,
  isConnection,
  isRecord,
  statedCost,
  statedSize,
  timesSelected,
} from '../../../lib/graphql-compiler/width.js';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../shared/page.js';

/**
 * The greatest cost that an operation may have with the variables of a request. The document was walked when it was
 * made.
 */
export type CostOf = (variables: Variables) => number;

/** The cost of each write, beside its result: it takes locks, writes an event and commits. */
const WRITE_COST = 10;
/** This many values of the schema take as long as reading a record: the usual introspection query costs about 550. */
const SCHEMA_VALUES_OF_UNIT = 300;
/** Fields of a type, arguments of a field, values of an enum: more in some, fewer in most, and less on average. */
const SCHEMA_LIST_SIZE = 3;

/** A cost that does not depend on variables is a number. */
type Cost = number | CostOf;

/**
 * A record, which is an object with an id, costs 1, and so does reading a page or a list of records. Parts of a record
 * and scalars cost nothing unless aliases select more of them than the record has: then it costs as many times. What is
 * inside of a list counts for each element: `first` or `last` at most, or as many as there are ids in the arguments.
 */
export function costOf(
  schema: GraphQLSchema,
  fields: readonly SelectedField[],
  writes: number,
  readers: ArgumentReaders,
): CostOf {
  const costs = fields.map(field =>
    isIntrospection(field)
      ? Math.ceil(schemaValues(schema, field) / SCHEMA_VALUES_OF_UNIT)
      : fieldCost(field, readers, null),
  );
  const cost = sum([writes * WRITE_COST, ...costs]);
  return typeof cost === 'number' ? () => cost : cost;
}

function fieldCost(field: SelectedField, readers: ArgumentReaders, page: Cost | null): Cost {
  const { definition, fields } = field;
  const inside = (size: Cost | null): Cost => sum(fields.map(inner => fieldCost(inner, readers, size)));
  const type = getNamedType(definition.type);
  const stated = statedCost(definition);
  if (stated !== null) return stated;
  if (!isCompositeType(type)) return 0;
  if (isConnection(definition)) return sum([timesSelected(type, fields), inside(pageSize(field, type, readers))]);
  const size = statedSize(definition);
  const hasRecords = isRecord(type) || size !== null;
  const element = sum([hasRecords ? timesSelected(type, fields) : 0, inside(null)]);
  if (!isListType(getNullableType(definition.type))) return element;
  // The connection has counted for reading its page.
  if (page !== null) return product(page, element);
  return sum([hasRecords ? 1 : 0, product(size ?? listSize(field, readers), element)]);
}

/** The maximum number of elements of a page. Null is the same as no value, and `last` counts if both are given. */
function pageSize(field: SelectedField, connection: GraphQLNamedType, readers: ArgumentReaders): CostOf {
  const first = readers.of(field, 'first');
  const last = readers.of(field, 'last');
  const ids = idCount(field, connection, readers);
  return variables => {
    const requested = last(variables) ?? first(variables) ?? DEFAULT_PAGE_SIZE;
    // Anything that is no size is refused later, by its type or by the service.
    const size =
      typeof requested === 'number' && requested > 0 ? Math.min(requested, MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE;
    return Math.min(size, ids(variables));
  };
}

/** The number of ids that a filter has for the records of a connection, such as `accountIds` for accounts. */
function idCount(field: SelectedField, connection: GraphQLNamedType, readers: ArgumentReaders): CostOf {
  const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
  const record = nodes ? getNamedType(nodes.type).name : '';
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}Ids`;
  const filter = field.definition.args.find(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && name in input.getFields();
  });
  if (!filter) return () => Infinity;
  const read = readers.of(field, filter.name);
  return variables => lengthOf((Object(read(variables)) as Record<string, unknown>)[name]) ?? Infinity;
}

/** A list without pages has an element for each element of a list in the arguments, as a write of many has. */
function listSize(field: SelectedField, readers: ArgumentReaders): Cost {
  const listArgument = field.definition.args.find(({ type }) => isListType(getNullableType(type)));
  if (!listArgument) return ASSUMED_LIST_SIZE;
  const read = readers.of(field, listArgument.name);
  return variables => lengthOf(read(variables)) ?? ASSUMED_LIST_SIZE;
}

/** A single value in the place of a list is a list of one. */
function lengthOf(list: unknown): number | null {
  if (list === undefined || list === null) return null;
  return Array.isArray(list) ? list.length : 1;
}

function schemaValues(schema: GraphQLSchema, { definition, fields }: SelectedField): number {
  const inside = isCompositeType(getNamedType(definition.type))
    ? fields.reduce((total, inner) => total + schemaValues(schema, inner), 0)
    : 1;
  if (!isListType(getNullableType(definition.type))) return inside;
  return inside * (definition.name === 'types' ? Object.keys(schema.getTypeMap()).length : SCHEMA_LIST_SIZE);
}

function sum(costs: readonly Cost[]): Cost {
  const fixed = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const varying = costs.filter(cost => typeof cost === 'function');
  if (varying.length === 0) return fixed;
  return variables => varying.reduce((total, cost) => total + cost(variables), fixed);
}

function product(one: Cost, other: Cost): Cost {
  if (typeof one === 'number') return typeof other === 'number' ? one * other : variables => one * other(variables);
  return typeof other === 'number' ? product(other, one) : variables => one(variables) * other(variables);
}
