import type { EntityMetadata } from '@mikro-orm/core';
import type { KeyRing } from '../crypto/key-ring.js';
import { declarationsOf, sealIdentity } from './declarations.js';
import { readColumns, type Column, type ReadColumn, type Table } from './table.js';

/** A row of columns by their names, ready for `json_to_recordset`. */
export type Draft = Readonly<Record<string, unknown>>;

/** Code that reads and writes rows of one table. */
export interface CompiledRow<View> {
  /**
   * A row as it is read, with what it is read without. Where something is sealed, sent as its text or given, it is an
   * object of getters over the array that the connection gave, so that nothing is decoded before it is looked at; else
   * a plain object, which is faster to look at often.
   */
  readonly read: (row: readonly unknown[], keys: KeyRing | null, given: object | undefined) => View;
  readonly draft: (entity: object, keys: KeyRing | null) => Draft;
  /** The values of the columns, as parameters. */
  readonly values: (entity: object, keys: KeyRing | null) => unknown[];
}

/** The names that may get into generated code. */
const NAME = /^[A-Za-z_]\w*$/;

/**
 * Compiles what reads and writes rows of a table, once: generated getters are as fast as getters written by hand, and
 * closures are not.
 */
export function compiledRow<View>(meta: EntityMetadata, table: Table): CompiledRow<View> {
  for (const { path } of table.columns) {
    if (!path.every(name => NAME.test(name))) throw new Error(`${table.entity}.${path.join('.')} cannot be compiled`);
  }
  const columns = writtenColumns(table);
  const drafted = columns.map(column => `${column.name}: ${jsonValue(table, column)}`);
  const values = columns.map(column => writtenValue(table, column));
  const declared = declarationsOf(meta.prototype as object);
  const derived = Object.fromEntries(declared.derived);
  const given = [...declared.fromParent];
  const isDecodedLater = given.length > 0 || table.columns.some(({ sealed, text }) => sealed?.as || text);
  const code = `'use strict';
  ${isDecodedLater ? readerCode(table, Object.keys(derived), given) : plainCode(table, Object.keys(derived))}
  return {
    read,
    draft: (e, keys) => ({ ${drafted.join(', ')} }),
    values: (e, keys) => [${values.join(', ')}],
  };`;
  const digests = Object.assign({}, ...[...declared.sealed.values()].map(field => field.digests ?? {})) as object;
  const helpers = { derived, digests, present, jsonOf, bytesOf, hexOf, sealIdentity };
  // Only names of properties that NAME allows get into the code.
  // oxlint-disable-next-line typescript/no-implied-eval, eslint/no-new-func
  const compile = new Function(...Object.keys(helpers), code) as (...helpers: unknown[]) => CompiledRow<View>;
  return compile(...Object.values(helpers));
}

/** The columns that an insert gives, in their order. */
export function writtenColumns({ columns }: Table): readonly Column[] {
  return columns.filter(({ isWritten }) => isWritten);
}

/** The properties of a row with the code of their values; `row` is the code of the row. */
function properties(table: Table, row: string): (readonly [name: string, value: string])[] {
  return [...Map.groupBy(readColumns(table), ({ path }) => path[0])].flatMap(([name, columns]) => {
    const [first] = columns as [ReadColumn, ...ReadColumn[]];
    if (first.path.length === 2) {
      const parts = columns.map(column => `${column.path[1]}: ${readValue(column, row)}`);
      return [[name, `{ ${parts.join(', ')} }`] as const];
    }
    const { as, shows = [], suffix = '' } = first.sealed ?? {};
    const text = first.text === null ? [] : [[first.text, textValue(first, row)] as const];
    if (!as) return [[name, readValue(first, row)] as const, ...text];
    const key = table.key.map(({ index }) => `${row}[${index}]`).join(', ');
    const identity = `sealIdentity('${table.name}', [${key}], '${suffix}')`;
    const opened = `this.opened_${as} ??= this.keys_.open(${identity}, ${readValue(first, row)})`;
    return [[as, opened] as const, ...shows.map(field => [field, `this.${as}.${field}`] as const)];
  });
}

function readerCode(table: Table, derived: readonly string[], given: readonly string[]): string {
  const getters = [
    ...properties(table, 'this.row_').map(([name, value]) => `get ${name}() { return ${value}; }`),
    ...derived.map(name => `get ${name}() { return derived.${name}(this); }`),
    ...given.map(name => `get ${name}() { return this.given_.${name}; }`),
  ];
  const opened = table.columns.flatMap(({ sealed }) => (sealed?.as ? `this.opened_${sealed.as} = undefined;` : []));
  return `class ${table.entity}Row {
    constructor(row, keys, given) { this.row_ = row; this.keys_ = keys; this.given_ = given; ${opened.join(' ')} }
    ${getters.join('\n    ')}
  }
  const read = (row, keys, given) => new ${table.entity}Row(row, keys, given);`;
}

function plainCode(table: Table, derived: readonly string[]): string {
  const read = properties(table, 'row').map(([name, value]) => `${name}: ${value}`);
  return `const read = row => {
    const view = { ${[...read, ...derived.map(name => `${name}: undefined`)].join(', ')} };
    ${derived.map(name => `view.${name} = derived.${name}(view);`).join(' ')}
    return view;
  };`;
}

function textValue({ index, isLazy }: ReadColumn, row: string): string {
  return isLazy ? `present(${row}[${index}])` : `${row}[${index}]`;
}

function readValue(column: ReadColumn, row: string): string {
  const { index, decoding, sealed, text } = column;
  const value = sealed?.as || text !== null ? textValue(column, row) : `${row}[${index}]`;
  if (decoding === 'json') return `jsonOf(${value})`;
  if (decoding === 'bytes') return `bytesOf(${value})`;
  return decoding === 'bigint' ? `(${value} === null ? null : BigInt(${value}))` : value;
}

function writtenValue(table: Table, { path, sealed, digestOf }: Column): string {
  if (digestOf !== null) return `digests.${path[0]}(keys, e.${digestOf})`;
  if (!sealed?.as) return `e.${path.join('.')}`;
  const key = table.key.map(column => `e.${column.path[0]}`).join(', ');
  return `keys.seal(sealIdentity('${table.name}', [${key}], '${sealed.suffix ?? ''}'), e.${sealed.as})`;
}

function jsonValue(table: Table, column: Column): string {
  const value = writtenValue(table, column);
  if (column.decoding === 'bytes') return `hexOf(${value})`;
  // JSON has no numbers of this size.
  return column.type === 'bigint' ? `${value}?.toString()` : value;
}

function present<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a column was looked at that was not read');
  return value;
}

function jsonOf(text: string | null): unknown {
  // Most are empty, which needs no parsing.
  if (text === '[]') return [];
  if (text === '{}') return {};
  return text === null ? null : JSON.parse(text);
}

/** Bytes as PostgreSQL writes them: \\x and hexadecimal digits. */
function bytesOf(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text.slice(2), 'hex');
}

function hexOf(bytes: Buffer | null | undefined): string | null {
  return bytes ? `\\x${bytes.toString('hex')}` : null;
}
