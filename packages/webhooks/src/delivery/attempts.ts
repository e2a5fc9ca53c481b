import type { EventTypes, Logger } from 'tillgate/noun';
import type { GuardedClient } from '../../../../lib/guarded-connect/guarded-client.js';
import { attemptOf, isTaken, type AttemptResult } from './attempt.js';
import { messageOf, type DueDelivery } from './deliverable.js';
import type { DeliveryCounts } from './delivery-counts.js';
import type { EndpointSender } from './endpoint-sender.js';
import type { Results } from './results.js';
import { pauseAfter } from './schedule.js';
import type { WebhookService } from '../webhook.service.js';

/** The number of attempts that run at once, and of those for endpoints that do not do well. */
const MAX_AT_ONCE = 256;
const MAX_UNWELL = 64;
const FAILING_DAYS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
const GONE = 410;
/** A shorter pause of an endpoint is not put on record. */
const LONG_PAUSE_MS = 10_000;

export interface AttemptsOrder {
  readonly types: EventTypes;
  readonly client: GuardedClient;
  /** Disables an endpoint that nothing can be delivered to. */
  readonly giveUp: WebhookService['giveUp'];
  readonly counts: DeliveryCounts;
  readonly userAgent: string;
  readonly retrySeconds: readonly number[];
  readonly log: Logger;
}

/** The hooks by which the attempts learn of the process, and tell it. */
export interface AttemptHooks {
  /** True if an attempt may begin: leases are held for long enough, and the process does not stop. */
  mayBegin(): boolean;
  /** True if the lease of an endpoint is still this process's. */
  isHeld(sender: EndpointSender): boolean;
  readonly senders: () => Iterable<EndpointSender>;
  /** Keeps on record that an endpoint asked for a pause. */
  pause(endpointId: string, untilMs: number): Promise<void>;
  /** There may be something to load. */
  wake(): void;
}

/** Makes attempts, and decides what follows from each. */
export class Attempts {
  /** The number of attempts that run. */
  running = 0;
  private runningUnwell = 0;

  constructor(
    private readonly order: AttemptsOrder,
    private readonly results: Results,
    private readonly around: AttemptHooks,
  ) {}

  /** Begins as many attempts as may run. */
  begin(sender: EndpointSender): void {
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
    const isFree = this.running < MAX_AT_ONCE && (health.isWell || this.runningUnwell < MAX_UNWELL);
    return isFree && !this.results.isFull && this.around.mayBegin();
  }

  /** An attempt has ended, so others may begin. */
  private goOn(sender: EndpointSender): void {
    if (this.running < MAX_AT_ONCE - 1 && this.runningUnwell < MAX_UNWELL - 1) {
      this.begin(sender);
    } else {
      // The place that is free now is for any of those that wait for one.
      const senders = [...this.around.senders()];
      const first = Math.floor(Math.random() * senders.length);
      for (const other of [...senders.slice(first), ...senders.slice(0, first)]) this.begin(other);
    }
    if (!sender.lanes.hasReady) this.around.wake();
  }

  private async send(sender: EndpointSender, deliverable: DueDelivery): Promise<void> {
    const attempted = await this.attempt(sender, deliverable);
    if (attempted) this.settle(sender, deliverable, attempted);
  }

  /** null if it was stopped. */
  private async attempt(sender: EndpointSender, deliverable: DueDelivery): Promise<AttemptResult | null> {
    const { types, client, userAgent, log } = this.order;
    const { deliveryId } = deliverable;
    try {
      const message = messageOf(deliverable, types);
      if (!message) return notSent(deliveryId, 'EVENT_UNKNOWN');
      return await attemptOf(client, sender.endpoint, { deliveryId, ...message }, userAgent, sender.stopped);
    } catch (error) {
      log.error({ err: error, deliveryId }, 'a webhook could not be sent');
      return notSent(deliveryId, 'NOT_SENT');
    }
  }

  private settle(sender: EndpointSender, deliverable: DueDelivery, attempted: AttemptResult): void {
    const { counts, retrySeconds } = this.order;
    const { health, holder, lanes } = sender;
    if (isTaken(attempted)) {
      counts.attempt('delivered', attempted.durationMs / 1000);
      counts.delivery('delivered');
      health.succeed();
      this.results.deliver(attempted);
      lanes.succeed(deliverable);
      return;
    }
    // Another process sends to the endpoint by now, and makes an attempt of its own.
    if (!this.around.isHeld(sender)) return;
    counts.attempt('failed', attempted.durationMs / 1000);
    const { startedMs, durationMs, httpStatus, askedMs } = attempted;
    health.fail(startedMs, durationMs, httpStatus, askedMs);
    const pauseMs = pauseAfter(deliverable.attempts + 1, askedMs, retrySeconds);
    if (pauseMs === null) {
      counts.delivery('failed');
      this.results.fail({ ...attempted, holder, pauseMs, followers: [], saved: () => undefined });
      lanes.succeed(deliverable);
    } else {
      this.results.fail({ ...attempted, holder, pauseMs, ...lanes.fail(deliverable, Date.now() + pauseMs) });
    }
    this.judge(sender, httpStatus);
  }

  /** Draws the consequence of a failure for the endpoint as a whole. */
  private judge(sender: EndpointSender, httpStatus: number | null): void {
    const { giveUp, counts, log } = this.order;
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
      giveUp(endpoint, reason).catch(tell);
    } else if (health.pausedUntilMs - nowMs > LONG_PAUSE_MS) {
      this.around.pause(endpoint.endpointId, health.pausedUntilMs).catch(tell);
    }
  }
}

/**
 * Makes the result of an attempt that failed here and not at the endpoint. `EVENT_UNKNOWN`: this release has no type
 * for the event; another one may.
 */
function notSent(deliveryId: string, error: 'EVENT_UNKNOWN' | 'NOT_SENT'): AttemptResult {
  return { deliveryId, startedMs: Date.now(), durationMs: 0, httpStatus: null, error, answer: null, askedMs: null };
}
