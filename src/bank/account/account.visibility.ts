import type { KeyText } from '../../platform/database/keyed.js';

/**
 * Writes the condition of who sees an account: callers of its program, and of those that belong to one customer only
 * its owners. This is the only place that says so; every read and every lock of an account goes through it. `a` is the
 * account in the query, the arguments are SQL: a parameter or a column.
 */
export function visible(program: string, customerId: string | null): string {
  const ofProgram = `a.program = ${program}`;
  return customerId === null ? ofProgram : `${ofProgram} AND ${ownedBy(customerId)}`;
}

/** Writes the condition that the caller of a key, which has the columns of a `AccountViewer`, sees its account. */
export function visibleToEach({ k, ifGiven }: Pick<KeyText<keyof typeof VIEWER_COLUMNS>, 'k' | 'ifGiven'>): string {
  // By the account of the key and not of the row: where tables are distributed by account, that is a constant, and
  // within OR nothing else says that the owners are beside their account.
  return `${visible(k.program, null)} AND ${ifGiven('customer_id', () => ownedBy(k.customer_id, k.account_id))}`;
}

function ownedBy(customerId: string, accountId = 'a.account_id'): string {
  return `EXISTS (SELECT FROM account_owner v WHERE v.account_id = ${accountId} AND v.customer_id = ${customerId})`;
}

/** The caller of a key: who wants to see which account. A batch has keys of many callers, so each key names its own. */
export interface AccountViewer {
  readonly accountId: string;
  readonly program: string;
  readonly customerId: string | null;
}

/** The columns of a key with its viewer, in the order of `viewerValues`. */
export const VIEWER_COLUMNS = { account_id: 'text', program: 'text', customer_id: 'uuid' } as const;

export function viewerValues({ accountId, program, customerId }: AccountViewer): unknown[] {
  return [accountId, program, customerId];
}
