import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ask, tell } from './ask.js';
import { attempt } from './attempts.js';
import type { Database } from './orm.js';
import type { Query } from './query.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { isLockTimeout, isRetryable } from '../../../lib/pg-wire/pg-errors.js';

/** How often a batch is run when others get in its way: deadlocks, locks that are not free in time, the same import next door. */
const ATTEMPTS = { most: 5, pauseMs: 50 };

/**
 * One database transaction of statements that each work on a whole batch. Values travel as parameters, the rows of a batch as one JSON
 * text for `json_to_recordset`: MikroORM's `execute` would write half a megabyte of values into the statement's text.
 */
export class Transaction {
  constructor(private readonly client: pg.PoolClient) {}

  /** Runs a named prepared statement. Rows are arrays in the order of its columns, with the types of `Database.query`. */
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return ask<Row>(this.client, statement, values);
  }

  /** Runs a statement that was made ready elsewhere. */
  run<Row extends unknown[]>({ statement, values }: Query): Promise<Row[]> {
    return this.query<Row>(statement, values);
  }

  /** Copies rows into a table: `text` is PostgreSQL's text format, columns parted by tabs, `\\N` for NULL (see `copyField`). */
  async copy(table: string, columns: readonly string[], text: string): Promise<void> {
    const stream = this.client.query(copyFrom(`COPY "${table}" (${columns.join(', ')}) FROM STDIN`));
    await pipeline([text], stream);
  }
}

/** Begins or ends a transaction. */
export async function control(client: pg.PoolClient, text: 'begin' | 'commit' | 'rollback'): Promise<void> {
  await tell(client, text);
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value as a column of `Transaction.copy`. */
export function copyField(value: string | number | bigint | null): string {
  if (value === null) return '\\N';
  return typeof value === 'string'
    ? value.replace(SPECIAL, character => ESCAPED[character] ?? character)
    : String(value);
}

/** Something that was not there when we looked was there when we wrote: somebody else imports the same. */
export class Interfered extends Error {
  override readonly name = 'Interfered';
}

/** Runs `work` in a transaction, and again from the start if others got in its way. */
export function inTransaction<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const passes = (error: unknown): boolean => error instanceof Interfered || isRetryable(error) || isLockTimeout(error);
  return attempt(ATTEMPTS, passes, () => once(database, work));
}

async function once<Result>({ pool }: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken = false;
  try {
    await control(client, 'begin');
    const result = await work(new Transaction(client));
    await control(client, 'commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is of no use to anybody; closing it rolls back as well.
    await control(client, 'rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
