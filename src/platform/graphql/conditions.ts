import {
  Kind,
  visit,
  type DirectiveNode,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { variableValue, type Variables } from './argument-values.js';
import type { Includes } from './selected-fields.js';

/** Operations with more variables that decide about fields are run the ordinary way. */
const MAX_CONDITIONS = 8;

/** The variables that decide which fields of an operation are in the answer. */
export class Conditions {
  private constructor(
    private readonly names: readonly string[],
    private readonly defaults: ReadonlyMap<string, boolean>,
  ) {}

  /** Null where there are too many to keep the operation for each of their values. */
  static of(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): Conditions | null {
    const deciding = new Set<string>();
    visit(document, {
      Directive(directive) {
        const value = conditionOf(directive);
        if (value?.kind === Kind.VARIABLE) deciding.add(value.name.value);
      },
    });
    const defaults = new Map<string, boolean>();
    for (const { variable, defaultValue } of variableDefinitions) {
      if (defaultValue?.kind === Kind.BOOLEAN) defaults.set(variable.name.value, defaultValue.value);
    }
    // The document is valid, so what decides here is defined here; other operations of the document have variables of their own.
    const names = variableDefinitions.map(({ variable }) => variable.name.value).filter(name => deciding.has(name));
    return names.length > MAX_CONDITIONS ? null : new Conditions(names, defaults);
  }

  /**
   * What the variables of a request decide, as a key that is the same for all that decide alike. Null where a variable that decides is not
   * true or false: graphql-js has an error for that.
   */
  keyOf(variables: Variables): string | null {
    let key = '';
    for (const name of this.names) {
      const given = variableValue(variables, name);
      const value = given === undefined ? this.defaults.get(name) : given;
      if (typeof value !== 'boolean') return null;
      key += value ? '1' : '0';
    }
    return key;
  }

  /** Which selections are in the answers to requests with this key. */
  includes(key: string): Includes {
    const values = new Map(this.names.map((name, index) => [name, key[index] === '1']));
    return selection => isIncluded(selection, values);
  }
}

function isIncluded({ directives = [] }: SelectionNode, values: ReadonlyMap<string, boolean>): boolean {
  return directives.every(directive => {
    const condition = conditionOf(directive);
    const value =
      condition?.kind === Kind.VARIABLE
        ? values.get(condition.name.value)
        : condition?.kind === Kind.BOOLEAN && condition.value;
    return condition === undefined || value === (directive.name.value === 'include');
  });
}

/** What `@skip` or `@include` depends on; undefined for other directives. */
function conditionOf({ name, arguments: given = [] }: DirectiveNode) {
  if (name.value !== 'skip' && name.value !== 'include') return undefined;
  return given.find(argument => argument.name.value === 'if')?.value;
}
