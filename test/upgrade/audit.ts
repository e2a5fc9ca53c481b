import type pg from 'pg';
import type { AcknowledgedWrite, Load } from './load.js';

const ASKING_AT_ONCE = 8;
const MAX_TOLD = 20;

/**
 * Compares what the clients were told, by whichever release, with what is stored, and asks this release for the key of
 * every write again. Gives what is wrong; nothing if every write was done exactly once.
 */
export async function audit(load: Load, sql: pg.Pool, imported: number): Promise<string[]> {
  const wrong = [...(await eventsOf(load.done, sql)), ...(await rowsOf(load.done, sql, imported))];
  const waiting = load.done.values();
  const askAgain = async () => {
    for (const done of waiting) {
      const { method, path, body, key, idOf, kind } = done.write;
      const { status, code, answered, replayed } = await load.ask(method, path, body, key);
      const id = code === undefined ? idOf(answered) : undefined;
      if (!replayed || id !== done.id) wrong.push(`${kind} ${key} is not replayed: ${status} ${code}`);
    }
  };
  await Promise.all(Array.from({ length: ASKING_AT_ONCE }, askAgain));
  // Asking again must not have changed anything.
  wrong.push(...(await eventsOf(load.done, sql)));
  return wrong.slice(0, MAX_TOLD);
}

/** The request id of a write is its key, so its event tells whether it was done, and how often. */
async function eventsOf(done: readonly AcknowledgedWrite[], sql: pg.Pool): Promise<string[]> {
  const { rows } = await sql.query<{ key: string; count: number }>(
    'SELECT request_id AS key, count(*)::int FROM event WHERE account_id IS NOT NULL GROUP BY 1',
  );
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  return done.flatMap(({ write: { key, kind } }) => {
    const count = counts.get(key) ?? 0;
    return count === 1 ? [] : [`${kind} ${key} has ${count} events`];
  });
}

const STORED = `SELECT (SELECT count(*)::int FROM transaction t WHERE t.account_id = ANY ($1)) AS transactions,
  (SELECT count(*)::int FROM beneficiary b WHERE b.account_id = ANY ($1)) AS beneficiaries,
  (SELECT count(*)::int FROM card c WHERE c.account_id = ANY ($1)) AS cards,
  (SELECT count(*)::int FROM account a WHERE a.account_id = ANY ($1) AND (a.last_seq, a.balance_minor) IS DISTINCT FROM
    (SELECT (count(*), sum(t.amount_minor)::bigint)::record FROM transaction t WHERE t.account_id = a.account_id)) AS unsound`;

async function rowsOf(done: readonly AcknowledgedWrite[], sql: pg.Pool, imported: number): Promise<string[]> {
  const count = (kind: string): number => done.filter(({ write }) => write.kind === kind).length;
  const told = {
    transactions: imported + count('transaction'),
    beneficiaries: count('beneficiary added') - count('beneficiary deleted'),
    cards: count('card'),
    unsound: 0,
  };
  const { rows } = await sql.query<typeof told>(STORED, [[...new Set(done.map(({ write }) => write.account))]]);
  return Object.entries(told).flatMap(([name, expected]) => {
    const stored = rows[0]?.[name as keyof typeof told];
    return stored === expected ? [] : [`${stored} ${name} are stored, and ${expected} were told`];
  });
}
