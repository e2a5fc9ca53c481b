import {
  OperationTypeNode,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../shared/page.js';
import type { ArgumentValues, Variables } from './argument-values.js';
import { introspectionCost, isOfSchema } from './introspection-cost.js';
import type { SelectedField } from './selected-fields.js';
import { ASSUMED_LIST_SIZE, isPage, isRecord, timesOver } from './width.js';

/** What an operation may cost with the variables of a request. Arithmetic alone: the document was read when it was made. */
export type CostOf = (variables: Variables) => number;

/** Of each write, beside what it answers with: it takes locks, and it has an event and a commit. */
const WRITE_COST = 10;

type Cost = number | CostOf;

/**
 * A record, which is what has an id, costs 1, and so does reading a page or a list of them; parts of a record and scalars cost nothing, as
 * long as they are no more than the record has: with aliases it can be asked for many times over, and costs as often. What is inside of a
 * list counts once for each element that it may have: `first` or `last` at most, or as many as ids were given.
 */
export function costOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fields: readonly SelectedField[],
  values: ArgumentValues,
): CostOf {
  const writes = operation.operation === OperationTypeNode.MUTATION ? fields.filter(isWrite).length : 0;
  const cost = sum([
    writes * WRITE_COST,
    ...fields.map(field => (isOfSchema(field) ? introspectionCost(schema, field) : fieldCost(field, values, null))),
  ]);
  return typeof cost === 'number' ? () => cost : cost;
}

function fieldCost(field: SelectedField, values: ArgumentValues, page: Cost | null): Cost {
  const { definition, fields } = field;
  const inside = (size: Cost | null): Cost => sum(fields.map(inner => fieldCost(inner, values, size)));
  const type = getNamedType(definition.type);
  if (!isCompositeType(type)) return extraCost(definition.extensions);
  if (isPage(definition)) return sum([timesOver(type, fields), inside(pageSize(field, type, values))]);
  const record = isRecord(type) ? timesOver(type, fields) : 0;
  const element = sum([record, inside(null)]);
  if (!isListType(getNullableType(definition.type))) return element;
  // Reading the page was counted where its size was asked for.
  return page === null
    ? sum([isRecord(type) ? 1 : 0, product(listSize(field, values), element)])
    : product(page, element);
}

/** How many elements a page has at most. Null is the same as nothing, and `last` counts where both are given. */
function pageSize(field: SelectedField, connection: GraphQLNamedType, values: ArgumentValues): CostOf {
  const first = values.reader(field, 'first');
  const last = values.reader(field, 'last');
  const ids = givenIds(field, connection, values);
  return variables => {
    const asked = last(variables) ?? first(variables) ?? DEFAULT_PAGE_SIZE;
    // What is no size is refused by its type, or by whoever reads the page.
    const size = typeof asked === 'number' && asked > 0 ? Math.min(asked, MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE;
    return Math.min(size, ids(variables));
  };
}

/** How many ids a filter names where it names those of the records themselves: `accountIds` of accounts. */
function givenIds(field: SelectedField, connection: GraphQLNamedType, values: ArgumentValues): CostOf {
  const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
  const record = nodes ? getNamedType(nodes.type).name : '';
  const name = `${record.charAt(0).toLowerCase()}${record.slice(1)}Ids`;
  const filter = field.definition.args.find(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && name in input.getFields();
  });
  if (!filter) return () => Infinity;
  const read = values.reader(field, filter.name);
  return variables => lengthOf((Object(read(variables)) as Record<string, unknown>)[name]) ?? Infinity;
}

/** How many elements a list without pages has: one for each that its field was given, as a write of many answers. */
function listSize(field: SelectedField, values: ArgumentValues): Cost {
  const given = field.definition.args.find(({ type }) => isListType(getNullableType(type)));
  if (!given) return ASSUMED_LIST_SIZE;
  const read = values.reader(field, given.name);
  return variables => lengthOf(read(variables)) ?? ASSUMED_LIST_SIZE;
}

/** A single value in the place of a list is a list of one. */
function lengthOf(list: unknown): number | null {
  if (list === undefined || list === null) return null;
  return Array.isArray(list) ? list.length : 1;
}

function isWrite({ definition }: SelectedField): boolean {
  return !definition.name.startsWith('__');
}

/** `@Extensions({ cost })` is for a scalar that is read on its own, such as the total of a list. */
function extraCost({ cost }: { readonly cost?: unknown }): number {
  return typeof cost === 'number' ? cost : 0;
}

function sum(costs: readonly Cost[]): Cost {
  const fixed = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const varying = costs.filter(cost => typeof cost === 'function');
  if (varying.length === 0) return fixed;
  return variables => varying.reduce((total, cost) => total + cost(variables), fixed);
}

function product(size: Cost, cost: Cost): Cost {
  if (typeof size === 'number' && typeof cost === 'number') return size * cost;
  const [sizeOf, each] = [size, cost].map(factor => (typeof factor === 'number' ? () => factor : factor)) as [
    CostOf,
    CostOf,
  ];
  return variables => sizeOf(variables) * each(variables);
}
