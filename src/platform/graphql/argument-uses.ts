import {
  Kind,
  visit,
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type OperationDefinitionNode,
} from 'graphql';

/** What a visitor is told of the way to a node. */
export interface Way {
  readonly parent: ASTNode | readonly ASTNode[] | undefined;
  readonly path: readonly (string | number)[];
  readonly ancestors: readonly (ASTNode | readonly ASTNode[])[];
}

/** Where a node of a document stands: a pointer (RFC 6901) from the arguments of its field or directive, such as `/input/name`. */
export function placeOf({ parent, path, ancestors }: Way): string {
  let place = '';
  let isList = false;
  for (const [index, node] of [...ancestors, ...(parent ? [parent] : [])].entries()) {
    if (!('kind' in node)) {
      if (isList) place += `/${path[index]}`;
      continue;
    }
    isList = node.kind === Kind.LIST;
    if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) place += `/${node.name.value}`;
  }
  return place;
}

/** The first place at which an operation, or a fragment of it, uses each of its variables. */
export function placesOfVariables(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const due = new Set<DefinitionNode>([operation]);
  // The set grows while it is walked.
  for (const definition of due) {
    visit(definition, {
      // A definition is no use.
      VariableDefinition: () => false,
      FragmentSpread: ({ name }) => {
        const fragment = document.definitions.find(
          found => found.kind === Kind.FRAGMENT_DEFINITION && found.name.value === name.value,
        );
        if (fragment) due.add(fragment);
      },
      Variable: ({ name }, _key, parent, path, ancestors) => {
        if (!places.has(name.value)) places.set(name.value, placeOf({ parent, path, ancestors }));
      },
    });
  }
  return places;
}
