import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/**
 * Tells whether a query asks for one of the named fields anywhere below the field that is being resolved, so that what is large or
 * sealed is only read for those who want it. What a directive may leave out counts as asked for.
 */
export function askedFor(...names: readonly string[]): (info: GraphQLResolveInfo) => boolean {
  // A document that comes again has the same nodes.
  const known = new WeakMap<FieldNode, boolean>();
  return ({ fieldNodes, fragments }) =>
    fieldNodes.some(node => {
      let asked = known.get(node);
      if (asked === undefined) {
        asked = node.selectionSet !== undefined && holds(node.selectionSet, names, fragments);
        known.set(node, asked);
      }
      return asked;
    });
}

function holds(
  { selections }: SelectionSetNode,
  names: readonly string[],
  fragments: GraphQLResolveInfo['fragments'],
): boolean {
  return selections.some(selection => {
    if (selection.kind === Kind.FIELD && names.includes(selection.name.value)) return true;
    const inner =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value]?.selectionSet : selection.selectionSet;
    return inner !== undefined && holds(inner, names, fragments);
  });
}
