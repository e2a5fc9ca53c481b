import type pg from 'pg';

/** Whether Citus distributes the tables of the database. */
export async function hasDistributedTables(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ found: string | null }>(
    `select to_regclass('pg_catalog.pg_dist_partition')::text as found`,
  );
  if (!rows[0]?.found) return false;
  const { rowCount } = await pool.query(
    `select from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where c.relname = 'account'`,
  );
  return rowCount === 1;
}
