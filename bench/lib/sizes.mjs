// Bytes of tables and indexes, as PostgreSQL tells them.
import { digits, table } from './report.mjs';

/**
 * @typedef {{rows: number, heap: number, toast: number, indexes: Record<string, number>}} Table bytes, without the maps
 * of free space
 */

/**
 * Every table of ours, those that are empty too. @param {import('pg').Client} db @returns {Promise<Record<string,
 * Table>>}
 */
export async function tablesOf(db) {
  const { rows } = await db.query(`SELECT c.oid, c.relname AS name, pg_relation_size(c.oid)::float8 AS heap,
      coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)::float8 AS toast,
      coalesce((SELECT json_object_agg(i.relname, pg_relation_size(i.oid)) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        WHERE x.indrelid = c.oid), '{}') AS indexes
    FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`);
  const all = {};
  for (const { name, heap, toast, indexes } of rows) {
    const { rows: counted } = await db.query(`SELECT count(*)::float8 AS rows FROM ${name}`);
    all[name] = { rows: counted[0].rows, heap, toast, indexes };
  }
  return all;
}

/** Bytes for each row. @param {Table} table */
export function bytesOf({ rows, heap, toast, indexes }) {
  const inIndexes = Object.values(indexes).reduce((sum, bytes) => sum + bytes, 0);
  const each = [heap, toast, inIndexes].map(bytes => bytes / rows);
  return { heap: each[0], toast: each[1], indexes: each[2], all: each[0] + each[1] + each[2] };
}

/** Tables with a few rows are left out: a page that is almost empty says nothing about a row. */
const FEWEST_ROWS = 1000;

export function sizesMarkdown(tables) {
  const rows = Object.entries(tables)
    .filter(([, { rows: count }]) => count >= FEWEST_ROWS)
    .map(([name, of]) => {
      const { heap, toast, indexes, all } = bytesOf(of);
      return [name, String(of.rows), ...[heap, toast, indexes, all].map(bytes => digits(bytes, 0))];
    });
  return table(['table', 'rows', 'bytes a row', 'TOAST', 'indexes', 'together'], rows);
}

/** By how many rows and bytes each table has grown for one of so many writes. */
export function grownBy(before, after, writes) {
  const total = ({ heap, toast, indexes }) => Object.values(indexes).reduce((sum, bytes) => sum + bytes, heap + toast);
  const grown = Object.entries(after).map(([name, now]) => {
    const rows = (now.rows - (before[name]?.rows ?? 0)) / writes;
    return [name, { rows, bytes: (total(now) - (before[name] ? total(before[name]) : 0)) / writes }];
  });
  return Object.fromEntries(grown.filter(([, { rows, bytes }]) => rows !== 0 || bytes !== 0));
}
