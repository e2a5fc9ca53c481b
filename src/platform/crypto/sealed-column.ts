import type { KeyRing, KeyRings } from './key-ring.js';
import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import { apart } from '../database/keyed.js';

/**
 * A column of seals. An entity declares it by `Sealed`.
 */
export interface SealedColumn {
  readonly table: string;
  readonly ring: keyof KeyRings;
  /** The columns of the primary key with their PostgreSQL types, in order. They are shown for rows that fail. */
  readonly key: Readonly<Record<string, 'text' | 'uuid' | 'bytea'>>;
  /** NULL means that nothing is sealed. */
  readonly column: string;
  /** The identity of a row's seal. Gets the values of the primary key as PostgreSQL's texts. */
  identityOf(...key: string[]): string;
  readonly digests?: readonly DigestColumn[];
  /** Takes the place of `writeOneOf` where accounts are on many servers. Its parameters are the same. */
  readonly resealApart?: string | undefined;
}

/** Null where the opened value has nothing to be found by. */
export type DigestOf = (keys: KeyRing, value: unknown) => Buffer | string | null;

/** A column of the same row with a keyed digest, its PostgreSQL type, and how to make it from the opened value. */
export interface DigestColumn {
  readonly name: string;
  readonly type: string;
  readonly of: DigestOf;
}

/** A column as it is on Citus, where `account_id` comes before the primary key that the entity declares. */
export function withAccount(column: SealedColumn): SealedColumn {
  const identityOf: SealedColumn['identityOf'] = (_account, ...key) => column.identityOf(...key);
  return { ...column, key: { account_id: 'text', ...column.key }, identityOf };
}

/** `customer.sealed` */
export function nameOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}

/** The longest beginning of a seal or digest with its key: version, length, and an id of up to 32 characters. */
const LABEL_BYTES = 34;

/** Statements for rows in the order of the primary key: its values as text, then the requested columns. */
export interface PageStatements {
  /** Takes the number of rows. */
  readonly first: Statement;
  /** Takes the number of rows, and the key after which they start. */
  readonly next: Statement;
}

/** Pages of the sealed values, each behind the truth about each digest that it is missing. */
export function sealPages(column: SealedColumn): PageStatements {
  return pages(column, [...(column.digests ?? []).map(({ name }) => `${name} IS NULL`), column.column]);
}

/** Pages of the beginnings with the ids of keys: of the seals, then of the digests in the order of `digests`. */
export function labelPages(column: SealedColumn): PageStatements {
  const columns = [column.column, ...(column.digests ?? []).map(({ name }) => name)];
  return pages(
    column,
    columns.map(name => `substring(${name} FROM 1 FOR ${LABEL_BYTES})`),
  );
}

/**
 * Writes new seals. Takes an array for each column of the primary key, one of the old seals, one of the new ones, and
 * one for each digest. Gives the keys of the written rows: rows with another seal by now, or that are locked, stay as
 * they are. It waits for no lock, so it cannot deadlock, and a command waits for one statement at most.
 */
export function writeOf({ table, key, column, digests = [] }: SealedColumn): Statement {
  const names = Object.keys(key);
  const types = [...Object.values(key), 'bytea', 'bytea', ...digests.map(({ type }) => type)];
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const fresh = [[column, 'fresh'] as const, ...digests.map(({ name }, index) => [name, `digest${index}`] as const)];
  const columnNames = [...names, 'was', ...fresh.map(([, alias]) => alias)].join(', ');
  const same = (left: string, right: string) => names.map(name => `${left}.${name} = ${right}.${name}`).join(' AND ');
  // FOR NO KEY UPDATE, as the UPDATE itself takes, lets others add rows that refer to these.
  return statementOf(
    `UPDATE ${table} t SET ${fresh.map(([name, alias]) => `${name} = l.${alias}`).join(', ')}
     FROM (SELECT g.* FROM unnest(${arrays}) g(${columnNames}) JOIN ${table} s ON ${same('s', 'g')} AND s.${column} = g.was
       ORDER BY ${names.map(name => `s.${name}`).join(', ')} FOR NO KEY UPDATE OF s SKIP LOCKED) l
     WHERE ${same('t', 'l')} RETURNING ${textsOf(names, 't')}`,
  );
}

/** The statement that writes the new seal of one row. It takes a value where the one for many takes an array. */
export function writeOneOf({ table, key, column, resealApart, digests = [] }: SealedColumn): Statement {
  const names = Object.keys(key);
  const isRow = (alias: string) => names.map((name, index) => `${alias}.${name} = $${index + 1}`).join(' AND ');
  const was = `$${names.length + 1}`;
  const fresh = [column, ...digests.map(digest => digest.name)].map(
    (name, index) => `${name} = $${names.length + 2 + index}`,
  );
  const name = `${table}_${column}_reseal`;
  const text = `UPDATE ${table} t SET ${fresh.join(', ')}
      FROM (SELECT s.* FROM ${table} s WHERE ${isRow('s')} AND s.${column} = ${was} FOR NO KEY UPDATE SKIP LOCKED) l
      WHERE ${isRow('t')} RETURNING ${textsOf(names, 't')}`;
  return resealApart === undefined ? { name, text } : apart({ name, text }, resealApart);
}

function pages({ table, key, column }: SealedColumn, columns: readonly string[]): PageStatements {
  const names = Object.keys(key);
  const after = Object.values(key).map((type, index) => `$${index + 2}::${type}`);
  const page = (behind: string) =>
    statementOf(
      `SELECT ${textsOf(names, table)}, ${columns.join(', ')} FROM ${table} WHERE ${column} IS NOT NULL ${behind}
       ORDER BY ${names.join(', ')} LIMIT $1`,
    );
  return { first: page(''), next: page(`AND (${names.join(', ')}) > (${after.join(', ')})`) };
}

function textsOf(names: readonly string[], table: string): string {
  return names.map(name => `${table}.${name}::text`).join(', ');
}
