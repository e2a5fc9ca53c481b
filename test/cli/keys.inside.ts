import { NOUNS } from '../../src/app/nouns.js';
import type { Gateway } from '../../src/app/gateway.js';
import { sealedColumnsOf } from '../../src/platform/repository/sealed-columns.js';

/** The columns of bytes that `keys rotate` writes, as `table.column`. */
export function rotatedColumns({ container }: Gateway): string[] {
  return sealedColumnsOf(container.database, NOUNS.entities).flatMap(({ table, column, digests = [] }) =>
    [column, ...digests.filter(({ type }) => type === 'bytea').map(({ name }) => name)].map(name => `${table}.${name}`),
  );
}
