import { Refusal } from '../../shared/errors.js';
import type { Logger } from '../logging/logger.js';

/** There is more to do than can be done in time. Nothing was done. */
export class Overloaded extends Refusal {
  readonly code = 'overloaded';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super('The gateway is overloaded. Nothing was done. Try again after the seconds in Retry-After.');
  }
}

export interface OverloadOptions {
  /** How many requests may wait for a connection to the database. */
  readonly maxWaiting: number;
  /** How long a request may take, and the event loop be held up, before it counts as late. */
  readonly maxDelayMs: number;
  /** How many wait for a connection to the database now. */
  readonly waiting: () => number;
  readonly log: Logger;
}

/** What is looked at of a request that is not over. */
export interface OpenRequest {
  readonly startedMs: number;
  readonly request: { readonly complete: boolean };
  readonly response: { readonly headersSent: boolean };
  /** Whether it was admitted, so that it counts among those that are worked on. Written here. */
  isInside: boolean;
}

const LOOK_EVERY_MS = 50;
/** How long all has to be well again before it counts as over. */
const CALM_MS = 3000;
/** How long it has to last before others are told. Where all processes have a bad moment together, none of them may be left out for it. */
const UNREADY_AFTER_MS = 2000;
/** So many requests are let in at once whatever their answers take, so many to begin with, and so many at most. */
const LEAST_INSIDE = 50;
const USUAL_INSIDE = 200;
const MOST_INSIDE = 10_000;
/** While the event loop is held up, so many. It may be the machine that has no time for us, and who has nothing to do can refuse nobody. */
const INSIDE_WHILE_HELD_UP = 5;
/** A few that are slow by themselves, such as those that wait for the lock of an account, are no sign that all are. */
const LATE_SHARE = 0.1;
const FEWEST_LATE = 5;
/** How fast fewer are let in while requests are late, and more while they are not, at each look. */
const SHRINK = 0.9;
const GROW = 1.02;
const SETTLE = 0.995;

/**
 * Knows when new requests would only make those late that are inside. Then they are refused at once, which costs next to nothing, and
 * those inside are answered in time. How many may be inside follows from whether they are answered in time, so it fits any machine, any
 * database and any mix of requests.
 */
export class Overload {
  private inside = 0;
  private maxInside = USUAL_INSIDE;
  /** Of those inside, how many wait for their own clients, as of the last look. */
  private stalled = 0;
  private isHeldUp = false;
  private wasLateLook = false;
  /** When the present overload began, and when something was last refused. */
  private overSinceMs: number | null = null;
  private overAtMs = -Infinity;
  private lookedAtMs = performance.now();
  private readonly timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();

  constructor(
    private readonly options: OverloadOptions,
    private readonly open: Iterable<OpenRequest>,
  ) {}

  /** Lets a request in, or throws `Overloaded`. */
  admit(exchange: OpenRequest): void {
    if (this.isOver()) {
      this.overAtMs = performance.now();
      throw new Overloaded();
    }
    this.inside += 1;
    exchange.isInside = true;
  }

  /** The request is over, whether it was let in or not. */
  leave(exchange: OpenRequest): void {
    if (exchange.isInside) this.inside -= 1;
  }

  /** Throws `Overloaded` where this has been going on for a while, and until it is over. */
  refuseReadiness(): void {
    if (this.overSinceMs !== null && performance.now() - this.overSinceMs > UNREADY_AFTER_MS) throw new Overloaded();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private isOver(): boolean {
    const { maxWaiting, waiting } = this.options;
    const most = this.isHeldUp ? INSIDE_WHILE_HELD_UP : this.maxInside;
    return this.inside - this.stalled >= most || waiting() >= maxWaiting;
  }

  private look(): void {
    const nowMs = performance.now();
    // A timer that comes late tells that everything does.
    const delayMs = nowMs - this.lookedAtMs - LOOK_EVERY_MS;
    this.lookedAtMs = nowMs;
    const isLateLook = delayMs > this.options.maxDelayMs;
    // Once is a hiccup, and over.
    this.isHeldUp = isLateLook && this.wasLateLook;
    this.wasLateLook = isLateLook;
    const late = this.countLate(nowMs - this.options.maxDelayMs);
    const busy = this.inside - this.stalled;
    this.maxInside = this.fitting(late, busy);
    if (this.isOver()) this.overAtMs = nowMs;
    this.remember(nowMs, { delayMs: Math.round(delayMs), late, busy });
  }

  /** Fewer while they are late; more while so many are used; and otherwise, in time, as many as usual: nothing says that more would do. */
  private fitting(late: number, busy: number): number {
    const { maxInside } = this;
    if (late >= Math.max(FEWEST_LATE, busy * LATE_SHARE)) {
      return Math.max(LEAST_INSIDE, Math.min(maxInside, busy) * SHRINK);
    }
    if (busy * 2 >= maxInside || maxInside < USUAL_INSIDE) return Math.min(MOST_INSIDE, maxInside * GROW + 1);
    return Math.max(USUAL_INSIDE, maxInside * SETTLE);
  }

  /** Counts those that came before a time and whose answer has not begun, and on the way those that only their clients hold up. */
  private countLate(beforeMs: number): number {
    let late = 0;
    this.stalled = 0;
    for (const { request, response, startedMs, isInside } of this.open) {
      if (!isInside) continue;
      if (!request.complete || response.headersSent) this.stalled += 1;
      else if (startedMs < beforeMs) late += 1;
    }
    return late;
  }

  private remember(nowMs: number, figures: object): void {
    const { log, waiting } = this.options;
    const isCalm = nowMs - this.overAtMs >= CALM_MS;
    if (isCalm && this.overSinceMs !== null) {
      this.overSinceMs = null;
      log.info('the overload has ended');
    } else if (!isCalm && this.overSinceMs === null) {
      this.overSinceMs = nowMs;
      log.warn({ ...figures, waiting: waiting() }, 'the gateway is overloaded and refuses new requests');
    }
  }
}

const EVERY_MS = 10;
/** So many answers at once in each such time: some thousand a second, a fraction of what a processor could send. */
const AT_ONCE = 10;
/** Where more wait, a share of them is answered each time, so that hardly one waits longer than a third of a second. */
const SHARE = 0.1;

/**
 * Answers refusals no faster than leaves time for those who were let in. Some clients send their next request as soon as they are refused,
 * and a few hundred of them would keep the process busy with nothing else. Ordinarily a refusal goes out at once.
 */
export class PacedRefusals {
  private readonly due: (() => void)[] = [];
  private sent = 0;
  private timer: NodeJS.Timeout | null = null;

  /** Runs it now, or in its turn. As many wait as there are connections, at most. */
  send(answer: () => void): void {
    this.timer ??= setTimeout(() => this.next(), EVERY_MS);
    if (this.sent < AT_ONCE) {
      this.sent += 1;
      answer();
    } else this.due.push(answer);
  }

  private next(): void {
    const answers = this.due.splice(0, Math.max(AT_ONCE, Math.ceil(this.due.length * SHARE)));
    this.sent = answers.length;
    this.timer = answers.length > 0 ? setTimeout(() => this.next(), EVERY_MS) : null;
    for (const answer of answers) answer();
  }
}
