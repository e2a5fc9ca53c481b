import { setTimeout as sleep } from 'node:timers/promises';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Logger } from '../../platform/logging/logger.js';
import { KEPT_DAYS } from '../webhook.errors.js';
import type { DeliveryCounts } from './delivery-counts.js';
import { forgetReplacedSecrets } from './endpoint.js';

const EVERY_MS = 15_000;
/** Small, so that no statement is long; further ones follow, with pauses, until nothing is left. */
const BATCH_ROWS = 1000;
const PAUSE_MS = 50;
/** More deliveries that wait are not counted. */
const MAX_COUNTED = 100_000;

// Rows are counted and deleted where they are.
// Ids grow with time, so the oldest deliveries are the first of the index.
const DELETE_OLD = statementOf(
  `WITH old AS (SELECT delivery_id FROM (SELECT delivery_id, created_at FROM webhook_delivery ORDER BY delivery_id LIMIT ${BATCH_ROWS}) first
     WHERE created_at < now() - interval '${KEPT_DAYS} days'
   ), attempts AS (DELETE FROM webhook_attempt a USING old o WHERE a.delivery_id = o.delivery_id
   ), deleted AS (DELETE FROM webhook_delivery d USING old o WHERE d.delivery_id = o.delivery_id RETURNING 1)
   SELECT count(*)::int FROM deleted`,
);
const DELETE_ORPHANS = statementOf(
  `WITH gone AS (SELECT s.endpoint_id FROM webhook_sender s
     WHERE NOT EXISTS (SELECT FROM webhook_endpoint e WHERE e.endpoint_id = s.endpoint_id) LIMIT 1
   ), old AS (SELECT d.delivery_id FROM webhook_delivery d JOIN gone g ON d.endpoint_id = g.endpoint_id LIMIT ${BATCH_ROWS}
   ), attempts AS (DELETE FROM webhook_attempt a USING old o WHERE a.delivery_id = o.delivery_id
   ), deleted AS (DELETE FROM webhook_delivery d USING old o WHERE d.delivery_id = o.delivery_id RETURNING 1
   ), forgotten AS (DELETE FROM webhook_sender s USING gone g
     WHERE s.endpoint_id = g.endpoint_id AND NOT EXISTS (SELECT FROM old) RETURNING 1)
   SELECT (SELECT count(*)::int FROM deleted) + (SELECT count(*)::int FROM forgotten)`,
);
const WAITING = statementOf(
  `SELECT count(*)::int, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 FROM (
     SELECT w.created_at FROM webhook_endpoint e CROSS JOIN LATERAL (
       SELECT created_at FROM webhook_delivery d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'WAITING'
       UNION ALL SELECT created_at FROM webhook_delivery d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'HELD') w
     WHERE e.status = 'ENABLED' LIMIT ${MAX_COUNTED}) waiting`,
);

/**
 * Counts what waits, deletes what is old or belongs to no endpoint, and erases replaced secrets, until the function it
 * gives is called.
 */
export function keepUp(database: Database, keys: KeyRing, counts: DeliveryCounts, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);
  const loop = (async () => {
    while (!signal.aborted) {
      try {
        const [row] = await database.query<[number, number]>(WAITING);
        counts.waiting(row?.[0] ?? 0, row?.[1] ?? 0);
        await deleteAll(database, signal, () => pause(PAUSE_MS));
        await forgetReplacedSecrets(database, keys);
      } catch (error) {
        log.warn({ err: error }, 'old webhook deliveries and secrets could not be deleted; the next sweep tries again');
      }
      await pause(EVERY_MS);
    }
  })();
  return async () => {
    stopping.abort();
    await loop;
  };
}

/** Deletes deliveries that are older than `KEPT_DAYS`, and those of endpoints that were deleted. Gives how many. */
export async function deleteAll(
  database: Database,
  signal: AbortSignal,
  pause: () => Promise<void> = async () => undefined,
): Promise<number> {
  let deleted = 0;
  for (const statement of [DELETE_ORPHANS, DELETE_OLD]) {
    for (let count = 1; count > 0 && !signal.aborted; deleted += count) {
      const [row] = await database.query<[number]>(statement);
      count = row?.[0] ?? 0;
      await pause();
    }
  }
  return deleted;
}
