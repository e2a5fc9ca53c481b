import { batcher } from './batcher.js';

/**
 * Finds records by their ids for all requests of the process together, with the `find` of the EntityManager for the
 * records of several ids. Gives null for an id that has none.
 */
export function batchedFind<Found>(
  find: (ids: string[]) => Promise<readonly Found[]>,
  idOf: (found: Found) => string,
): (id: string) => Promise<Found | null> {
  return batcher<string, Found | null>(async ids => {
    const found = new Map((await find([...new Set(ids)])).map(one => [idOf(one), one]));
    return ids.map(id => found.get(id) ?? null);
  });
}
