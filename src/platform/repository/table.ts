import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import { declarationsOf, lazyPropertiesOf, type SealedField } from './declarations.js';

/**
 * The way in which the text of a column becomes a value when it is looked at; null where what the connection gives is
 * the value.
 */
export type DecodingKind = 'bigint' | 'json' | 'bytes' | null;

/** A column of a table, in the order of the entity's declaration. */
export interface Column {
  /** Its place in a row that is read; null where rows are read without it. */
  readonly index: number | null;
  readonly name: string;
  /** The type of PostgreSQL. */
  readonly type: string;
  /** The property, or the embedded object and its property. */
  readonly path: readonly [string] | readonly [string, string];
  readonly decoding: DecodingKind;
  /** The cast under which it is read, or nothing. */
  readonly cast: '' | '::text' | '::float8';
  /** The name under which a reader also has its text, or null. */
  readonly text: string | null;
  readonly isKey: boolean;
  /** False where the database gives the value. */
  readonly isWritten: boolean;
  /** True if it is read only where it is asked for. */
  readonly isLazy: boolean;
  readonly sealed: SealedField | null;
  /**
   * The property that has the sealed value whose keyed digest the column is, if the row is written with that value.
   * Rows are read without it.
   */
  readonly digestOf: string | null;
}

/** A table as its entity declares it. */
export interface Table {
  readonly entity: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly Column[];
}

/** The table of an entity, from MikroORM's metadata. Throws for what cannot be read as a row. */
export function tableOf(meta: EntityMetadata): Table {
  const { sealed, unread, fromParent, setByDatabase, texts } = declarationsOf(meta.prototype as object);
  const lazy = lazyPropertiesOf(meta.prototype as object);
  const properties = meta.props.filter(property => isColumn(property) && !unread.has(property.name));
  const digested = new Map(
    [...sealed.values()].flatMap(({ as, digests = {} }) =>
      as ? Object.keys(digests).map(name => [name, as] as const) : [],
    ),
  );
  let read = 0;
  const columns = properties.map((property): Column => {
    const { name, fieldNames, columnTypes, embedded } = property;
    if (fieldNames.length !== 1) throw new Error(`${meta.className}.${name} is not one column`);
    return {
      index: fromParent.has(name) || digested.has(name) ? null : read++,
      name: fieldNames[0] as string,
      type: columnTypes[0] as string,
      path: embedded ? [embedded[0], embedded[1]] : [name],
      ...readingOf(property),
      text: texts.get(name) ?? null,
      isKey: property.primary === true,
      isWritten: !property.generated && !property.autoincrement && !setByDatabase.has(name),
      isLazy: lazy.has(name),
      sealed: sealed.get(name) ?? null,
      digestOf: digested.get(name) ?? null,
    };
  });
  const key = meta.primaryKeys.map(name => columns.find(({ path }) => path[0] === name) as Column);
  return { entity: meta.className, name: meta.tableName, columns, key };
}

/** The column of a property. */
export function columnOf({ entity, columns }: Table, property: string): Column {
  const column = columns.find(({ path }) => path[0] === property);
  if (!column) throw new Error(`${entity} has no column for ${property}`);
  return column;
}

/**
 * The columns of a row `alias` as SQL, in the order of a reader. Lazy ones are read where `includeLazy` (SQL) is true,
 * and are NULL elsewhere.
 */
export function selection(table: Table, alias: string, includeLazy: string): string {
  const values = readColumns(table).map(({ name, cast, isLazy }) => {
    const value = `${alias}.${name}${cast}`;
    if (!isLazy || includeLazy === 'true') return value;
    return includeLazy === 'false' ? 'NULL' : `CASE WHEN ${includeLazy} THEN ${value} END`;
  });
  return values.join(', ');
}

/** A column that rows are read with. */
export type ReadColumn = Column & { readonly index: number };

/** The columns that rows are read with, in their order. */
export function readColumns({ columns }: Table): ReadColumn[] {
  return columns.filter((column): column is ReadColumn => column.index !== null);
}

/** True for a property that is a column, and not a part of one, several, or computed. */
export function isColumn({ kind, persist, object, formula }: EntityProperty): boolean {
  if (persist === false || formula) return false;
  // The parts of an embedded object are properties of their own.
  if (kind === ReferenceKind.EMBEDDED) return object === true;
  return kind === ReferenceKind.SCALAR || kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;
}

/** Columns that are decoded when they are looked at come as texts. */
function readingOf({ columnTypes, runtimeType }: EntityProperty): Pick<Column, 'decoding' | 'cast'> {
  const type = columnTypes[0] as string;
  if (type === 'jsonb' || type === 'json') return { decoding: 'json', cast: '::text' };
  if (type === 'bytea') return { decoding: 'bytes', cast: '::text' };
  if (type !== 'bigint') return { decoding: null, cast: '' };
  if (runtimeType === 'number') return { decoding: null, cast: '::float8' };
  return { decoding: runtimeType === 'string' ? null : 'bigint', cast: '::text' };
}
