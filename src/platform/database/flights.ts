import type { Database } from './orm.js';
import { Transaction } from './transaction.js';

/**
 * A transaction in two round trips. What `first` sends travels with BEGIN, and what `last` sends with COMMIT: both must send all their
 * statements before they wait for any. Where a statement of `last` fails, the COMMIT behind it rolls back.
 */
export async function inTwoFlights<Plan>(
  { pool }: Database,
  first: (transaction: Transaction) => Promise<Plan>,
  last: (transaction: Transaction, plan: Plan) => Promise<unknown>,
): Promise<Plan> {
  const client = await pool.connect();
  let broken = false;
  try {
    const transaction = new Transaction(client);
    const [, plan] = await Promise.all([client.query('begin'), first(transaction)]);
    await Promise.all([last(transaction, plan), client.query('commit')]);
    return plan;
  } catch (error) {
    // A connection that cannot even roll back is of no use to anybody; closing it rolls back as well.
    await client.query('rollback').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}
