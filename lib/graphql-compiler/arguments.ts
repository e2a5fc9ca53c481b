import {
  Kind,
  valueFromASTUntyped,
  visit,
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import type { SelectedField } from './selected-fields.js';

export type Variables = Readonly<Record<string, unknown>>;

/** Gives a value of a document with the variables of a request. The value is not coerced to its type. */
export type ReadValue = (variables: Variables) => unknown;

/** The value of a variable, undefined if it was not sent. A variable may have the name of an inherited property. */
export function variableValue(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Reads the arguments of an operation's fields. */
export class ArgumentReaders {
  private readonly defaults = Object.create(null) as Record<string, unknown>;

  constructor({ variableDefinitions = [] }: OperationDefinitionNode) {
    for (const { variable, defaultValue } of variableDefinitions) {
      if (defaultValue) this.defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
    }
  }

  /** Reads the argument of a field, or its default. */
  of({ definition, nodes }: SelectedField, name: string): ReadValue {
    const fallback = definition.args.find(argument => argument.name === name)?.defaultValue;
    const node = nodes[0]?.arguments?.find(argument => argument.name.value === name);
    if (!node) return () => fallback;
    return variables => {
      const value = this.valueOf(node.value, variables);
      return value === undefined ? fallback : value;
    };
  }

  private valueOf(node: ValueNode, variables: Variables): unknown {
    if (node.kind !== Kind.VARIABLE) {
      return valueFromASTUntyped(node, Object.assign(Object.create(null) as object, this.defaults, variables));
    }
    const value = variableValue(variables, node.name.value);
    return value === undefined ? this.defaults[node.name.value] : value;
  }
}

/** The position of a node, as a visitor of graphql-js gets it. */
export interface NodePosition {
  readonly parent: ASTNode | readonly ASTNode[] | undefined;
  readonly path: readonly (string | number)[];
  readonly ancestors: readonly (ASTNode | readonly ASTNode[])[];
}

/** A pointer (RFC 6901) to a value from the arguments of its field or directive, such as `/input/name`. */
export function pointerTo({ parent, path, ancestors }: NodePosition): string {
  let pointer = '';
  let isList = false;
  for (const [index, node] of [...ancestors, ...(parent ? [parent] : [])].entries()) {
    if (!('kind' in node)) {
      if (isList) pointer += `/${path[index]}`;
      continue;
    }
    isList = node.kind === Kind.LIST;
    if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) pointer += `/${node.name.value}`;
  }
  return pointer;
}

/** Pointers to the first use of each variable in an operation and its fragments. */
export function variablePointers(document: DocumentNode, operation: OperationDefinitionNode): Map<string, string> {
  const pointers = new Map<string, string>();
  const definitions = new Set<DefinitionNode>([operation]);
  // The set grows during the loop.
  for (const definition of definitions) {
    visit(definition, {
      VariableDefinition: () => false,
      FragmentSpread: ({ name }) => {
        const fragment = document.definitions.find(
          found => found.kind === Kind.FRAGMENT_DEFINITION && found.name.value === name.value,
        );
        if (fragment) definitions.add(fragment);
      },
      Variable: ({ name }, _key, parent, path, ancestors) => {
        if (!pointers.has(name.value)) pointers.set(name.value, pointerTo({ parent, path, ancestors }));
      },
    });
  }
  return pointers;
}
