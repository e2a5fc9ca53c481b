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

/** Makes readers for the arguments of an operation's fields, so that the document is walked only once. */
export class ArgumentReaders {
  private readonly defaults = new Map<string, unknown>();

  constructor({ variableDefinitions = [] }: OperationDefinitionNode) {
    for (const { variable, defaultValue } of variableDefinitions) {
      if (defaultValue) this.defaults.set(variable.name.value, valueFromASTUntyped(defaultValue));
    }
  }

  /** Reads the argument of a field, or its default. */
  of({ definition, nodes }: SelectedField, name: string): ReadValue {
    const fallback = definition.args.find(argument => argument.name === name)?.defaultValue;
    const given = nodes[0]?.arguments?.find(argument => argument.name.value === name);
    if (!given) return () => fallback;
    const read = this.ofValue(given.value);
    return variables => {
      const value = read(variables);
      return value === undefined ? fallback : value;
    };
  }

  private ofValue(node: ValueNode): ReadValue {
    if (node.kind === Kind.VARIABLE) {
      const name = node.name.value;
      const fallback = this.defaults.get(name);
      return variables => {
        const value = variableValue(variables, name);
        return value === undefined ? fallback : value;
      };
    }
    if (node.kind === Kind.LIST) {
      const items = node.values.map(item => this.ofValue(item));
      return variables => items.map(read => read(variables));
    }
    if (node.kind === Kind.OBJECT) {
      const fields = node.fields.map(({ name, value }) => [name.value, this.ofValue(value)] as const);
      return variables => Object.fromEntries(fields.map(([name, read]) => [name, read(variables)]));
    }
    const value = valueFromASTUntyped(node);
    return () => value;
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
