import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTransaction, type Database, type KeyRing, type Logger } from 'tillgate/noun';
import { KEPT_DAYS } from '../webhook.errors.js';
import { WebhookEndpoint } from '../webhook.entity.js';
import type { DeliveryCounts } from './delivery-counts.js';
import { WebhookAttempt, WebhookDelivery, WebhookSender } from './delivery.entity.js';
import { forgetReplacedSecrets } from './endpoint.js';

const EVERY_MS = 15_000;
/** Small, so that no statement is long; further ones follow, with pauses, until nothing is left. */
const BATCH_ROWS = 1000;
const PAUSE_MS = 50;
/** More deliveries that wait are not counted. */
const MAX_COUNTED = 100_000;

// Deliveries are counted where they are, and no further than is told.
const WAITING = `SELECT count(*)::int, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM (
    SELECT w.created_at FROM webhook_endpoint e CROSS JOIN LATERAL (
      SELECT created_at FROM webhook_delivery d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'WAITING'
      UNION ALL SELECT created_at FROM webhook_delivery d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'HELD') w
    WHERE e.status = 'ENABLED' LIMIT ${MAX_COUNTED}) waiting`;
type WaitingRow = { readonly count: number; readonly age: number };

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
        const [waiting] = await database.primary().execute<WaitingRow[]>(WAITING);
        counts.waiting(waiting?.count ?? 0, waiting?.age ?? 0);
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
  for (const deleteSome of [deleteOrphans, deleteOld]) {
    for (let count = 1; count > 0 && !signal.aborted; deleted += count) {
      count = await inTransaction(database, transaction => deleteSome(database.em(transaction)));
      await pause();
    }
  }
  return deleted;
}

/** Ids grow with time, so the oldest deliveries are the first of the index. */
async function deleteOld(em: EntityManager): Promise<number> {
  const fields = ['deliveryId'] as const;
  const first = await em.find(WebhookDelivery, {}, { fields, orderBy: { deliveryId: 'asc' }, limit: BATCH_ROWS });
  const deliveryId = { $in: first.map(delivery => delivery.deliveryId) };
  const createdAt = { $lt: raw('now() - make_interval(days => ?)', [KEPT_DAYS]) };
  return deleteDeliveries(em, await em.find(WebhookDelivery, { deliveryId, createdAt }, { fields }));
}

/** Those of one endpoint, and in the end what is known of sending to it. */
async function deleteOrphans(em: EntityManager): Promise<number> {
  const endpoints = em.createQueryBuilder(WebhookEndpoint, 'e').select('endpointId');
  const gone = await em.findOne(WebhookSender, { endpointId: { $nin: endpoints } }, { fields: ['endpointId'] });
  if (!gone) return 0;
  const { endpointId } = gone;
  const rows = await em.find(WebhookDelivery, { endpointId }, { fields: ['deliveryId'], limit: BATCH_ROWS });
  if (rows.length > 0) return deleteDeliveries(em, rows);
  await em.nativeDelete(WebhookSender, { endpointId });
  return 1;
}

async function deleteDeliveries(
  em: EntityManager,
  deliveries: readonly Pick<WebhookDelivery, 'deliveryId'>[],
): Promise<number> {
  if (deliveries.length === 0) return 0;
  const deliveryId = { $in: deliveries.map(delivery => delivery.deliveryId) };
  await em.nativeDelete(WebhookAttempt, { deliveryId });
  await em.nativeDelete(WebhookDelivery, { deliveryId });
  return deliveries.length;
}
