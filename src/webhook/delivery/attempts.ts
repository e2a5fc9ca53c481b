import type { GuardedClient } from '../../../lib/guarded-connect/guarded-client.js';
import type { EventTypes } from '../../platform/feed/event-types.js';
import type { Logger } from '../../platform/logging/logger.js';
import { attemptOf, isTaken, type Attempted } from './attempt.js';
import { messageOf, type Deliverable } from './deliverable.js';
import type { DeliveryCounts } from './delivery-counts.js';
import type { Disabling } from './disabling.js';
import type { EndpointSender } from './endpoint-sender.js';
import type { Results } from './results.js';
import { pauseAfter } from './schedule.js';

/** So many attempts run at once, and so many of them for endpoints that do not do well. */
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
  readonly disabling: Disabling;
  readonly counts: DeliveryCounts;
  readonly userAgent: string;
  readonly retrySeconds: readonly number[];
  readonly log: Logger;
}

/** What makes the attempts needs to know of the process, and tells it. */
export interface Surroundings {
  /** Whether an attempt may begin: leases are held for long enough, and the process does not stop. */
  mayBegin(): boolean;
  /** Whether the lease of an endpoint is still this process's. */
  isHeld(sender: EndpointSender): boolean;
  readonly senders: () => Iterable<EndpointSender>;
  /** Keeps on record that an endpoint asked for a pause. */
  pause(endpointId: string, untilMs: number): Promise<void>;
  /** There may be something to load. */
  wake(): void;
}

/** Makes attempts, and decides what follows from each. */
export class Attempts {
  /** How many run. */
  running = 0;
  private runningUnwell = 0;

  constructor(
    private readonly order: AttemptsOrder,
    private readonly results: Results,
    private readonly around: Surroundings,
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
    this.begin(sender);
    // Others may have waited for a place.
    if (this.running === MAX_AT_ONCE - 1 || this.runningUnwell === MAX_UNWELL - 1) {
      for (const other of this.around.senders()) this.begin(other);
    }
    if (!sender.lanes.hasReady) this.around.wake();
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
    } else if (health.pausedUntilMs - nowMs > LONG_PAUSE_MS) {
      this.around.pause(endpoint.endpointId, health.pausedUntilMs).catch(tell);
    }
  }
}

function unknownEvent(deliveryId: string): Attempted {
  const none = { httpStatus: null, answer: null, askedMs: null };
  return { deliveryId, startedMs: Date.now(), durationMs: 0, error: 'EVENT_UNKNOWN', ...none };
}
