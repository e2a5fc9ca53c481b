import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Variables } from './argument-values.js';
import type { CompiledOperation } from './compiled-operation.js';
import { Conditions } from './conditions.js';
import type { Includes } from './selected-fields.js';

/** So many of an operation are kept; what else its variables can decide is run the ordinary way. */
const MAX_VARIANTS = 8;

/** An operation as it is for all requests whose variables decide its directives alike. */
export interface Variant {
  readonly includes: Includes;
  /** How often it was answered without an error. */
  answers: number;
  /** Undefined until it is compiled; null where it may not be. */
  compiled?: CompiledOperation | null;
}

/** What an operation is with each outcome of its `@skip` and `@include`. */
export class Variants {
  private readonly byKey = new Map<string, Variant>();

  private constructor(private readonly conditions: Conditions | null) {}

  static of(document: DocumentNode, operation: OperationDefinitionNode): Variants {
    return new Variants(Conditions.of(document, operation));
  }

  get bytes(): number {
    return [...this.byKey.values()].reduce((sum, { compiled }) => sum + (compiled?.bytes ?? 0), 0);
  }

  /** What is compiled for such requests; undefined while nothing is. */
  compiled(variables: Variables): CompiledOperation | null | undefined {
    const decided = this.conditions?.decide(variables);
    return decided && this.byKey.get(decided.key)?.compiled;
  }

  /** Notes an answer without errors. Null where such requests are run the ordinary way alone. */
  answered(variables: Variables): Variant | null {
    const decided = this.conditions?.decide(variables);
    if (!decided) return null;
    const { key, includes } = decided;
    if (!this.byKey.has(key) && this.byKey.size >= MAX_VARIANTS) return null;
    const variant = this.byKey.get(key) ?? { includes, answers: 0 };
    variant.answers += 1;
    this.byKey.set(key, variant);
    return variant;
  }
}
