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
    const key = this.conditions?.keyOf(variables);
    return typeof key === 'string' ? this.byKey.get(key)?.compiled : undefined;
  }

  /** Notes an answer without errors. Null where such requests are run the ordinary way alone. */
  answered(variables: Variables): Variant | null {
    const key = this.conditions?.keyOf(variables);
    if (!this.conditions || typeof key !== 'string') return null;
    const known = this.byKey.get(key);
    if (!known && this.byKey.size >= MAX_VARIANTS) return null;
    const variant = known ?? { includes: this.conditions.includes(key), answers: 0 };
    variant.answers += 1;
    this.byKey.set(key, variant);
    return variant;
  }
}
