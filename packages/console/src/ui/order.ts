import { hrefOf, useAddress } from '../router.js';
import type { Order } from './table.js';

interface Ordered {
  /** True if the list is asked for from its end. */
  readonly fromEnd: boolean;
  readonly order: Order;
}

/**
 * The order of a list, which is in the address. The gateway has one order for each list, by this column, and both
 * directions of it: to sort the rows of a page alone would hide rows of the next one.
 */
export function useOrder(path: string, column: string, { isAscending = false } = {}): Ordered {
  const { query } = useAddress();
  const fromEnd = query.get('order') === 'reversed';
  const href = hrefOf(path, { ...Object.fromEntries(query), order: fromEnd ? null : 'reversed' });
  return { fromEnd, order: { column, isAscending: isAscending !== fromEnd, href } };
}
