import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  getDirectiveValues,
  visit,
  type DocumentNode,
  type OperationDefinitionNode,
} from 'graphql';
import { variableValue, type Variables } from './arguments.js';
import type { CompiledOperation } from './compiler.js';
import type { Includes } from './selected-fields.js';

/** Requests for other combinations of conditions are executed by graphql-js. */
const MAX_VARIANTS = 8;

/** An operation with one outcome of its `@skip` and `@include` directives. */
export interface Variant {
  readonly includes: Includes;
  /** The number of times that it was answered without an error. */
  answers: number;
  /** Undefined before it is compiled; null if it cannot be compiled. */
  compiled?: CompiledOperation | null;
}

interface Condition {
  readonly variable: string;
  readonly fallback: boolean | undefined;
}

/** The variants of an operation. Requests whose variables decide its directives in the same way share one. */
export class Variants {
  private readonly byKey = new Map<string, Variant>();
  private readonly conditions: readonly Condition[];

  constructor(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode) {
    const deciding = new Set<string>();
    visit(document, {
      Directive: directive => void visit(directive, { Variable: ({ name }) => void deciding.add(name.value) }),
    });
    // The document is valid, so a condition has a definition, either here or in another operation.
    this.conditions = variableDefinitions
      .filter(({ variable }) => deciding.has(variable.name.value))
      .map(({ variable, defaultValue }) => ({
        variable: variable.name.value,
        fallback: defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined,
      }));
  }

  get bytes(): number {
    return [...this.byKey.values()].reduce((sum, { compiled }) => sum + (compiled?.bytes ?? 0), 0);
  }

  /** The compiled variant for a request, if there is one. */
  compiled(variables: Variables): CompiledOperation | null | undefined {
    const key = this.keyOf(variables);
    return key === null ? null : this.byKey.get(key)?.compiled;
  }

  /** Counts an answer without errors. Null if such a request is always executed by graphql-js. */
  answered(variables: Variables): Variant | null {
    const key = this.keyOf(variables);
    if (key === null) return null;
    let variant = this.byKey.get(key);
    if (!variant) {
      if (this.byKey.size >= MAX_VARIANTS) return null;
      this.byKey.set(key, (variant = { includes: this.includes(key), answers: 0 }));
    }
    variant.answers += 1;
    return variant;
  }

  /** The values of the conditions. Null if one is not a Boolean: graphql-js has an error for that. */
  private keyOf(variables: Variables): string | null {
    let key = '';
    for (const { variable, fallback } of this.conditions) {
      const sent = variableValue(variables, variable);
      const value = sent === undefined ? fallback : sent;
      if (typeof value !== 'boolean') return null;
      key += value ? '1' : '0';
    }
    return key;
  }

  private includes(key: string): Includes {
    const values = Object.fromEntries(this.conditions.map(({ variable }, index) => [variable, key[index] === '1']));
    return selection =>
      getDirectiveValues(GraphQLSkipDirective, selection, values)?.['if'] !== true &&
      getDirectiveValues(GraphQLIncludeDirective, selection, values)?.['if'] !== false;
  }
}
