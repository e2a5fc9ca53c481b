import type pg from 'pg';
import type { Statement } from '../../../../lib/pg-wire/statement.js';
import { ask } from '../ask.js';

const HAS_CITUS: Statement = {
  name: 'citus_found',
  text: `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`,
};
const IS_DISTRIBUTED: Statement = {
  name: 'citus_distributes',
  text: `SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('account'))`,
};

/** True if Citus distributes the tables of the database. */
export async function hasDistributedTables(client: pg.ClientBase): Promise<boolean> {
  const [citus] = await ask<[boolean]>(client, HAS_CITUS);
  if (!citus?.[0]) return false;
  const [distributed] = await ask<[boolean]>(client, IS_DISTRIBUTED);
  return distributed?.[0] ?? false;
}

/** True if the coordinator could not tell whether a node has committed. Citus has no code of its own for that. */
export function isCommitLost(error: unknown): boolean {
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string };
  return code === 'XX000' && message.startsWith('could not commit transaction');
}
