import type { PostgresPool } from 'kysely';
import { UNNAMED, type Statement } from '../../../lib/pg-wire/statement.js';

/** What answers reads: the database. */
interface Reader {
  read(statement: Statement, values: readonly unknown[]): Promise<unknown[][]>;
}

/** The pool that Kysely, below MikroORM, is given for reads, and how it learns of the database that answers them. */
export interface ReadPool {
  readonly pool: PostgresPool;
  sendTo(database: Reader): void;
}

/**
 * A pool for the dialect of Kysely whose statements `Database.read` sends: they take part in the choice of a replica,
 * its position and its fallback, in the time of the request and in tracing, and give their connection back after each
 * statement. A transaction has no place here, since every statement may go to another server.
 */
export function readPool(): ReadPool {
  let to: Reader | null = null;
  const client = {
    async query(text: string, values: readonly unknown[]) {
      if (!to) throw new Error('the database is not open yet');
      const rows: unknown[] = await to.read({ name: UNNAMED, text }, values);
      return { command: 'SELECT', rowCount: rows.length, rows };
    },
    release: () => undefined,
  };
  return {
    pool: { connect: async () => client, end: async () => undefined, options: {} } as unknown as PostgresPool,
    sendTo: database => {
      to = database;
    },
  };
}
