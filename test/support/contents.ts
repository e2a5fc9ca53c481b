import type pg from 'pg';

/**
 * What is written from time to time: that a process runs, the log of requests, also of dry runs, and figures of events.
 */
const BESIDE = '^(key_holder|api_request|overview_)';

/** A digest of each table's rows, whatever their order: equal before and after something that wrote nothing. */
export async function contentsOf(sql: pg.Pool): Promise<Record<string, string | null>> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname !~ '${BESIDE}'`,
  );
  const digests = rows.map(
    ({ name }) => `SELECT '${name}' AS name, md5(string_agg(t::text, ',' ORDER BY t::text)) AS md5 FROM ${name} t`,
  );
  const found = await sql.query<{ name: string; md5: string | null }>(digests.join(' UNION ALL '));
  return Object.fromEntries(found.rows.map(({ name, md5 }) => [name, md5]));
}
