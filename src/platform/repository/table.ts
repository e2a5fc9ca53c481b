import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import {
  countedPropertiesOf,
  lazyPropertiesOf,
  sealedFieldsOf,
  unreadPropertiesOf,
  type SealedField,
} from './declarations.js';

/** How the text of a column becomes a value when it is looked at; null where what the connection gives is the value. */
export type Decoding = 'bigint' | 'number' | 'json' | 'bytes' | null;

/** A column of a table, in the order of the entity's declaration. */
export interface Column {
  /** Its place in a row that is read. */
  readonly index: number;
  readonly name: string;
  /** Of PostgreSQL. */
  readonly type: string;
  /** The property, or the embedded object and its property. */
  readonly path: readonly [string] | readonly [string, string];
  readonly decoding: Decoding;
  readonly isKey: boolean;
  /** False where the database gives the value. */
  readonly isWritten: boolean;
  /** Whether it is read only where it is asked for. */
  readonly isLazy: boolean;
  readonly sealed: SealedField | null;
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
  const sealed = sealedFieldsOf(meta.prototype as object);
  const lazy = lazyPropertiesOf(meta.prototype as object);
  const unread = unreadPropertiesOf(meta.prototype as object);
  const counted = countedPropertiesOf(meta.prototype as object);
  const present = meta.props.filter(property => isColumn(property) && !unread.has(property.name));
  const columns = present.map((property, index): Column => {
    const { name, fieldNames, columnTypes, embedded } = property;
    if (fieldNames.length !== 1) throw new Error(`${meta.className}.${name} is not one column`);
    return {
      index,
      name: fieldNames[0] as string,
      type: columnTypes[0] as string,
      path: embedded ? [embedded[0], embedded[1]] : [name],
      decoding: decodingOf(property),
      isKey: property.primary === true,
      isWritten: !property.generated && !property.autoincrement && !counted.has(name),
      isLazy: lazy.has(name),
      sealed: sealed.get(name) ?? null,
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
 * The columns of a row `alias` as SQL, in the order of a reader. Lazy ones are read where `lazy` (SQL) is true, else
 * they are NULL.
 */
export function selection({ columns }: Table, alias: string, lazy: string): string {
  const values = columns.map(column => {
    // What is decoded when it is looked at comes as its text.
    const value = `${alias}.${column.name}${column.decoding || column.type === 'bigint' ? '::text' : ''}`;
    if (!column.isLazy || lazy === 'true') return value;
    return lazy === 'false' ? 'NULL' : `CASE WHEN ${lazy} THEN ${value} END`;
  });
  return values.join(', ');
}

function isColumn({ kind, persist, object, formula }: EntityProperty): boolean {
  if (persist === false || formula) return false;
  // The parts of an embedded object are properties of their own.
  if (kind === ReferenceKind.EMBEDDED) return object === true;
  return kind === ReferenceKind.SCALAR || kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;
}

function decodingOf({ columnTypes, runtimeType }: EntityProperty): Decoding {
  const type = columnTypes[0] as string;
  if (type === 'bigint') return runtimeType === 'number' ? 'number' : runtimeType === 'string' ? null : 'bigint';
  if (type === 'jsonb' || type === 'json') return 'json';
  return type === 'bytea' ? 'bytes' : null;
}
