import type { Asked } from '../platform/command/group-work.js';
import { dealOutOne, type Numbered } from '../platform/database/deal-out.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { AccountView } from './account.entity.js';
import { ACCOUNT_COLUMNS, accountOf, type AccountRow } from './account.row.js';
import { VISIBLE_TO_EACH, visible } from './account.visibility.js';

// Accounts are locked in the order of their ids, so that two who lock many never wait for each other in a circle.
const LOCK_MANY = {
  name: 'accounts_lock_many',
  text: `SELECT ${ACCOUNT_COLUMNS} FROM account a WHERE a.account_id = ANY($1::text[]) AND ${visible('$2', null)}
    ORDER BY a.account_id FOR NO KEY UPDATE`,
};

const GIVEN = 'unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY k(account_id, program, customer_id, n)';

const LOCK_EACH = `SELECT a.account_id FROM ${GIVEN} JOIN account a ON a.account_id = k.account_id WHERE ${VISIBLE_TO_EACH}
  ORDER BY a.account_id FOR NO KEY UPDATE OF a`;
const LOCK_WAITING = { name: 'accounts_lock_waiting', text: LOCK_EACH };
const LOCK_FREE = { name: 'accounts_lock_free', text: `${LOCK_EACH} SKIP LOCKED` };

const SEE_EACH = {
  name: 'accounts_see_each',
  text: `SELECT ${ACCOUNT_COLUMNS}, k.n::int FROM ${GIVEN} JOIN account a ON a.account_id = k.account_id WHERE ${VISIBLE_TO_EACH}`,
};

/** See `AccountService.lockMany`. */
export async function lockMany(
  transaction: Transaction,
  program: string,
  accountIds: readonly string[],
): Promise<AccountView[]> {
  return (await transaction.query<AccountRow>(LOCK_MANY, [accountIds, program])).map(accountOf);
}

/** Locks for each caller the account that it sees, if it `waits` all of them, else those that nobody else holds. Gives the ids of these. */
export async function lockEach(
  transaction: Transaction,
  asked: readonly Asked[],
  waits: boolean,
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<[accountId: string]>(waits ? LOCK_WAITING : LOCK_FREE, valuesOf(asked));
  return new Set(rows.map(([accountId]) => accountId));
}

/** What each caller sees of its account. Who waited for a lock finds the owners of now, and not those of the time before. */
export async function seeEach(transaction: Transaction, asked: readonly Asked[]): Promise<(AccountView | null)[]> {
  const rows = await transaction.query<Numbered<AccountRow>>(SEE_EACH, valuesOf(asked));
  return dealOutOne(rows, asked.length, accountOf);
}

function valuesOf(asked: readonly Asked[]): unknown[] {
  return [
    asked.map(({ accountId }) => accountId),
    asked.map(({ caller }) => caller.program),
    asked.map(({ caller }) => caller.customerId),
  ];
}
