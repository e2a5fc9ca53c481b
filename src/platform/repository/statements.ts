import { statementOf, type Statement, type StatementPart } from '../../../lib/pg-wire/statement.js';
import { apart, keyed, type KeyText } from '../database/keyed.js';
import { selection, type Column, type Table } from './table.js';
import { writtenColumns, type Draft } from './compiled-row.js';

/** The column by which tables are distributed where accounts are on many servers. */
const ACCOUNT = 'account_id';

/** Which rows a list has, and their order. */
export interface ListShape {
  readonly parent: Column;
  readonly order: readonly Column[];
  readonly descending: boolean;
  /**
   * The column that names the place after which a page begins: the order's one column, or the last column of the key.
   */
  readonly cursor: Column;
  /** A column whose value a page may ask for; null for all values. */
  readonly filter: Column | null;
}

/** The way in which a page is read: from a place on, between two places, or from the end or a place back. */
export type PageDirection = 'after' | 'between' | 'fromEnd';

/** The places before and behind all rows, where no place bounds a page: for a list whose order is one number. */
export function boundsOf({ cursor, order, descending }: ListShape): readonly [number | null, number | null] {
  if (cursor !== order[0]) return [null, null];
  const most = cursor.type === 'bigint' ? Number.MAX_SAFE_INTEGER : MAX_INTEGER;
  return descending ? [most, -most] : [-most, most];
}
const MAX_INTEGER = 2_147_483_647;

/** One row for each key: the primary one, or columns that are unique together. */
export function ones(table: Table, key: readonly Column[] = table.key): Statement {
  const by = key === table.key ? '' : `_by_${key.map(({ name }) => name).join('_')}`;
  return keyed(
    `${table.name}_ones${by}`,
    typesOf(key),
    ({ k, rowOf }) => rowOf(selection(table, 't', 'true'), `${table.name} t WHERE ${isKey(key, 't', k)}`),
    { account: accountOf(key), together: true },
  );
}

/**
 * The way in which rows are locked: to change them; to end what others rely on, so that those who refer to them wait;
 * or to rely on them, which keeps them from ending.
 */
export type LockStrength = 'NO KEY UPDATE' | 'UPDATE' | 'KEY SHARE';

/**
 * Locks rows until the transaction ends. They are locked in the order of their keys, so that two transactions which
 * lock several never wait for each other in a circle; and as a rule not FOR UPDATE, as MikroORM would, since inserting
 * rows that refer to them need not wait.
 */
export function lock(table: Table, strength: LockStrength): Statement {
  const order = table.key.map(({ name }) => `t.${name}`).join(', ');
  const account = accountOf(table.key);
  const locking = (name: string, clause: string): Statement =>
    keyed(
      name,
      typesOf(table.key),
      ({ k, each }) => `SELECT ${selection(table, 't', 'true')} FROM ${each}${table.name} t
      WHERE ${isKey(table.key, 't', k)} ORDER BY ${order}${clause}`,
      { account, locks: true },
    );
  const name = `${table.name}_lock${strength === 'NO KEY UPDATE' ? '' : `_${strength.toLowerCase().replace(' ', '_')}`}`;
  const whole = locking(name, ` FOR ${strength} OF t`);
  if (account !== null || strength === 'NO KEY UPDATE') return whole;
  const guard = guardOf(table, strength);
  const rows = locking(`${name}/1`, strength === 'UPDATE' ? ` FOR ${strength} OF t` : '');
  return apart(whole, values => [
    { statement: guard, values },
    { statement: rows, values },
  ]);
}

/**
 * Advisory locks in place of locks of rows that are on each server of Citus, in the order of their ids. Citus locks
 * such a table as a whole: two transactions may lock it FOR KEY SHARE together, and neither can then insert a row that
 * refers to it before the other ends, so they would wait for each other. The function `card_deciding` takes the same
 * locks.
 */
function guardOf(table: Table, strength: 'UPDATE' | 'KEY SHARE'): Statement {
  const take = strength === 'UPDATE' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  const [{ type } = { type: 'text' }] = table.key;
  // A lock gives an empty text, so there are no rows.
  return {
    name: `${table.name}_guard_${strength.toLowerCase().replace(' ', '_')}`,
    text: `SELECT FROM (SELECT ${take}(hashtextextended('${table.name} ' || k, 0))::text AS taken
      FROM (SELECT unnest($1::${type}[])::text AS k ORDER BY k) ids OFFSET 0) l WHERE taken <> ''`,
  };
}

/** All rows of each parent, in their order, without lazy columns. */
export function children(table: Table, parent: Column, order: readonly Column[]): Statement {
  return keyed(
    `${table.name}_of_${parent.name}`,
    { [parent.name]: parent.type },
    ({ k, each }) => `SELECT ${selection(table, 't', 'false')}, ${k['n']}::int FROM ${each}${table.name} t
      WHERE t.${parent.name} = ${k[parent.name]} ORDER BY ${[k['n'], ...order.map(({ name }) => `t.${name}`)].join(', ')}`,
    { account: accountOf([parent]) },
  );
}

/** Sets columns of rows by their keys. The values are few and small, so they come as arrays and not as JSON. */
export function setColumns(table: Table, columns: readonly Column[]): Statement {
  return keyed(
    `${table.name}_set_${columns.map(({ name }) => name).join('_')}`,
    typesOf([...table.key, ...columns]),
    ({ k, keys }) => `UPDATE ${table.name} t SET ${columns.map(({ name }) => `${name} = ${k[name]}`).join(', ')}
      ${keys('FROM')} WHERE ${isKey(table.key, 't', k)}`,
    { account: accountOf(table.key) },
  );
}

/** Pages of lists, with their ordinals. */
export function pages(table: Table, list: ListShape, reading: PageDirection): Statement {
  const { parent, cursor, filter, order } = list;
  const types: Record<string, string> = {
    parent: parent.type,
    after: cursor.type,
    ...(reading !== 'after' && { before: cursor.type }),
    skip: 'int',
    size: 'int',
    lazy: 'bool',
    ...(filter && { filter: filter.type }),
  };
  // A list is read from its end in the reverse order.
  const isDescending = list.descending !== (reading === 'fromEnd');
  const direction = isDescending ? ' DESC' : '';
  const key = order.map(({ name }) => `t.${name}`).join(', ');
  const isKeyed = cursor !== order[0];
  const [behind, ahead] = list.descending ? ['<', '>'] : ['>', '<'];
  const textOf = (build: KeyText<string>): string => {
    const { k, ifGiven, rowsOf } = build as KeyText<'parent' | 'after' | 'before' | 'skip' | 'size' | 'lazy'>;
    const placeAt = (name: 'after' | 'before'): string =>
      isKeyed
        ? `SELECT ${order.map(column => `c.${column.name}`).join(', ')} FROM ${table.name} c WHERE c.${parent.name} = ${k.parent} AND c.${cursor.name} = ${k[name]}`
        : k[name];
    const beyond = (name: 'after' | 'before', sign: string): string => {
      const condition = (): string => `(${key}) ${sign} (${placeAt(name)})`;
      return isKeyed ? ifGiven(name, condition) : condition();
    };
    const conditions = [
      `t.${parent.name} = ${k.parent}`,
      beyond('after', behind),
      ...(reading === 'after' ? [] : [beyond('before', ahead)]),
      ...filtering(build, filter),
    ];
    const body = `${table.name} t WHERE ${conditions.join(' AND ')}
      ORDER BY ${order.map(({ name }) => `t.${name}${direction}`).join(', ')} OFFSET ${k.skip} LIMIT ${k.size}`;
    const columns = selection(table, 't', table.columns.some(({ isLazy }) => isLazy) ? k.lazy : 'false');
    return rowsOf(columns, body);
  };
  const way = { after: '', between: '_between', fromEnd: '_from_end' }[reading];
  return keyed(`${table.name}_pages${way}`, types, textOf, { account: accountIn(parent, 'parent') });
}

export function counts(table: Table, { parent, filter }: ListShape): Statement {
  const types: Record<string, string> = { parent: parent.type, ...(filter && { filter: filter.type }) };
  return keyed(
    `${table.name}_counts`,
    types,
    build => {
      const conditions = [`t.${parent.name} = ${build.k['parent']}`, ...filtering(build, filter)];
      return build.countOf(`${table.name} t WHERE ${conditions.join(' AND ')}`);
    },
    { account: accountIn(parent, 'parent') },
  );
}

/** The condition of a list's filter, if it has one. */
function filtering({ k, ifGiven }: KeyText<string>, filter: Column | null): string[] {
  return filter ? [ifGiven('filter', () => `t.${filter.name} = ANY(string_to_array(${k['filter']}, ','))`)] : [];
}

/**
 * Inserts drafts, which come as one JSON text, or where accounts are on many servers by the parts that `partsOfAll`
 * gives.
 */
export function insertMany(
  table: Table,
  partsOfAll: (drafts: readonly Draft[]) => readonly StatementPart[],
): Statement {
  const text = `INSERT INTO ${table.name} (${namesOf(writtenColumns(table))}) SELECT * FROM ${recordset(writtenColumns(table))}`;
  const name = `${table.name}_insert`;
  return apart({ name, text }, ([json]) => partsOfAll(JSON.parse(json as string) as Draft[]));
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
  const draftColumns = [...table.key, ...columns];
  const set = columns.map(({ name, type }, index) => `${name} = $${table.key.length + index + 1}::${type}`).join(', ');
  const isRow = table.key.map(({ name, type }, index) => `${name} = $${index + 1}::${type}`).join(' AND ');
  const one = statementOf(`UPDATE ${table.name} SET ${set} WHERE ${isRow}`);
  return apart(text, ([json]) => partsOf(one, draftColumns, JSON.parse(json as string) as readonly Draft[]));
}

/** A statement of one row with the values of each draft. */
export function partsOf(statement: Statement, columns: readonly Column[], drafts: readonly Draft[]): StatementPart[] {
  return drafts.map(draft => ({
    statement,
    values: columns.map(({ name, decoding }) => {
      const value = draft[name] ?? null;
      return decoding === 'json' && value !== null ? JSON.stringify(value) : value;
    }),
  }));
}

/** Deletes rows by their keys. */
export function remove(table: Table): Statement {
  return keyed(
    `${table.name}_delete`,
    typesOf(table.key),
    ({ k, keys }) => `DELETE FROM ${table.name} t ${keys('USING')} WHERE ${isKey(table.key, 't', k)}`,
    { account: accountOf(table.key) },
  );
}

function typesOf(columns: readonly Column[]): Record<string, string> {
  return Object.fromEntries(columns.map(({ name, type }) => [name, type]));
}

/** The column of a key with the account that the row belongs to, or null. */
function accountOf(key: readonly Column[]): string | null {
  return key.some(({ name }) => name === ACCOUNT) ? ACCOUNT : null;
}

function accountIn(parent: Column, name: string): string | null {
  return parent.name === ACCOUNT ? name : null;
}

function isKey(key: readonly Column[], row: string, k: Readonly<Record<string, string>>): string {
  return key.map(({ name }) => `${row}.${name} = ${k[name]}`).join(' AND ');
}

function sameKey({ key }: Table, left: string, right: string): string {
  return key.map(({ name }) => `${left}.${name} = ${right}.${name}`).join(' AND ');
}

function recordset(columns: readonly Column[]): string {
  return `json_to_recordset($1) r(${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`;
}

function namesOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(', ');
}
