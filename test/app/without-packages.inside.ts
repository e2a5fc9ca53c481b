import type { Gateway, StartOptions } from '../../src/app/gateway.js';
import { BANK_NOUNS, NOUNS } from '../../src/app/nouns.js';
import { openDatabase } from '../../src/platform/database/orm.js';
import { migrate, withMigrations } from '../../src/platform/migrations/migrate.js';

export function options(): StartOptions {
  return { nouns: BANK_NOUNS as typeof NOUNS };
}

/** Migrates a database for all nouns, and gives the names of their tables. */
export async function migrateWhole(_gateway: Gateway, url: string): Promise<string[]> {
  const whole = await openDatabase({ url, poolSize: 3, entities: NOUNS.entities, applicationName: 'test' });
  try {
    await migrate(whole, withMigrations(NOUNS.all));
    const entities = [...whole.orm.getMetadata().getAll().values()].filter(
      ({ embeddable, abstract }) => !embeddable && !abstract,
    );
    return entities.map(({ tableName }) => tableName);
  } finally {
    await whole.close();
  }
}
