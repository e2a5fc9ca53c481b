import type { Asked } from '../platform/command/group-work.js';
import { oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Asking, Transaction } from '../platform/database/transaction.js';
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

const LOCK_EACH = `SELECT ${ACCOUNT_COLUMNS}, k.n::int FROM ${GIVEN} JOIN account a ON a.account_id = k.account_id WHERE ${VISIBLE_TO_EACH}
  ORDER BY a.account_id FOR NO KEY UPDATE OF a`;
const LOCK_WAITING = { name: 'accounts_lock_waiting', text: LOCK_EACH };
const LOCK_FREE = { name: 'accounts_lock_free', text: `${LOCK_EACH} SKIP LOCKED` };

const STILL_SEEN = {
  name: 'accounts_still_seen',
  text: `SELECT true, k.n::int FROM ${GIVEN} JOIN account a ON a.account_id = k.account_id WHERE ${VISIBLE_TO_EACH}`,
};

/** See `AccountService.lockMany`. */
export async function lockMany(
  transaction: Transaction,
  program: string,
  accountIds: readonly string[],
): Promise<AccountView[]> {
  return (await transaction.query<AccountRow>(LOCK_MANY, [accountIds, program])).map(accountOf);
}

/** Locks for each caller the account that it sees, if it `waits` all of them, else those that nobody else holds. Gives what it locked. */
export async function lockEach(
  transaction: Asking,
  asked: readonly Asked[],
  waits: boolean,
): Promise<(AccountView | null)[]> {
  const values = [
    asked.map(({ accountId }) => accountId),
    asked.map(({ caller }) => caller.program),
    asked.map(({ caller }) => caller.customerId),
  ];
  const lock = transaction.query<WithOrdinal<AccountRow>>(waits ? LOCK_WAITING : LOCK_FREE, values);
  // A lock gives the account's row as it is now. But who waited for it found the owners of the time before.
  const ofCustomers = asked.some(({ caller }) => caller.customerId !== null);
  const [locked, seen] = await Promise.all([
    lock,
    ofCustomers ? transaction.query<WithOrdinal<[seen: boolean]>>(STILL_SEEN, values) : null,
  ]);
  const accounts = oneByOrdinal(locked, asked.length, accountOf);
  if (!seen) return accounts;
  const still = oneByOrdinal(seen, asked.length, ([isSeen]) => isSeen);
  return accounts.map((account, index) => (still[index] ? account : null));
}
