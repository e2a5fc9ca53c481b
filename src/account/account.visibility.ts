import type { Visibility } from '../platform/repository/batched-repository.js';
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
export const VISIBLE_TO_EACH = visibleToEach('k.account_id');

// By the account of the key and not of the row: where tables are distributed by account, that is a constant, and within
// OR nothing else says that the owners are beside their account.
function visibleToEach(accountId: string): string {
  return `${visible('k.program', null)} AND (k.customer_id IS NULL OR ${ownedBy('k.customer_id', accountId)})`;
}

function ownedBy(customerId: string, accountId = 'a.account_id'): string {
  return `EXISTS (SELECT FROM account_owner v WHERE v.account_id = ${accountId} AND v.customer_id = ${customerId})`;
}

/** An account, and who wants to see it. A batch has keys of many callers, so each key is one of these. */
export interface Sight {
  readonly accountId: string;
  readonly program: string;
  readonly customerId: string | null;
}

/**
 * Throws `AccountNotFound` for what cannot be the id of an account: it may hold what PostgreSQL does not take as text.
 */
export function sightOf({ program, customerId }: Caller, accountId: string): Sight {
  if (!BANK_ID.test(accountId)) throw new AccountNotFound();
  return { accountId, program, customerId };
}

/**
 * Many sights as a table `k` with an ordinal, from the parameters $1 to $3, whose columns are the places of
 * `sightValues`.
 */
export const SIGHT =
  'unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY k(account_id, program, customer_id, n)';

export function sightValues({ accountId, program, customerId }: Sight): unknown[] {
  return [accountId, program, customerId];
}

/** Rows that belong to an account are for callers who see the account. */
export const ACCOUNT_SEEN: Visibility<Sight> = {
  columns: { program: 'text', customer_id: 'uuid' },
  join: `JOIN account a ON a.account_id = k.parent AND ${visibleToEach('k.parent')}`,
  valuesOf: ({ program, customerId }) => [program, customerId],
};
