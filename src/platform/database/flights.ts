import type pg from 'pg';
import { socketOf } from './ask.js';
import type { Database } from './orm.js';
import type { Statement } from './statement.js';
import { isConnectionLost, isLockTimeout } from './pg-errors.js';
import { Transaction, control } from './transaction.js';

/** A statement that is ready to be sent. */
export interface Query {
  readonly statement: Statement;
  readonly values: unknown[];
  /** What it means that somebody else holds what this statement needs for too long. */
  readonly late?: () => Error;
}

/** The connection was lost when COMMIT was on its way: whether it arrived, nobody here knows. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  constructor(cause: unknown) {
    super('the connection was lost while a transaction was being committed', { cause });
  }
}

/**
 * A transaction in two round trips. What `first` sends travels with BEGIN: it must send all its statements before it waits for any. What
 * `last` gives travels with COMMIT: it sends nothing itself, so that nothing is sent unless all of it is there. Where one of these
 * statements fails, the COMMIT behind it rolls back. Throws `CommitUnknown` besides what the statements throw.
 */
export async function inTwoFlights<Plan>(
  { pool }: Database,
  first: (transaction: Transaction) => Promise<Plan>,
  last: (plan: Plan) => readonly Query[],
): Promise<Plan> {
  const client = await pool.connect();
  let broken = false;
  let committing = false;
  try {
    const transaction = new Transaction(client);
    const [, plan] = await together(client, () => Promise.all([control(client, 'begin'), first(transaction)]));
    const queries = last(plan);
    committing = true;
    await together(client, () =>
      Promise.all([...queries.map(query => send(transaction, query)), control(client, 'commit')]),
    );
    return plan;
  } catch (error) {
    // A connection that cannot even roll back is of no use to anybody; closing it rolls back as well.
    await control(client, 'rollback').catch(() => (broken = true));
    throw committing && isConnectionLost(error) ? new CommitUnknown(error) : error;
  } finally {
    client.release(broken);
  }
}

/** What `sending` sends before it waits goes out in one write. A write for each statement would wake the server up for each. */
function together<Result>(client: pg.PoolClient, sending: () => Result): Result {
  const socket = socketOf(client);
  socket.cork();
  try {
    return sending();
  } finally {
    socket.uncork();
  }
}

async function send(transaction: Transaction, { statement, values, late }: Query): Promise<void> {
  try {
    await transaction.query(statement, values);
  } catch (error) {
    throw late && isLockTimeout(error) ? late() : error;
  }
}
