import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedClient } from '../../../lib/guarded-connect/guarded-client.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { EventTypes } from '../../platform/feed/event-types.js';
import type { Logger } from '../../platform/logging/logger.js';
import { attemptOf, isTaken, type Attempted } from './attempt.js';
import { messageOf, type Deliverable } from './deliverable.js';
import type { DeliveryCounts } from './delivery-counts.js';
import type { Disabling } from './disabling.js';
import { readEndpoints, writeFailing } from './endpoint.js';
import { EndpointSender } from './endpoint-sender.js';
import { LEASE_MS, Leases } from './leases.js';
import { continueLanes, loadNext, lookAnew } from './loading.js';
import { Results } from './results.js';
import { pauseAfter } from './schedule.js';

/** So many attempts run at once, and so many of them for endpoints that do not do well. */
const MAX_AT_ONCE = 256;
const MAX_UNWELL = 64;
/** So many endpoints are taken in one look. */
const MAX_CLAIMED = 200;
/** Longer than an attempt: see `lib/guarded-connect`. */
const ATTEMPT_MS = 18_000;
const FAILING_DAYS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
const GONE = 410;

const TICK_MS = 50;
const IDLE_TICK_MS = 250;
const SHORTEST_TICK_MS = 5;
const LOOK_EVERY_MS = 100;
const CLAIM_EVERY_MS = 500;
const REFRESH_EVERY_MS = 1000;
const RENEW_EVERY_MS = 5000;
const RETRY_AFTER_MS = 1000;
/** An endpoint without work is given back after so long. */
const IDLE_MS = 2000;
/** An endpoint whose next work is further away is given back at once. */
const NEAR_MS = 10_000;
/** Running attempts may end by themselves for so long when the process stops. */
const STOP_MS = 5000;

export interface SendingOrder {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly types: EventTypes;
  readonly client: GuardedClient;
  readonly disabling: Disabling;
  readonly counts: DeliveryCounts;
  readonly userAgent: string;
  readonly retrySeconds: readonly number[];
  readonly log: Logger;
}

/**
 * Sends deliveries to the endpoints that this process holds leases of, until it is stopped. One loop loads what is to
 * be sent; attempts run beside it, and each that ends begins the next one.
 */
export class Sending {
  private readonly leases: Leases;
  private readonly results: Results;
  private readonly senders = new Map<string, EndpointSender>();
  private running = 0;
  private runningUnwell = 0;
  /** By the clock of `performance.now()`. */
  private leasedUntilMs = 0;
  private share = MAX_CLAIMED;
  private readonly lastMs = new Map<string, number>();
  private wakeUp: () => void = () => undefined;
  private isWoken = false;
  private isStopping = false;
  private isFailing = false;
  private readonly loop: Promise<void>;

  constructor(private readonly order: SendingOrder) {
    this.leases = new Leases(order.database);
    this.results = new Results(order.database, order.keys, order.log);
    this.loop = this.run();
  }

  /** There is something new to be sent. */
  wake(): void {
    this.lastMs.delete('look');
    this.lastMs.delete('claim');
    this.wakeSoon();
  }

  /** Begins no attempt, lets running ones end, records what became of them, and gives the endpoints back. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wakeSoon();
    await this.loop;
    const giveUpAt = performance.now() + STOP_MS;
    while (this.running > 0 && performance.now() < giveUpAt) await sleep(TICK_MS / 2);
    for (const sender of this.senders.values()) sender.stop();
    await Promise.race([this.results.flush(), sleep(STOP_MS, undefined, { ref: false })]);
    this.results.stop();
    await this.leases.leave();
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      try {
        await this.step();
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.order.log.warn({ err: error }, 'webhooks cannot be sent; the gateway keeps trying');
        this.isFailing = true;
        for (const sender of this.senders.values()) sender.isStale = true;
        await this.pause(RETRY_AFTER_MS);
      }
      await sleep(SHORTEST_TICK_MS);
      await this.pause(this.senders.size > 0 ? TICK_MS : IDLE_TICK_MS);
    }
  }

  private async step(): Promise<void> {
    if (!this.leases.isPresent) await this.leases.appear(() => this.dropAll());
    if (this.isTime('renew', RENEW_EVERY_MS)) await this.renew();
    if (this.isTime('claim', CLAIM_EVERY_MS)) await this.claim();
    if (this.isTime('look', LOOK_EVERY_MS)) await this.look();
    if (this.isTime('refresh', REFRESH_EVERY_MS)) await this.refresh();
    const { database } = this.order;
    const senders = [...this.senders.values()].filter(({ leaving }) => leaving === null);
    const stale = senders.filter(({ isStale, lanes }) => isStale || lanes.shouldReset);
    if (stale.length > 0) {
      // What is read must not be older than what is known here.
      await this.results.flush();
      await lookAnew(database, stale);
    }
    const isKnown = (sender: EndpointSender, { deliveryId }: Deliverable): boolean =>
      sender.inFlight.has(deliveryId) || this.results.has(deliveryId);
    await loadNext(database, senders, isKnown);
    await continueLanes(database, senders, isKnown);
    for (const sender of senders) this.pump(sender);
    await this.giveBack();
  }

  private isTime(what: string, everyMs: number): boolean {
    const nowMs = performance.now();
    if (nowMs - (this.lastMs.get(what) ?? -Infinity) < everyMs) return false;
    this.lastMs.set(what, nowMs);
    return true;
  }

  private async renew(): Promise<void> {
    const sinceMs = performance.now();
    const ours = await this.leases.renew();
    this.leasedUntilMs = sinceMs + LEASE_MS;
    for (const sender of this.senders.values()) if (!ours.has(sender.endpointId)) this.drop(sender);
    this.share = await this.leases.share();
    const kept = [...this.senders.values()].filter(({ leaving }) => leaving === null);
    for (const sender of kept.slice(Math.max(this.share, 1))) sender.leaving = 'hand over';
  }

  private async claim(): Promise<void> {
    const room = Math.min(MAX_CLAIMED, Math.max(this.share, 1) - this.senders.size);
    if (room <= 0) return;
    const claimed = await this.leases.claim(room);
    if (claimed.length === 0) return;
    const { database, keys, log } = this.order;
    const endpoints = await readEndpoints(
      database,
      keys,
      claimed.map(({ endpointId }) => endpointId),
      (endpointId, err) => log.error({ err, endpointId }, 'the secrets of a webhook endpoint cannot be opened'),
    );
    for (const claim of claimed) {
      const endpoint = endpoints.find(({ endpointId }) => endpointId === claim.endpointId);
      // Attempts of an earlier lease may still run; they end with that.
      this.senders.get(claim.endpointId)?.stop();
      if (endpoint) this.senders.set(claim.endpointId, new EndpointSender(endpoint, claim));
    }
  }

  private async look(): Promise<void> {
    if (this.senders.size === 0) return;
    for (const { endpointId, additions, insertions } of await this.leases.look()) {
      const sender = this.senders.get(endpointId);
      if (!sender) continue;
      sender.mayHaveMore ||= additions !== sender.additions;
      sender.isStale ||= insertions !== sender.insertions;
      [sender.additions, sender.insertions] = [additions, insertions];
    }
  }

  /** Learns what operators have changed, and tells them since when endpoints fail. */
  private async refresh(): Promise<void> {
    const { database, keys, log } = this.order;
    const ids = [...this.senders.keys()];
    const endpoints = await readEndpoints(database, keys, ids, (endpointId, err) =>
      log.error({ err, endpointId }, 'the secrets of a webhook endpoint cannot be opened'),
    );
    const byId = new Map(endpoints.map(endpoint => [endpoint.endpointId, endpoint]));
    for (const sender of this.senders.values()) {
      const endpoint = byId.get(sender.endpointId);
      if (endpoint) sender.endpoint = endpoint;
      // What waits stays as it is: it is sent when the endpoint is enabled again.
      if (endpoint?.status !== 'ENABLED') sender.leaving = 'drop';
    }
    const changed = [...this.senders.values()].filter(
      ({ endpoint, health, leaving }) => leaving === null && endpoint.failingSinceMs !== health.failingSinceMs,
    );
    await writeFailing(
      database,
      changed.map(({ endpointId, health }) => ({ endpointId, failingSinceMs: health.failingSinceMs })),
    );
  }

  /** Gives endpoints back for which nothing is to be done for a while, or that go to another process. */
  private async giveBack(): Promise<void> {
    for (const sender of this.senders.values()) {
      if (sender.leaving !== null) {
        if (sender.inFlight.size > 0) continue;
        await this.results.flush();
        await this.leases.handOver(sender.endpointId);
        this.forget(sender);
        continue;
      }
      const dueMs = sender.dueMs(Date.now());
      const dueInMs = (dueMs ?? 0) - Date.now();
      if (dueMs === null || dueInMs < NEAR_MS) {
        sender.idleSinceMs = null;
        continue;
      }
      sender.idleSinceMs ??= performance.now();
      if (performance.now() - sender.idleSinceMs < IDLE_MS) continue;
      await this.results.flush();
      if (await this.leases.release(sender, dueInMs)) this.forget(sender);
    }
  }

  /** Begins as many attempts as may run. */
  private pump(sender: EndpointSender): void {
    while (this.maySend(sender) && sender.canSend(Date.now())) {
      const deliverable = sender.lanes.take();
      if (!deliverable) return;
      this.running += 1;
      const isUnwell = !sender.health.isWell;
      if (isUnwell) this.runningUnwell += 1;
      sender.inFlight.add(deliverable.deliveryId);
      void this.send(sender, deliverable).finally(() => {
        this.running -= 1;
        if (isUnwell) this.runningUnwell -= 1;
        sender.inFlight.delete(deliverable.deliveryId);
        this.goOn(sender);
      });
    }
  }

  private maySend({ health }: EndpointSender): boolean {
    const mayBegin = !this.isStopping && !this.results.isFull && this.running < MAX_AT_ONCE;
    const isLeased = this.leases.isPresent && performance.now() < this.leasedUntilMs - ATTEMPT_MS;
    return mayBegin && isLeased && (health.isWell || this.runningUnwell < MAX_UNWELL);
  }

  /** An attempt has ended, so others may begin. */
  private goOn(sender: EndpointSender): void {
    this.pump(sender);
    // Others may have waited for a place.
    if (this.running === MAX_AT_ONCE - 1 || this.runningUnwell === MAX_UNWELL - 1) {
      for (const other of this.senders.values()) this.pump(other);
    }
    if (!sender.lanes.hasReady) this.wakeSoon();
  }

  private async send(sender: EndpointSender, deliverable: Deliverable): Promise<void> {
    const { types, client, userAgent, log } = this.order;
    try {
      const message = messageOf(deliverable, types);
      const { deliveryId } = deliverable;
      const attempted = message
        ? await attemptOf(client, sender.endpoint, { deliveryId, ...message }, userAgent, sender.stopped)
        : unknownEvent(deliveryId);
      if (attempted) this.settle(sender, deliverable, attempted, message !== null);
    } catch (error) {
      // Everything is read again, so the delivery is not lost.
      log.error({ err: error }, 'a webhook could not be sent');
      sender.isStale = true;
      sender.lanes.succeed(deliverable);
    }
  }

  private settle(sender: EndpointSender, deliverable: Deliverable, attempted: Attempted, mayRetry: boolean): void {
    const { counts, retrySeconds } = this.order;
    const { health, lanes } = sender;
    const isOurs = this.senders.get(sender.endpointId) === sender;
    if (isTaken(attempted)) {
      counts.attempt('delivered', attempted.durationMs / 1000);
      counts.delivery('delivered');
      health.succeed();
      this.results.deliver(attempted);
      lanes.succeed(deliverable);
      return;
    }
    // Another process sends to the endpoint by now, and makes an attempt of its own.
    if (!isOurs) return;
    counts.attempt('failed', attempted.durationMs / 1000);
    const { startedMs, durationMs, httpStatus, askedMs } = attempted;
    health.fail(startedMs, durationMs, httpStatus, askedMs);
    const pauseMs = mayRetry ? pauseAfter(deliverable.attempts + 1, askedMs, retrySeconds) : null;
    if (pauseMs === null) {
      counts.delivery('failed');
      this.results.fail({ ...attempted, pauseMs, followers: [], saved: () => undefined });
      lanes.succeed(deliverable);
    } else {
      this.results.fail({ ...attempted, pauseMs, ...lanes.fail(deliverable, Date.now() + pauseMs) });
    }
    this.judge(sender, httpStatus);
  }

  /** What a failure means for the endpoint as a whole. */
  private judge(sender: EndpointSender, httpStatus: number | null): void {
    const { disabling, counts, log } = this.order;
    const { endpoint, health } = sender;
    const nowMs = Date.now();
    const isFailing = health.failingSinceMs !== null && nowMs - health.failingSinceMs >= FAILING_DAYS * DAY_MS;
    const reason = httpStatus === GONE ? 'GONE' : isFailing ? 'FAILING' : null;
    const tell = (error: unknown): void =>
      log.error(
        { err: error, endpointId: endpoint.endpointId },
        'the state of a webhook endpoint could not be recorded',
      );
    if (reason !== null && sender.leaving === null) {
      sender.leaving = 'drop';
      counts.disabled(reason);
      log.warn(
        { endpointId: endpoint.endpointId, program: endpoint.program, reason },
        'a webhook endpoint was disabled',
      );
      disabling.disable(endpoint, reason).catch(tell);
    } else if (health.pausedUntilMs - nowMs > NEAR_MS) {
      this.leases.pause(endpoint.endpointId, health.pausedUntilMs).catch(tell);
    }
  }

  private drop(sender: EndpointSender): void {
    sender.stop();
    this.forget(sender);
  }

  private dropAll(): void {
    for (const sender of this.senders.values()) this.drop(sender);
  }

  private forget(sender: EndpointSender): void {
    if (this.senders.get(sender.endpointId) === sender) this.senders.delete(sender.endpointId);
  }

  private wakeSoon(): void {
    this.isWoken = true;
    this.wakeUp();
  }

  private async pause(ms: number): Promise<void> {
    if (!this.isWoken && !this.isStopping) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms);
        this.wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.isWoken = false;
  }
}

function unknownEvent(deliveryId: string): Attempted {
  const none = { httpStatus: null, answer: null, askedMs: null };
  return { deliveryId, startedMs: Date.now(), durationMs: 0, error: 'EVENT_UNKNOWN', ...none };
}
