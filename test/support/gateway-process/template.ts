import { NOUNS } from '../../../src/app/nouns.js';
import { giveGrants } from '../../../src/platform/database/grants.js';
import { openDatabase } from '../../../src/platform/database/orm.js';
import { migrate, withMigrations } from '../../../src/platform/migrations/migrate.js';
import { addTestWriters } from '../test-writers.js';

/** A database that is to have the project's tables, and the role that serves if it owns none of them. */
export interface TemplateOrder {
  readonly url: string;
  readonly role: string | undefined;
}

export async function makeTemplate({ url, role }: TemplateOrder): Promise<void> {
  const database = await openDatabase({ url, poolSize: 2, entities: NOUNS.entities, applicationName: 'tillgate-test' });
  try {
    await migrate(database, withMigrations(NOUNS.all));
    await addTestWriters(database.pool);
    if (role) await giveGrants(database, role);
  } finally {
    await database.close();
  }
}
