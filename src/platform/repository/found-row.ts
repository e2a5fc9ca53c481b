import type { KeyRing } from '../crypto/key-ring.js';
import { sealIdentity } from './declarations.js';
import { plain } from './fields.js';
import type { Table } from './table.js';

/**
 * An entity that the EntityManager found, as a repository reads rows: instants are ISO 8601 in UTC, and what is sealed
 * is opened when it is looked at. What was left out when it was found is undefined.
 */
export function foundRow<Read extends object>(table: Table, entity: object, keys: KeyRing | null): Read {
  const values = entity as Readonly<Record<string, unknown>>;
  const row: Record<string, unknown> = {};
  for (const { path, sealed } of table.columns) {
    const [name] = path;
    if (!sealed?.as) row[name] = plain(values[name]);
    else if (values[name] !== undefined) {
      const key = table.key.map(column => String(values[column.path[0]]));
      const identity = sealIdentity(table.name, key, sealed.suffix);
      let opened: unknown;
      const open = (): unknown => (opened ??= keys?.open(identity, values[name] as Buffer));
      Object.defineProperty(row, sealed.as, { get: open, enumerable: true });
      for (const shown of sealed.shows ?? []) {
        const get = (): unknown => (open() as Readonly<Record<string, unknown>>)[shown];
        Object.defineProperty(row, shown, { get, enumerable: true });
      }
    }
  }
  return row as Read;
}
