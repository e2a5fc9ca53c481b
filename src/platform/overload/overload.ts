import { Refusal } from '../../shared/errors.js';
import type { Logger } from '../logging/logger.js';

/** There is more to do than can be done in time. Nothing was done. */
export class Overloaded extends Refusal {
  readonly kind = 'unavailable';
  readonly code = 'overloaded';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super('There is more to do than can be done in time. Nothing was done: try again after Retry-After.');
  }
}

export interface OverloadOptions {
  /** How many requests may wait for a connection to the database, or be late. */
  readonly maxWaiting: number;
  /** How long a request may take, and the event loop be held up, before it counts as late. */
  readonly maxDelayMs: number;
  /** How many wait for a connection to the database now. */
  readonly waiting: () => number;
  /** How many requests have been waiting for us longer than so many milliseconds, counted no further than a limit. */
  readonly late: (olderThanMs: number, limit: number) => number;
  readonly log: Logger;
}

const LOOK_EVERY_MS = 50;
/** How long all has to be well again before others are told so, lest they send us everything at once, take it away, and send it again. */
const CALM_MS = 3000;

/**
 * Knows when new requests would only make those late that are inside. Then they are refused at once, which costs next to nothing, and
 * those inside are answered in time. Looks at what waits, not at how much is done: so it fits any machine, any database and any mix.
 */
export class Overload {
  private isLate = false;
  private wasCalm = true;
  private overAtMs = -Infinity;
  private lookedAtMs = performance.now();
  private readonly timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();

  constructor(private readonly options: OverloadOptions) {}

  /** Throws `Overloaded` where a new request is to be refused. */
  refuse(): void {
    if (this.isOver()) {
      this.overAtMs = performance.now();
      throw new Overloaded();
    }
  }

  /** Throws `Overloaded` until nothing has been refused, and nothing late, for a while. */
  refuseReadiness(): void {
    if (this.isOver() || performance.now() - this.overAtMs < CALM_MS) throw new Overloaded();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private isOver(): boolean {
    return this.isLate || this.options.waiting() >= this.options.maxWaiting;
  }

  private look(): void {
    const { maxWaiting, maxDelayMs, waiting, late, log } = this.options;
    const nowMs = performance.now();
    // A timer that comes late tells that everything does.
    const delayMs = Math.round(nowMs - this.lookedAtMs - LOOK_EVERY_MS);
    this.lookedAtMs = nowMs;
    const lateCount = late(maxDelayMs, maxWaiting);
    this.isLate = delayMs > maxDelayMs || lateCount >= maxWaiting;
    if (this.isOver()) this.overAtMs = nowMs;
    const isCalm = nowMs - this.overAtMs >= CALM_MS;
    if (isCalm === this.wasCalm) return;
    this.wasCalm = isCalm;
    if (isCalm) log.info('no longer overloaded');
    else log.warn({ waiting: waiting(), lateCount, delayMs }, 'overloaded: new requests are refused');
  }
}
