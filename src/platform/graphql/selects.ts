import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

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
