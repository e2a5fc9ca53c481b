import { LockMode, type EntityClass, type EntityKey, type FilterQuery, type QueryOrderMap } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';

/** Rows whose time is over: the first of them in an order, at most so many at once. */
export interface RowsToSweep<Entity> {
  readonly where: FilterQuery<Entity>;
  readonly orderBy: QueryOrderMap<Entity>;
  readonly limit: number;
}

/** Deletes rows, by their one key, that nobody else deletes at the moment. Gives how many. */
export function sweepRows<Entity extends object>(
  em: EntityManager,
  entity: EntityClass<Entity>,
  key: EntityKey<Entity>,
  { where, orderBy, limit }: RowsToSweep<Entity>,
): Promise<number> {
  const over = em
    .createQueryBuilder(entity, 'over')
    .select(key as never)
    .where(where as never)
    .orderBy(orderBy as never)
    .limit(limit)
    .setLockMode(LockMode.PESSIMISTIC_PARTIAL_WRITE);
  return em.nativeDelete<Entity>(entity, { [key]: { $in: over } } as never);
}
