import {
  Kind,
  type FieldNode,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { ArgumentReaders, type ReadValue, type Variables } from '../../../lib/graphql-compiler/arguments.js';
import type { Prepare } from '../../../lib/graphql-compiler/compiler.js';
import type { SelectedField } from '../../../lib/graphql-compiler/selected-fields.js';
import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { CursorRequest } from '../../shared/page.js';

/** Begins to read a page of a list. Throws a `Refusal` if it cannot be read: then the field itself will tell so. */
export type PrefetchList = (caller: Caller, id: string, page: CursorRequest) => unknown;

/** Whether a field of one of these names is selected at any level of the list. */
export type SelectionTest = (names: readonly string[]) => boolean;

/**
 * A root field that gives an object by its id, and lists of that object that can be read before it is known whether the
 * caller may see the object. What reads a list must check the caller itself, and give nothing of an invisible object.
 */
export interface Prefetching {
  readonly field: string;
  readonly id: string;
  /** By the list's field. Each is called once for an operation. */
  readonly lists: Readonly<Record<string, (selects: SelectionTest) => PrefetchList>>;
}

/** A list that is being read for a field of the object with this id. */
export interface Prefetch {
  readonly node: FieldNode;
  readonly id: string;
  readonly list: unknown;
}

/** The part of the context that prefetching uses. */
export interface PrefetchContext {
  caller: Caller;
  /** Lists that are being read for fields that have not been resolved yet. */
  prefetches?: readonly Prefetch[];
}

/** Only these arguments can give a page that is prefetched. */
const PAGE_ARGUMENTS = ['first', 'after'] as const;
const ROWS: ReadonlySet<string> = new Set(['nodes', 'edges', 'pageInfo']);

/**
 * Begins the lists of an operation before it runs, so that a list and its object take one round trip of the database,
 * where the object alone would take the first. Null if there is nothing to begin.
 */
export function prefetchOf(
  { field, id, lists }: Prefetching,
  fields: readonly SelectedField[],
  operation: OperationDefinitionNode,
): Prepare | null {
  const readers = new ArgumentReaders(operation);
  const plans = fields
    .filter(({ definition }) => definition.name === field)
    .flatMap(object => {
      const idOf = readers.of(object, id);
      return object.fields.flatMap(list => {
        // In the normal form the first node has all that is selected.
        const [node] = list.nodes as [FieldNode];
        const prefetch = lists[list.definition.name]?.(names => contains(node.selectionSet, names, {}));
        const hasRows = list.fields.some(({ definition }) => ROWS.has(definition.name));
        return prefetch && hasRows ? [{ node, idOf, pageOf: pageReader(list, readers), prefetch }] : [];
      });
    });
  if (plans.length === 0) return null;
  return (context, variables) => {
    const prefetchContext = context as PrefetchContext;
    prefetchContext.prefetches = plans.flatMap(({ node, idOf, pageOf, prefetch }) => {
      const page = pageOf(variables);
      const given = idOf(variables);
      if (!page || typeof given !== 'string') return [];
      try {
        return [{ node, id: given, list: prefetch(prefetchContext.caller, given, page) }];
      } catch (error) {
        if (error instanceof Refusal) return [];
        throw error;
      }
    });
  };
}

/** What was prefetched for the field that is being resolved, as its `PrefetchList` returned it. */
export function prefetchedFor<List>(
  prefetches: readonly Prefetch[] | undefined,
  { fieldNodes }: GraphQLResolveInfo,
  id: string,
): List | null {
  const found = prefetches?.find(one => one.id === id && fieldNodes.includes(one.node));
  return (found?.list ?? null) as List | null;
}

/** Reads the arguments of a page; null if there are others. */
function pageReader(list: SelectedField, readers: ArgumentReaders): (variables: Variables) => CursorRequest | null {
  const [first, after] = PAGE_ARGUMENTS.map(name => readers.of(list, name)) as [ReadValue, ReadValue];
  const others = list.definition.args
    .filter(({ name }) => PAGE_ARGUMENTS.every(argument => argument !== name))
    .map(({ name }) => readers.of(list, name));
  return variables => {
    if (others.some(read => (read(variables) ?? null) !== null)) return null;
    return { first: first(variables), after: after(variables) } as CursorRequest;
  };
}

/**
 * Tells whether the field that is being resolved selects one of the named fields at any level, so that large or sealed
 * data is read only where it is needed. Directives are ignored.
 */
export function selects(...names: readonly string[]): (info: GraphQLResolveInfo) => boolean {
  // A document that is used again has the same nodes.
  const results = new WeakMap<FieldNode, boolean>();
  return ({ fieldNodes, fragments }) =>
    fieldNodes.some(node => {
      const result = results.get(node) ?? contains(node.selectionSet, names, fragments);
      results.set(node, result);
      return result;
    });
}

function contains(
  selectionSet: SelectionSetNode | undefined,
  names: readonly string[],
  fragments: GraphQLResolveInfo['fragments'],
): boolean {
  return (selectionSet?.selections ?? []).some(selection => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return contains(fragments[selection.name.value]?.selectionSet, names, fragments);
    }
    const isNamed = selection.kind === Kind.FIELD && names.includes(selection.name.value);
    return isNamed || contains(selection.selectionSet, names, fragments);
  });
}
