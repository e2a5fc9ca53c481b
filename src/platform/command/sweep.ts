import { apart } from '../database/keyed.js';
import type { Database } from '../database/orm.js';
import type { Logger } from '../logging/logger.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Small, so that no sweep holds its locks for long; several gateways sweep side by side. */
const BATCH_ROWS = 1000;

const SWEEP = apart(
  {
    name: 'idempotency_key_sweep',
    text: `WITH expired AS (
      SELECT key_hash FROM idempotency_key WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), deleted AS (DELETE FROM idempotency_key k USING expired e WHERE k.key_hash = e.key_hash RETURNING 1)
    SELECT count(*)::int FROM deleted`,
  },
  // Rows of several shards cannot be locked in one statement. So many are deleted of each shard.
  `SELECT coalesce(sum(substring(r.result FROM '^DELETE (\\d+)$')::int), 0)::int
    FROM run_command_on_shards('idempotency_key', format(
      'DELETE FROM %%1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %%1$s WHERE expires_at <= now() ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED))',
      $1::int)) r`,
);

/** Deletes the idempotency keys whose time is over by the database's clock. Gives how many. */
export async function deleteExpiredKeys(database: Database): Promise<number> {
  let deleted = 0;
  for (;;) {
    const [row] = await database.query<[number]>(SWEEP, [BATCH_ROWS]);
    deleted += row?.[0] ?? 0;
    if ((row?.[0] ?? 0) < BATCH_ROWS) return deleted;
  }
}

/** Sweeps once a minute until the function it gives is called, which waits for the sweep that runs. */
export function sweepExpiredKeys(database: Database, log: Logger): () => Promise<void> {
  return onceAMinute(async () => {
    try {
      const deleted = await deleteExpiredKeys(database);
      if (deleted > 0) log.info({ deleted }, 'expired idempotency keys were deleted');
    } catch (error) {
      log.warn({ err: error }, 'expired idempotency keys could not be deleted; the next sweep tries again');
    }
  });
}

/** Does work, which must not fail, until the function it gives is called, which waits for the work that runs. */
export function onceAMinute(work: () => Promise<void>): () => Promise<void> {
  return every(MINUTE_MS, work);
}

/** As `onceAMinute`. */
export function onceAnHour(work: () => Promise<void>): () => Promise<void> {
  return every(HOUR_MS, work);
}

function every(pauseMs: number, work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(work);
  }, pauseMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
