import type { EntityManager } from '@mikro-orm/postgresql';

type AnyTable = Record<string, Record<string, unknown>>;

/**
 * Inserts a row of large values in the transaction of `em`. They travel as parameters: `em.create` and `em.execute` would write
 * megabytes of them into the statement's text, which the server parses, and may log. `row` has the names of the columns.
 */
export async function insertRow(
  em: EntityManager,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  await em.getKysely<AnyTable>().insertInto(table).values(row).execute();
}
