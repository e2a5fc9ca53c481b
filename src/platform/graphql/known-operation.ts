import { OperationTypeNode, type DocumentNode, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { ArgumentValues } from './argument-values.js';
import { variableCheck, type CheckVariables } from './check-variables.js';
import { costOf, type CostOf } from './cost.js';
import { countFields, selectedFields } from './selected-fields.js';
import type { GraphqlLimits } from './settings.js';
import { Variants } from './variants.js';

/** The longest name that is taken over into the log. */
const MAX_NAME_CHARACTERS = 64;

/** An operation of a valid document within the limits, with all that is known of it before its variables are. */
export class KnownOperation {
  private constructor(
    readonly document: DocumentNode,
    readonly operation: OperationDefinitionNode,
    readonly cost: CostOf,
    readonly check: CheckVariables,
    /** Its fields at the root, `__typename` and questions about the schema apart. */
    readonly rootFields: number,
    /** All its fields, those inside of others with them. */
    readonly size: number,
    readonly variants: Variants,
  ) {}

  /** Throws `BeyondLimit`. */
  static of(
    schema: GraphQLSchema,
    limits: GraphqlLimits,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): KnownOperation {
    const fields = selectedFields(schema, document, operation, limits);
    return new KnownOperation(
      document,
      operation,
      costOf(schema, operation, fields, new ArgumentValues(operation)),
      variableCheck(schema, document, operation),
      fields.filter(({ definition }) => !definition.name.startsWith('__')).length,
      countFields(fields),
      Variants.of(document, operation),
    );
  }

  get isWrite(): boolean {
    return this.operation.operation === OperationTypeNode.MUTATION;
  }

  /** For the log; null where it has none, or one that is too long. */
  get name(): string | null {
    return shownName(this.operation);
  }
}

/** The name of an operation as the log may have it. */
export function shownName({ name }: OperationDefinitionNode): string | null {
  return name && name.value.length <= MAX_NAME_CHARACTERS ? name.value : null;
}
