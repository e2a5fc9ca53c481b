import type pg from 'pg';
import { answered } from './ask.js';
import { Pipeline, PreparedQuery } from '../../../lib/pg-wire/pipeline.js';
import type { Database } from './orm.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { isConnectionLost, isLockTimeout } from '../../../lib/pg-wire/pg-errors.js';
import { control } from './transaction.js';

/** A statement that is ready to be sent. */
export interface Query {
  readonly statement: Statement;
  readonly values: unknown[];
  /** What it means that somebody else holds what this statement needs for too long. */
  readonly late?: () => Error;
}

/** What sends statements of a transaction. Rows are arrays in the order of a statement's columns, with the types of `Database.query`. */
export interface Asking {
  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]>;
}

const BEGIN: Statement = { name: 'begin', text: 'BEGIN' };
const COMMIT: Statement = { name: 'commit', text: 'COMMIT' };

/** The connection was lost when COMMIT was on its way: whether it arrived, nobody here knows. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(cause: unknown) {
    super('the connection was lost while a transaction was being committed', { cause });
  }
}

/**
 * A transaction in two round trips, each of one flight. What `first` asks travels with BEGIN: it must ask for all of it before it waits for any. What
 * `last` gives travels with COMMIT: it sends nothing itself, so that nothing is sent unless all of it is there. Where one of these
 * statements fails, the server passes over the COMMIT behind it. Throws `CommitUnknown` besides what the statements throw.
 */
export async function inTwoRoundTrips<Plan>(
  { pool }: Database,
  first: (transaction: Asking) => Promise<Plan>,
  last: (plan: Plan) => readonly Query[],
): Promise<Plan> {
  const client = await pool.connect();
  let broken = false;
  let committing = false;
  try {
    const there = new Boarding();
    const [, plan] = await Promise.all([there.query(BEGIN, []), first(there), there.leave(client)]);
    const queries = last(plan);
    committing = true;
    const back = new Boarding();
    await Promise.all([...queries.map(query => send(back, query)), back.query(COMMIT, []), back.leave(client)]);
    return plan;
  } catch (error) {
    // A connection that cannot even roll back is of no use to anybody; closing it rolls back as well.
    await control(client, 'rollback').catch(() => (broken = true));
    throw committing && isConnectionLost(error) ? new CommitUnknown(error) : error;
  } finally {
    client.release(broken);
  }
}

interface Boarded {
  readonly query: PreparedQuery;
  readonly resolve: (rows: unknown[][]) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements until they leave. */
class Boarding implements Asking {
  private readonly boarded: Boarded[] = [];

  query<Row extends unknown[]>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      const query = new PreparedQuery(statement, values);
      this.boarded.push({ query, resolve: resolve as Boarded['resolve'], reject });
    });
  }

  /** Sends what was asked so far, and tells who asked. */
  async leave(client: pg.PoolClient): Promise<void> {
    const { boarded } = this;
    const flight = new Pipeline(boarded.map(({ query }) => query));
    try {
      await answered(client, flight);
      for (const { query, resolve } of boarded) resolve(query.rows);
    } catch (error) {
      boarded[flight.done]?.reject(error);
      // Whoever waits for all of them is to learn first from the one that failed, which may know what that means.
      setImmediate(() => boarded.forEach(({ reject }) => reject(error)));
    }
  }
}

async function send(transaction: Asking, { statement, values, late }: Query): Promise<void> {
  try {
    await transaction.query(statement, values);
  } catch (error) {
    throw late && isLockTimeout(error) ? late() : error;
  }
}
