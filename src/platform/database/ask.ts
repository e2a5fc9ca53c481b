import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { Pipeline, PreparedQuery } from '../../../lib/pg-wire/pipeline.js';
import { UnorderedList, type Placed } from '../collections/unordered-list.js';

/** The server ends a statement sooner. This is for a server that no longer answers at all. */
const ANSWER_TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 1000;

/** A statement that the server has not answered yet. */
interface Asked extends Placed {
  readonly client: pg.PoolClient;
  readonly sinceMs: number;
  readonly fail: (error: Error) => void;
}

/** The socket of a connection, which `pg` has and does not declare. */
export function socketOf(client: pg.PoolClient): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream;
}

const asked = new UnorderedList<Asked>();
let watch: NodeJS.Timeout | undefined;

/** Runs a named statement and gives its rows. A server that does not answer in time loses the connection. */
export async function ask<Row extends unknown[]>(
  client: pg.PoolClient,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const query = new PreparedQuery(statement, values);
  await answered(client, new Pipeline([query]));
  return query.rows as Row[];
}

/** The same for a statement that is not worth a name, and gives nothing. */
export function tell(client: pg.PoolClient, text: string): Promise<void> {
  return answered(client, text);
}

/**
 * Waits for the answer to a flight, or to a statement without a name.
 *
 * The driver has promises and a timeout of its own, which are not used: with either of them results outlive their time until the whole
 * heap is looked through, and reading a row took twice as long for it.
 */
export async function answered(client: pg.PoolClient, query: Pipeline | string): Promise<void> {
  watch ??= setInterval(endOverdue, LOOK_EVERY_MS).unref();
  // The driver's declarations know no callback for a query that sends itself.
  const driver = client as unknown as { query(sent: Pipeline | string, told: (error: Error | null) => void): void };
  try {
    await new Promise<void>((resolve, reject) => {
      const item: Asked = { client, sinceMs: performance.now(), fail: reject, place: 0 };
      asked.add(item);
      driver.query(query, error => {
        asked.remove(item);
        if (error) reject(error);
        else resolve();
      });
    });
  } catch (error) {
    // Who asked, in place of what the driver did when the error arrived.
    if (error instanceof Error) Error.captureStackTrace(error, answered);
    throw error;
  }
}

function endOverdue(): void {
  const since = performance.now() - ANSWER_TIMEOUT_MS;
  for (const item of [...asked].filter(({ sinceMs }) => sinceMs < since)) {
    asked.remove(item);
    item.fail(new Error('Query read timeout'));
    socketOf(item.client).destroy();
  }
}
