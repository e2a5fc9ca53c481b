import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';
import type { DeclaredOperation } from '../../shared/operation.js';

/**
 * Says which operation a field performs. The schema tells clients from it which scopes the field takes and with which
 * codes it refuses; the service of the operation checks and refuses.
 */
export function Performs(operation: DeclaredOperation): MethodDecorator & PropertyDecorator {
  return Extensions({ operation });
}

/** The operation that a field performs; null where it is read with its object. */
export function operationOf({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): DeclaredOperation | null {
  const { operation = null } = extensions as { readonly operation?: DeclaredOperation };
  return operation;
}
