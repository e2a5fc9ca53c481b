/**
 * A row with the number of the key that it was read for at its end, from 1, as `unnest(...) WITH ORDINALITY` gives it.
 */
export type WithOrdinal<Row extends unknown[]> = [...row: Row, n: number];

/** Deals the rows of a batch out to its keys, in the order in which they came. */
export function byOrdinal<Row extends unknown[], Value>(
  rows: readonly WithOrdinal<Row>[],
  keys: number,
  valueOf: (row: Row, index: number) => Value,
): Value[][] {
  const dealt = Array.from({ length: keys }, (): Value[] => []);
  for (const row of rows) {
    const index = (row[row.length - 1] as number) - 1;
    dealt[index]?.push(valueOf(row as unknown as Row, index));
  }
  return dealt;
}

/** Deals rows out to their keys where each key has one row or none: null for none. */
export function oneByOrdinal<Row extends unknown[], Value>(
  rows: readonly WithOrdinal<Row>[],
  keys: number,
  valueOf: (row: Row, index: number) => Value,
): (Value | null)[] {
  return byOrdinal(rows, keys, valueOf).map(([value]) => value ?? null);
}

/** Rows to be written, as one array for each column. */
export function transpose(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map(row => row[column]));
}
