import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { CursorRequest } from '../../shared/page.js';
import type { ArgumentValues, ReadValue, Variables } from './argument-values.js';
import type { SelectedField } from './selected-fields.js';

/** Begins to read a page of a list of the object with an id. Throws a `Refusal` for what cannot be read: the field itself will say so. */
export type BeginList = (caller: Caller, id: string, page: CursorRequest) => unknown;

/** Whether a field of one of these names is asked for anywhere in the list. */
export type AsksFor = (names: readonly string[]) => boolean;

/**
 * A field at the root that gives an object by its id, and lists of that object that can be read before it is known whether there is such an
 * object for the caller. Whoever reads one must look for itself who asks, and give nothing of an object that the caller does not see.
 */
export interface ReadAhead {
  readonly field: string;
  readonly id: string;
  /** By the list's field. Each is made once an operation. */
  readonly lists: Readonly<Record<string, (asksFor: AsksFor) => BeginList>>;
}

/** A list that is being read for a field, below the object with this id. */
export interface Begun {
  readonly node: FieldNode;
  readonly id: string;
  readonly list: unknown;
}

/** Begins what an operation will need, with the variables of a request. */
export type BeginAhead = (caller: Caller, variables: Variables) => Begun[];

/** A list whose page is given by these and nothing else. */
const PAGE_ARGUMENTS = ['first', 'after', 'offset'] as const;
const ROWS: ReadonlySet<string> = new Set(['nodes', 'edges', 'pageInfo']);

/**
 * What can be begun of an operation before it runs, or null for nothing. A list and the object that it belongs to take one turn of the
 * database then, where the object alone would have taken the first. The fields are those that will be resolved, directives decided.
 */
export function aheadOf(
  fields: readonly SelectedField[],
  values: ArgumentValues,
  { field, id, lists }: ReadAhead,
): BeginAhead | null {
  const plans = fields
    .filter(({ definition }) => definition.name === field)
    .flatMap(object => {
      const idOf = values.reader(object, id);
      return object.fields.flatMap(list => {
        const begin = lists[list.definition.name]?.(names => asksFor(list, names));
        const hasRows = list.fields.some(({ definition }) => ROWS.has(definition.name));
        return begin && hasRows
          ? [{ node: list.nodes[0] as FieldNode, idOf, pageOf: pageReader(list, values), begin }]
          : [];
      });
    });
  if (plans.length === 0) return null;
  return (caller, variables) =>
    plans.flatMap(({ node, idOf, pageOf, begin }) => {
      const page = pageOf(variables);
      const given = idOf(variables);
      if (!page || typeof given !== 'string') return [];
      try {
        return [{ node, id: given, list: begin(caller, given, page) }];
      } catch (error) {
        if (error instanceof Refusal) return [];
        throw error;
      }
    });
}

/** What was begun for the field that is being resolved, below the object with this id. Its type is what the field's `BeginList` gives. */
export function begunFor<List>(
  begun: readonly Begun[] | undefined,
  { fieldNodes }: GraphQLResolveInfo,
  id: string,
): List | null {
  const found = begun?.find(one => one.id === id && fieldNodes.includes(one.node));
  return (found?.list ?? null) as List | null;
}

/** Reads the arguments of a page; null where there are others than those that every page has. */
function pageReader(list: SelectedField, values: ArgumentValues): (variables: Variables) => CursorRequest | null {
  const [first, after, offset] = PAGE_ARGUMENTS.map(name => values.reader(list, name)) as [
    ReadValue,
    ReadValue,
    ReadValue,
  ];
  const others = list.definition.args
    .filter(({ name }) => PAGE_ARGUMENTS.every(known => known !== name))
    .map(({ name }) => values.reader(list, name));
  return variables => {
    if (others.some(read => (read(variables) ?? null) !== null)) return null;
    return { first: first(variables), after: after(variables), offset: offset(variables) } as CursorRequest;
  };
}

function asksFor({ fields }: SelectedField, names: readonly string[]): boolean {
  return fields.some(field => names.includes(field.definition.name) || asksFor(field, names));
}
