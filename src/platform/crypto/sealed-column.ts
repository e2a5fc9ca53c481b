import type { KeyRing } from './key-ring.js';

/** Where something sealed is stored. To add one: such a description in the noun's `*.seals.ts`, and a line in `src/seals.ts`. */
export interface SealedColumn {
  readonly table: string;
  /** The columns of the primary key with their PostgreSQL types, in its order. Nothing personal: they are told of rows that fail. */
  readonly key: Readonly<Record<string, 'text' | 'uuid' | 'bytea'>>;
  /** NULL in it is nothing sealed. */
  readonly column: string;
  /** The identity that a row's value is sealed under. Gets the primary key's values as PostgreSQL shows them as text. */
  identityOf(...key: string[]): string;
  /** Columns of the same row with keyed digests, which name a key as well: how to make one from the opened value. */
  readonly digests?: Readonly<Record<string, DigestOf>>;
}

export type DigestOf = (keys: KeyRing, value: unknown) => Buffer;

/** `customer.sealed` */
export function nameOf({ table, column }: SealedColumn): string {
  return `${table}.${column}`;
}
