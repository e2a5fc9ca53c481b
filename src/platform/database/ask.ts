import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { UnorderedList, type PlacedItem } from '../../../lib/collections/in-progress.js';
import { Pipeline, PreparedQuery } from '../../../lib/pg-wire/pipeline.js';
import type { Statement, StatementPart } from '../../../lib/pg-wire/statement.js';

/** The server ends a statement sooner. This is for a server that no longer answers at all. */
const ANSWER_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1000;
/** The number of parts of a statement that are sent together. */
const BUNDLE = 100;

/** A statement that the server has not answered yet. */
interface UnansweredStatement extends PlacedItem {
  readonly client: pg.ClientBase;
  readonly sinceMs: number;
  readonly fail: (error: Error) => void;
}

/** The socket of a connection, which `pg` has and does not declare. */
export function socketOf(client: pg.ClientBase): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream;
}

const unanswered = new UnorderedList<UnansweredStatement>();
let timer: NodeJS.Timeout | undefined;

/** Runs a named statement and gives its rows. A server that does not answer in time loses the connection. */
export async function ask<Row extends unknown[]>(
  client: pg.ClientBase,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const query = new PreparedQuery(statement, values);
  await answered(client, new Pipeline([query]));
  return query.rows as Row[];
}

/**
 * Runs statements that are parts of one, sent together, and gives the rows of all. Each succeeds or fails by itself.
 */
export async function askEach<Row extends unknown[]>(
  client: pg.ClientBase,
  parts: readonly StatementPart[],
): Promise<Row[]> {
  const rows = await Promise.all(parts.map(({ statement, values }) => ask<Row>(client, statement, values)));
  return rows.flat();
}

/** Runs statements of a transaction, sent in bundles: once one has failed, PostgreSQL passes over the others. */
export async function askAll<Row extends unknown[]>(
  client: pg.ClientBase,
  parts: readonly StatementPart[],
): Promise<Row[]> {
  const rows: Row[] = [];
  // In bundles, since the answer to each is waited for only so long.
  for (let at = 0; at < parts.length; at += BUNDLE) {
    const bundle = parts.slice(at, at + BUNDLE);
    const queries = bundle.map(({ statement, values }) => new PreparedQuery(statement, values));
    await answered(client, new Pipeline(queries));
    for (const query of queries) rows.push(...(query.rows as Row[]));
  }
  return rows;
}

/** A statement with its values. */
export interface Question {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** Runs statements one after another in one round trip, and gives the rows of each. */
export async function askInOrder(client: pg.PoolClient, questions: readonly Question[]): Promise<unknown[][][]> {
  const queries = questions.map(({ statement, values }) => new PreparedQuery(statement, values));
  await answered(client, new Pipeline(queries));
  return queries.map(({ rows }) => rows);
}

/**
 * Waits for the answer to a pipeline of statements, or to a statement without a name.
 *
 * The driver has promises and a timeout of its own, which are not used: both keep results alive until the next full
 * garbage collection, and reading a row took twice as long with them.
 */
export async function answered(client: pg.ClientBase, query: Pipeline | string): Promise<void> {
  timer ??= setInterval(endOverdue, CHECK_EVERY_MS).unref();
  // The driver's declarations lack the callback for a query that sends itself.
  const driver = client as unknown as { query(sent: Pipeline | string, done: (error: Error | null) => void): void };
  try {
    await new Promise<void>((resolve, reject) => {
      const item: UnansweredStatement = { client, sinceMs: performance.now(), fail: reject, place: 0 };
      unanswered.add(item);
      driver.query(query, error => {
        unanswered.remove(item);
        if (error) reject(error);
        else resolve();
      });
    });
  } catch (error) {
    // The stack of the caller, in place of that of the driver's parser.
    if (error instanceof Error) Error.captureStackTrace(error, answered);
    throw error;
  }
}

function endOverdue(): void {
  const since = performance.now() - ANSWER_TIMEOUT_MS;
  for (const item of [...unanswered].filter(({ sinceMs }) => sinceMs < since)) {
    unanswered.remove(item);
    item.fail(new Error('Query read timeout'));
    socketOf(item.client).destroy();
  }
}
