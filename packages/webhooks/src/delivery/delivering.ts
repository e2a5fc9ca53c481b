import type { Database, EventTypes, KeyRing, Logger } from 'tillgate/noun';
import type { AddressGuard } from '../../../../lib/guarded-connect/address-guard.js';
import { GuardedClient } from '../../../../lib/guarded-connect/guarded-client.js';
import type { DeliveryCounts } from './delivery-counts.js';
import { Distribution } from './distribution.js';
import { DeliverySender } from './sending.js';
import { keepUp } from './upkeep.js';
import type { WebhookService } from '../webhook.service.js';

/** One each for the distribution, the loop that sends, its results and the upkeep. */
const CONNECTIONS = 4;

export interface DeliveringOrder {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly types: EventTypes;
  readonly giveUp: WebhookService['giveUp'];
  /** The last position of the feed that this process has seen. */
  readonly head: () => number;
  readonly guard: AddressGuard;
  readonly proxyUrl: string | null;
  /** The pauses between attempts. */
  readonly retrySeconds: readonly number[];
  readonly version: string;
  readonly counts: DeliveryCounts;
  readonly log: Logger;
}

/** Delivers events to webhook endpoints until the function that it gives is called, which lets running attempts end. */
export async function takePartInDelivering(order: DeliveringOrder): Promise<() => Promise<void>> {
  const { keys, types, giveUp, head, counts, retrySeconds, log } = order;
  const options = {
    applicationName: 'tillgate-webhooks',
    throughOrm: false,
  };
  const database = await order.database.reopen({ ...options, poolSize: CONNECTIONS });
  const presence = await order.database.reopenDirect({ ...options, poolSize: 1 });
  const client = new GuardedClient({ guard: order.guard, proxyUrl: order.proxyUrl });
  const userAgent = `Tillgate/${order.version}`;
  const sending = new DeliverySender({
    database,
    presence,
    keys,
    types,
    client,
    giveUp,
    counts,
    userAgent,
    retrySeconds,
    log,
  });
  const distribution = new Distribution({ database, types, head, distributed: () => sending.wake(), log });
  const endUpkeep = keepUp(database, keys, counts, log);
  return async () => {
    await Promise.all([distribution.stop(), sending.stop(), endUpkeep()]);
    client.close();
    await Promise.all([database.close(), presence.close()]);
  };
}
