import { afterAll, beforeAll } from '@jest/globals';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { freshDatabase } from './postgres.js';

/** An empty database of the test file's own, without entities: open while its tests run. */
export function openedDatabase(poolSize: number): () => Database {
  let database: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const { url, drop } = await freshDatabase();
    database = await openDatabase({ url, poolSize, entities: [], applicationName: 'test', throughOrm: false });
    close = async () => {
      await database.close();
      await drop();
    };
  });
  afterAll(() => close());
  return () => database;
}
