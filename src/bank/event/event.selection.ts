import type { EventFilter } from './event.inputs.js';

/**
 * `account`: what was done in an account. `program`: what was done to a program. `denied`: what callers were denied in
 * a program, or at accounts of a program, so that no account has to wait for it. Each has a table and chains of its
 * own.
 */
export const CHAIN_KINDS = ['account', 'program', 'denied'] as const;
export type ChainKind = (typeof CHAIN_KINDS)[number];

/** Which events `e` of a program are asked for. */
export interface EventSelection {
  readonly kinds: readonly ChainKind[];
  /** SQL. Texts are fixed, so they are few statements, each prepared once a connection. */
  readonly where: string;
  /** The parameters of the conditions. The first one is the program. */
  readonly values: readonly unknown[];
}

/** `actions`: those of the types that are asked for. `isFeed`: only what was done. */
export function selectionOf(
  program: string,
  filter: EventFilter | null,
  actions: readonly string[] | null,
  isFeed: boolean,
): EventSelection {
  const values: unknown[] = [program];
  const conditions = ['e.program = $1'];
  const add = (condition: (parameter: string) => string, value: unknown): void => {
    if (value !== undefined && value !== null) conditions.push(condition(`$${values.push(value)}`));
  };
  add(parameter => `e.account_id = ${parameter}`, filter?.accountId);
  add(parameter => `e.object = ${parameter}`, filter?.customerId && `customer/${filter.customerId}`);
  add(parameter => `e.action = ANY(${parameter}::text[])`, filter?.actions);
  add(parameter => `e.action = ANY(${parameter}::text[])`, actions);
  add(parameter => `e.client_id = ${parameter}`, filter?.clientId);
  add(parameter => `e.subject = ${parameter}`, filter?.subject);
  add(parameter => `e.request_id = ${parameter}`, filter?.requestId);
  add(parameter => `e.occurred_at >= ${parameter}::timestamptz`, filter?.occurredFrom);
  add(parameter => `e.occurred_at < ${parameter}::timestamptz`, filter?.occurredBefore);
  const onlyDone = isFeed || actions !== null;
  const kinds = CHAIN_KINDS.filter(kind => {
    // Customers belong to programs, and a denied attempt has no object.
    if (filter?.customerId && kind !== 'program') return false;
    if (kind === 'denied') return !onlyDone && filter?.outcome !== 'DONE';
    return filter?.outcome !== 'DENIED' && (kind === 'account' || !filter?.accountId);
  });
  if (kinds.length === 0) conditions.push('false');
  return { kinds: kinds.length > 0 ? kinds : ['account'], where: conditions.join(' AND '), values };
}
