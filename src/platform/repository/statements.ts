import { statementOf, type Statement, type StatementPart } from '../../../lib/pg-wire/statement.js';
import { selection, type Column, type Table } from './table.js';
import { writtenColumns } from './compiled-row.js';

/** Who sees the rows of a parent: checked on the parent's row, by what each key says of its caller. */
export interface Visibility<Sight> {
  /** Columns of the key `k`, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** Joins the parent to the key `k`, if it is seen. */
  readonly join: string;
  valuesOf(sight: Sight): readonly unknown[];
}

/** Which rows a list has, and their order. */
export interface ListShape {
  readonly parent: Column;
  readonly order: readonly Column[];
  readonly descending: boolean;
  /** What the place after which a page begins is named by: the order's one column, or the last column of the key. */
  readonly cursor: Column;
  /** A column whose value a page may ask for; null for all values. */
  readonly filter: Column | null;
}

/** How a page is read: from a place on, between two places, or from the end or a place back. */
export type Reading = 'after' | 'between' | 'fromEnd';

/** The places before and behind all rows, where no place bounds a page: for a list whose order is one number. */
export function boundsOf({ cursor, order, descending }: ListShape): readonly [number | null, number | null] {
  if (cursor !== order[0]) return [null, null];
  const most = cursor.type === 'bigint' ? Number.MAX_SAFE_INTEGER : MAX_INTEGER;
  return descending ? [most, -most] : [-most, most];
}
const MAX_INTEGER = 2_147_483_647;

/** One row for each key. */
export function ones(table: Table): Statement {
  return {
    name: `${table.name}_ones`,
    text: `SELECT ${selection(table, 't', 'true')}, k.n::int FROM ${keysGiven(table)} JOIN ${table.name} t ON ${sameKey(table, 't', 'k')}`,
  };
}

/**
 * Pages of lists, with their ordinals: the values are those of `pageValues`, and those of the visibility behind them.
 */
export function pages(
  table: Table,
  list: ListShape,
  reading: Reading,
  visibility: Visibility<never> | null,
): Statement {
  const { parent, cursor, filter, order } = list;
  const types: Record<string, string> = {
    parent: parent.type,
    after: cursor.type,
    ...(reading !== 'after' && { before: cursor.type }),
    skip: 'int',
    size: 'int',
    lazy: 'bool',
    ...(filter && { filter: filter.type }),
    ...visibility?.columns,
  };
  // A list is read from its end in the reverse order.
  const isDescending = list.descending !== (reading === 'fromEnd');
  const direction = isDescending ? ' DESC' : '';
  const key = order.map(({ name }) => `t.${name}`).join(', ');
  const isKeyed = cursor !== order[0];
  const placeAt = (name: string): string =>
    isKeyed
      ? `SELECT ${order.map(column => `c.${column.name}`).join(', ')} FROM ${table.name} c WHERE c.${parent.name} = k.parent AND c.${cursor.name} = k.${name}`
      : `k.${name}`;
  const beyond = (name: string, sign: string): string => {
    const condition = `(${key}) ${sign} (${placeAt(name)})`;
    return isKeyed ? `(k.${name} IS NULL OR ${condition})` : condition;
  };
  const [behind, ahead] = list.descending ? ['<', '>'] : ['>', '<'];
  const between = [beyond('after', behind), ...(reading === 'after' ? [] : [beyond('before', ahead)])].join(' AND ');
  const text = `SELECT ${selection(table, 't', 'k.lazy')}, k.n::int
    FROM unnest(${arrays(Object.values(types))}) WITH ORDINALITY k(${Object.keys(types).join(', ')}, n)
    ${visibility ? `${visibility.join} LEFT` : 'INNER'} JOIN LATERAL (
      SELECT * FROM ${table.name} t WHERE t.${parent.name} = k.parent AND ${between}
        ${filter ? `AND (k.filter IS NULL OR t.${filter.name} = k.filter)` : ''}
      ORDER BY ${order.map(({ name }) => `t.${name}${direction}`).join(', ')} OFFSET k.skip LIMIT k.size
    ) t ON true`;
  const way = { after: '', between: '_between', fromEnd: '_from_end' }[reading];
  return { name: `${table.name}_pages${way}${visibility ? '_ahead' : ''}`, text, isAhead: visibility !== null };
}

export function counts(table: Table, { parent, filter }: ListShape): Statement {
  const types = [parent.type, ...(filter ? [filter.type] : [])];
  const filtered = filter ? ` AND (k.filter IS NULL OR t.${filter.name} = k.filter)` : '';
  return {
    name: `${table.name}_counts`,
    text: `SELECT (SELECT count(*)::int FROM ${table.name} t WHERE t.${parent.name} = k.parent${filtered}), k.n::int
      FROM unnest(${arrays(types)}) WITH ORDINALITY k(parent${filter ? ', filter' : ''}, n)`,
  };
}

/** Inserts drafts, which come as one JSON text. */
export function insertMany(table: Table): Statement {
  const text = `INSERT INTO ${table.name} (${namesOf(writtenColumns(table))}) SELECT * FROM ${recordset(writtenColumns(table))}`;
  return { name: `${table.name}_insert`, text, apart: apartOf(insertOne(table), writtenColumns(table)) };
}

/** Inserts one row of large values, which come as parameters. */
export function insertOne(table: Table): Statement {
  const columns = writtenColumns(table);
  const values = columns.map(({ type }, index) => `$${index + 1}::${type}`).join(', ');
  return {
    name: `${table.name}_insert_one`,
    text: `INSERT INTO ${table.name} (${namesOf(columns)}) VALUES (${values})`,
  };
}

/** Writes columns of drafts over the rows that have their keys. */
export function update(table: Table, columns: readonly Column[]): Statement {
  const text = `UPDATE ${table.name} t SET ${columns.map(({ name }) => `${name} = r.${name}`).join(', ')}
    FROM ${recordset([...table.key, ...columns])} WHERE ${sameKey(table, 't', 'r')}`;
  const given = [...table.key, ...columns];
  const set = columns.map(({ name, type }, index) => `${name} = $${table.key.length + index + 1}::${type}`).join(', ');
  const keyed = table.key.map(({ name, type }, index) => `${name} = $${index + 1}::${type}`).join(' AND ');
  const one = statementOf(`UPDATE ${table.name} SET ${set} WHERE ${keyed}`);
  return { ...statementOf(text), apart: apartOf(one, given) };
}

/**
 * The drafts of one JSON text as values of a statement for each, ordered by their keys if the statement has several.
 */
function apartOf(statement: Statement, columns: readonly Column[]): (values: readonly unknown[]) => StatementPart[] {
  return ([drafts]) =>
    (JSON.parse(drafts as string) as Readonly<Record<string, unknown>>[]).map(draft => ({
      statement,
      values: columns.map(({ name, decoding }) => {
        const value = draft[name] ?? null;
        return decoding === 'json' && value !== null ? JSON.stringify(value) : value;
      }),
    }));
}

/** Deletes rows by their keys. */
export function remove(table: Table): Statement {
  return {
    name: `${table.name}_delete`,
    text: `DELETE FROM ${table.name} t USING ${keysGiven(table)} WHERE ${sameKey(table, 't', 'k')}`,
  };
}

function keysGiven({ key }: Table): string {
  return `unnest(${arrays(key.map(({ type }) => type))}) WITH ORDINALITY k(${namesOf(key)}, n)`;
}

function sameKey({ key }: Table, left: string, right: string): string {
  return key.map(({ name }) => `${left}.${name} = ${right}.${name}`).join(' AND ');
}

function recordset(columns: readonly Column[]): string {
  return `json_to_recordset($1) r(${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`;
}

function arrays(types: readonly string[]): string {
  return types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
}

function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}
