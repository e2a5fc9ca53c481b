import { afterAll, beforeAll } from '@jest/globals';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { freshDatabase } from './postgres.js';

/**
 * An empty database of the test file's own, without entities: open while its tests run. `directly` as `address`
 * connects to the server itself also where the others go through a pooler.
 */
export function openedDatabase(poolSize: number, address = (url: string): string => url): () => Database {
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    const url = address(fresh.url);
    database = await openDatabase({ url, poolSize, entities: [], applicationName: 'test', throughOrm: false });
    close = async () => {
      await database.close();
      await fresh.drop();
    };
  });
  afterAll(() => close());
  return () => database;
}
