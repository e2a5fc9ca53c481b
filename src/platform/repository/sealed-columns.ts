import type { EntityClass, EntityMetadata } from '@mikro-orm/core';
import type { SealedColumn } from '../crypto/sealed-column.js';
import type { Database } from '../database/orm.js';
import { declarationsOf, sealIdentity } from './declarations.js';
import { columnOf, tableOf } from './table.js';

/**
 * Every sealed column of the database, for the rotation of keys: those that the entities declare by `Sealed`, in the
 * order of the entities.
 */
export function sealedColumnsOf({ orm }: Database, entities: readonly EntityClass[]): SealedColumn[] {
  return entities.flatMap(entity => sealedColumnsIn(orm.getMetadata().get(entity)));
}

function sealedColumnsIn(meta: EntityMetadata): SealedColumn[] {
  const fields = [...declarationsOf(meta.prototype as object).sealed];
  if (fields.length === 0) return [];
  const table = tableOf(meta);
  const key = Object.fromEntries(table.key.map(({ name, type }) => [name, type])) as SealedColumn['key'];
  return fields.map(([property, { suffix, ring = 'fields', digests = {}, resealApart }]) => ({
    table: table.name,
    ring,
    key,
    column: columnOf(table, property).name,
    identityOf: (...values) => sealIdentity(table.name, values.map(withoutPrefix), suffix),
    digests: Object.entries(digests).map(([digest, of]) => {
      const { name, type } = columnOf(table, digest);
      return { name, type, of };
    }),
    resealApart,
  }));
}

/** PostgreSQL shows bytes as \\x and their hexadecimal digits; an identity has the digits alone. */
function withoutPrefix(value: string): string {
  return value.replace(/^\\x/, '');
}
