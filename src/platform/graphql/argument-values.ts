import { Kind, valueFromASTUntyped, type OperationDefinitionNode, type ValueNode } from 'graphql';
import type { SelectedField } from './selected-fields.js';

export type Variables = Readonly<Record<string, unknown>>;

/** A value of a document as it is with the variables of a request. Only read, not held against its type. */
export type ReadValue = (variables: Variables) => unknown;

/** What was sent for a variable, undefined where nothing was. A variable may be named as something that every object inherits. */
export function variableValue(variables: Variables, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

/** Reads arguments of an operation's fields. All walking through the document is done when a reader is made. */
export class ArgumentValues {
  private readonly defaults = new Map<string, unknown>();

  constructor(operation: OperationDefinitionNode) {
    for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
      if (defaultValue) this.defaults.set(variable.name.value, valueFromASTUntyped(defaultValue));
    }
  }

  /** What a field is given under a name, or else the default of that argument. */
  reader({ definition, nodes }: SelectedField, name: string): ReadValue {
    const fallback = definition.args.find(argument => argument.name === name)?.defaultValue;
    const given = nodes[0]?.arguments?.find(argument => argument.name.value === name);
    if (!given) return () => fallback;
    const read = this.valueReader(given.value);
    return variables => {
      const value = read(variables);
      return value === undefined ? fallback : value;
    };
  }

  private valueReader(node: ValueNode): ReadValue {
    if (node.kind === Kind.VARIABLE) {
      const name = node.name.value;
      const fallback = this.defaults.get(name);
      return variables => {
        const value = variableValue(variables, name);
        return value === undefined ? fallback : value;
      };
    }
    if (node.kind === Kind.LIST) {
      const items = node.values.map(item => this.valueReader(item));
      return variables => items.map(read => read(variables));
    }
    if (node.kind === Kind.OBJECT) {
      const fields = node.fields.map(({ name, value }) => [name.value, this.valueReader(value)] as const);
      return variables => Object.fromEntries(fields.map(([name, read]) => [name, read(variables)]));
    }
    const value = valueFromASTUntyped(node);
    return () => value;
  }
}
