import type { Caller } from '../shared/caller.js';
import { BANK_ID } from '../shared/ids.js';
import { AccountNotFound } from './account.errors.js';

/**
 * Who sees an account: callers of its program, and of those that belong to one customer only its owners. This is the
 * only place that says so; every read and every lock of an account goes through it. `a` is the account in the query,
 * the arguments are SQL: a parameter or a column.
 */
export function visible(program: string, customerId: string | null): string {
  const ofProgram = `a.program = ${program}`;
  return customerId === null ? ofProgram : `${ofProgram} AND ${ownedBy(customerId)}`;
}

/** The same for the caller of the key `k` of a batch, which has the columns of a `Sight`. */
export const VISIBLE_TO_EACH = `${visible('k.program', null)} AND (k.customer_id IS NULL OR ${ownedBy('k.customer_id')})`;

function ownedBy(customerId: string): string {
  return `EXISTS (SELECT FROM account_owner v WHERE v.account_id = a.account_id AND v.customer_id = ${customerId})`;
}

/** An account, and who wants to see it: what a key of a batch says, since a batch has keys of many callers. */
export interface Sight {
  readonly accountId: string;
  readonly program: string;
  readonly customerId: string | null;
}

/** Throws `AccountNotFound` for what cannot be the id of an account: it may hold what PostgreSQL takes for no text at all. */
export function sightOf({ program, customerId }: Caller, accountId: string): Sight {
  if (!BANK_ID.test(accountId)) throw new AccountNotFound();
  return { accountId, program, customerId };
}
