import { isInterfaceType, isNonNullType, isObjectType, type GraphQLArgument, type GraphQLSchema } from 'graphql';

const PAGING = ['first', 'after', 'last', 'before'];

/**
 * Puts the arguments of every field in one order: whose record it is, which record, what must be sent, then the filter,
 * the page, and what may be left out. Type-GraphQL has them in the order in which decorators run, the last one first.
 */
export function orderArguments(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.args = field.args.toReversed().toSorted((one, other) => placeOf(one) - placeOf(other));
    }
  }
}

function placeOf({ name, type, defaultValue }: GraphQLArgument): number {
  if (name === 'accountId') return 0;
  if (/^id$|Id$/.test(name)) return 1;
  if (name === 'from' || name === 'to') return name === 'from' ? 2 : 3;
  if (isNonNullType(type) && defaultValue === undefined) return 4;
  if (name === 'filter') return 5;
  if (name === 'order') return 6;
  const page = PAGING.indexOf(name);
  return page < 0 ? 20 : 7 + page;
}
