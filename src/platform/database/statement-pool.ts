import type { PostgresPool } from 'kysely';
import type { Tagged } from '../../../lib/pg-wire/pipeline.js';
import { UNNAMED, type Statement } from '../../../lib/pg-wire/statement.js';

/** Sends a statement, and gives its rows: objects, since the statements here are `UNNAMED`. */
export type SendStatement = (statement: Statement, values: unknown[]) => Promise<unknown[] & Tagged>;

/**
 * A pool for the dialect of Kysely, below MikroORM, whose statements `send` sends. So they take part in what `send`
 * does: the choice of a replica, the time of the request, tracing, or a transaction that is open. BEGIN and COMMIT have
 * no place here, since the statements need not share a connection.
 */
export function statementPool(send: SendStatement): PostgresPool {
  const client = {
    async query(text: string, values: readonly unknown[] = []) {
      const rows = await send({ name: UNNAMED, text }, [...values]);
      const [command, ...numbers] = (rows.tag ?? 'SELECT').split(' ');
      return { command, rowCount: Number(numbers.at(-1) ?? rows.length), rows };
    },
    release: () => undefined,
  };
  return { connect: async () => client, end: async () => undefined, options: {} } as unknown as PostgresPool;
}
