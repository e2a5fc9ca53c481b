import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import type { SealedColumn } from './sealed-column.js';

/** The longest beginning of a seal or a digest that names its key: version, length, and an id of up to 32 characters. */
const LABEL_BYTES = 34;

/** Rows in the order of the primary key: its values as text, then what was asked for. */
export interface PageStatements {
  /** Takes the number of rows. */
  readonly first: Statement;
  /** Takes the number of rows, and the key's values after which they start. */
  readonly next: Statement;
}

/** Pages of the sealed values. */
export function sealPages(column: SealedColumn): PageStatements {
  return pages(column, [column.column]);
}

/** Pages of what names the keys: the beginnings of the seals, then those of the digests, in the order of `digests`. */
export function labelPages(column: SealedColumn): PageStatements {
  const columns = [column.column, ...Object.keys(column.digests ?? {})];
  return pages(
    column,
    columns.map(name => `substring(${name} FROM 1 FOR ${LABEL_BYTES})`),
  );
}

export function countOf({ table, column }: SealedColumn): Statement {
  return statementOf(`SELECT count(*) FROM ${table} WHERE ${column} IS NOT NULL`);
}

/**
 * Writes what was sealed anew: an array a column of the primary key, one of the bytes that were read, one of the new bytes, and one a
 * digest. Gives the keys of the rows that were written: those that have other bytes by now, or that somebody holds, are left as they
 * are. It waits for nobody, so it gets into no circle of waiting, and a command waits for one statement at most.
 */
export function writeOf({ table, key, column }: SealedColumn, digests: readonly string[]): Statement {
  const names = Object.keys(key);
  const types = [...Object.values(key), 'bytea', 'bytea', ...digests.map(() => 'bytea')];
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const fresh = [[column, 'fresh'] as const, ...digests.map((name, index) => [name, `digest${index}`] as const)];
  const given = [...names, 'was', ...fresh.map(([, alias]) => alias)].join(', ');
  const same = (left: string, right: string) => names.map(name => `${left}.${name} = ${right}.${name}`).join(' AND ');
  // FOR NO KEY UPDATE, as the UPDATE itself takes: who adds a row that refers to one of these need not wait.
  return statementOf(
    `UPDATE ${table} t SET ${fresh.map(([name, alias]) => `${name} = l.${alias}`).join(', ')}
     FROM (SELECT g.* FROM unnest(${arrays}) g(${given}) JOIN ${table} s ON ${same('s', 'g')} AND s.${column} = g.was
       ORDER BY ${names.map(name => `s.${name}`).join(', ')} FOR NO KEY UPDATE OF s SKIP LOCKED) l
     WHERE ${same('t', 'l')} RETURNING ${textsOf(names, 't')}`,
  );
}

function pages({ table, key, column }: SealedColumn, columns: readonly string[]): PageStatements {
  const names = Object.keys(key);
  const select = `SELECT ${textsOf(names, table)}, ${columns.join(', ')} FROM ${table} WHERE ${column} IS NOT NULL`;
  const after = Object.values(key).map((type, index) => `$${index + 2}::${type}`);
  const order = `ORDER BY ${names.join(', ')} LIMIT $1`;
  return {
    first: statementOf(`${select} ${order}`),
    next: statementOf(`${select} AND (${names.join(', ')}) > (${after.join(', ')}) ${order}`),
  };
}

function textsOf(names: readonly string[], table: string): string {
  return names.map(name => `${table}.${name}::text`).join(', ');
}
