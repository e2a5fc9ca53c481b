import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, KeyRing } from 'tillgate/noun';
import { Attempts, type AttemptsOrder } from './attempts.js';
import { WebhookRepository } from '../webhook.repository.js';
import { readEndpoints, writeFailing, type Endpoint } from './endpoint.js';
import { EndpointSender } from './endpoint-sender.js';
import { LEASE_MS, Leases } from './leases.js';
import { continueLanes, loadNext, lookAnew } from './loading.js';
import { Results } from './results.js';

/**
 * The number of endpoints that are taken in one look, and that are held. Others wait until one of them is given back.
 */
const MAX_CLAIMED = 200;
const MAX_HELD = 1000;
/** Longer than an attempt: see `lib/guarded-connect`. */
const ATTEMPT_MS = 18_000;

const TICK_MS = 50;
const IDLE_TICK_MS = 250;
const SHORTEST_TICK_MS = 5;
const LOOK_EVERY_MS = 100;
const CLAIM_EVERY_MS = 300;
const REFRESH_EVERY_MS = 1000;
const RENEW_EVERY_MS = 5000;
const RETRY_AFTER_MS = 1000;
/** An endpoint without work is given back after so long. */
const IDLE_MS = 2000;
/** An endpoint whose next work is further away is given back at once. */
const NEAR_MS = 10_000;
/** Running attempts may end by themselves for so long when the process stops. */
const STOP_MS = 5000;

export interface SendingOrder extends AttemptsOrder {
  readonly database: Database;
  /** With one connection that has a session of its own, whose lock shows that this process lives. */
  readonly presence: Database;
  readonly keys: KeyRing;
}

/**
 * Sends deliveries to the endpoints that this process holds leases of, until it is stopped. One loop loads what is to
 * be sent; attempts run beside it, and each that ends begins the next one.
 */
export class DeliverySender {
  private readonly leases: Leases;
  private readonly endpoints: WebhookRepository;
  private readonly results: Results;
  private readonly attempts: Attempts;
  private readonly senders = new Map<string, EndpointSender>();
  /** By the clock of `performance.now()`. */
  private leasedUntilMs = 0;
  private readonly lastMs = new Map<string, number>();
  private wakeUp: () => void = () => undefined;
  private isWoken = false;
  private isTurned = false;
  private isStopping = false;
  private isFailing = false;
  private readonly loop: Promise<void>;

  constructor(private readonly order: SendingOrder) {
    this.leases = new Leases(order.database, order.presence);
    this.endpoints = new WebhookRepository(order.database, order.keys);
    this.results = new Results(order.database, order.keys, order.log);
    this.attempts = new Attempts(order, this.results, {
      mayBegin: () => !this.isStopping && this.leases.isPresent && performance.now() < this.leasedUntilMs - ATTEMPT_MS,
      isHeld: sender => this.senders.get(sender.endpointId) === sender,
      senders: () => this.senders.values(),
      pause: (endpointId, untilMs) => this.leases.pause(endpointId, untilMs),
      wake: () => this.wakeSoon(),
    });
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
    const giveUpAt = performance.now() + STOP_MS;
    await Promise.race([this.loop, sleep(STOP_MS, undefined, { ref: false })]);
    while (this.attempts.running > 0 && performance.now() < giveUpAt) await sleep(TICK_MS / 2);
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
      // A read must not be older than what is known here.
      await this.results.flush();
      await lookAnew(database, stale);
    }
    // Lanes that go on and new deliveries take turns at being loaded first, so that neither is always left without.
    const loads = this.isTurned ? [continueLanes, loadNext] : [loadNext, continueLanes];
    this.isTurned = !this.isTurned;
    for (const load of loads) await load(database, senders, this.results);
    for (const sender of senders) this.attempts.begin(sender);
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
  }

  /** Takes this process's part of the endpoints that have something to be sent, and gives back what is more. */
  private async claim(): Promise<void> {
    const share = await this.leases.share();
    const staying = [...this.senders.values()].filter(({ leaving }) => leaving === null);
    for (const sender of staying.slice(share)) sender.leaving = 'hand over';
    const room = Math.min(MAX_CLAIMED, Math.min(share, MAX_HELD) - staying.length);
    if (room <= 0) return;
    const claimed = await this.leases.claim(room);
    if (claimed.length === 0) return;
    const endpoints = await this.read(claimed.map(({ endpointId }) => endpointId));
    for (const claim of claimed) {
      const endpoint = endpoints.find(({ endpointId }) => endpointId === claim.endpointId);
      // Attempts of an earlier lease may still run; they end with that.
      this.senders.get(claim.endpointId)?.stop();
      if (endpoint) this.senders.set(claim.endpointId, new EndpointSender(endpoint, claim));
    }
  }

  private read(endpointIds: readonly string[]): Promise<Endpoint[]> {
    const { database, log } = this.order;
    return readEndpoints(database, this.endpoints, endpointIds, (endpointId, err) =>
      log.error({ err, endpointId }, 'the secrets of a webhook endpoint cannot be opened'),
    );
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
    const endpoints = await this.read([...this.senders.keys()]);
    const byId = new Map(endpoints.map(endpoint => [endpoint.endpointId, endpoint]));
    for (const sender of this.senders.values()) {
      const endpoint = byId.get(sender.endpointId);
      if (endpoint) sender.endpoint = endpoint;
      // A waiting delivery stays as it is: it is sent when the endpoint is enabled again.
      if (endpoint?.status !== 'ENABLED') sender.leaving = 'drop';
    }
    const changed = [...this.senders.values()].filter(
      ({ endpoint, health, leaving }) => leaving === null && endpoint.failingSinceMs !== health.failingSinceMs,
    );
    await writeFailing(
      this.order.database,
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
