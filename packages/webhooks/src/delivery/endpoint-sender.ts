import type { HeldLane } from './deliverable.js';
import type { Endpoint } from './endpoint.js';
import { Health } from './health.js';
import { Lanes } from './lanes.js';
import type { ClaimedLease } from './leases.js';

/** Before the first event of the feed. */
const BEGINNING = { position: -1, deliveryId: '00000000-0000-0000-0000-000000000000' };

/** The state of an endpoint in a process that sends to it. */
export class EndpointSender {
  readonly lanes = new Lanes();
  readonly holder: number;
  readonly health: Health;
  /** The ids of deliveries that are being sent. */
  readonly inFlight = new Set<string>();
  /** The additions that were looked at last: see `WebhookSender`. */
  additions: number;
  insertions: number;
  /** Behind the last delivery that was loaded. */
  place = BEGINNING;
  /** True if there may be more to load. */
  mayHaveMore = true;
  /** True if what is in memory may lack something. */
  isStale = true;
  /** No attempt begins, and the endpoint is given back once none runs: to nobody, or to another process. */
  leaving: 'drop' | 'hand over' | null = null;
  /** Since when there is nothing to do, by the clock of `performance.now()`. */
  idleSinceMs: number | null = null;
  private readonly stopping = new AbortController();

  constructor(
    public endpoint: Endpoint,
    { holder, additions, insertions, pausedUntilMs }: ClaimedLease,
  ) {
    this.holder = holder;
    this.additions = additions;
    this.insertions = insertions;
    this.health = new Health(endpoint.failingSinceMs, pausedUntilMs);
  }

  get endpointId(): string {
    return this.endpoint.endpointId;
  }

  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  /** Forgets what was loaded: everything is looked at again. */
  beginAnew(held: readonly HeldLane[]): void {
    this.lanes.reset(held);
    this.place = BEGINNING;
    [this.mayHaveMore, this.isStale] = [true, false];
  }

  /** True if an attempt may begin as far as the endpoint is concerned. */
  canSend(nowMs: number): boolean {
    const { lanes, health, inFlight } = this;
    const isFree = this.leaving === null && !this.stopped.aborted && nowMs >= health.pausedUntilMs;
    return isFree && lanes.hasReady && inFlight.size < health.atOnce;
  }

  /**
   * When there is something to do that is not there yet, in milliseconds since 1970; null if there is something now.
   */
  dueMs(nowMs: number): number | null {
    if (this.inFlight.size > 0 || this.isStale) return null;
    const isPaused = this.health.pausedUntilMs > nowMs;
    if (isPaused) return this.health.pausedUntilMs;
    if (this.mayHaveMore || this.lanes.hasReady || this.lanes.toContinue(nowMs, 1).length > 0) return null;
    return this.lanes.isEmpty ? Infinity : this.lanes.dueMs;
  }

  /** Ends the attempts that run: the lease is lost, or the process stops. */
  stop(): void {
    this.stopping.abort();
  }
}
