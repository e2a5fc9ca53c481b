import { hasPlace } from '../../../lib/collections/shared-places.js';
import { TurnList } from '../../../lib/collections/turn-list.js';
import { sharerOf, type Identity } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { Logger } from '../logging/logger.js';

/** The gateway cannot do more in time. Nothing was done. */
export class Overloaded extends Refusal {
  readonly code = 'overloaded';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super('The gateway is overloaded. Nothing was done. Try again after the seconds in Retry-After.');
  }
}

export interface OverloadOptions {
  /** The number of requests that may wait for a connection to the database. */
  readonly maxWaiting: number;
  /** The time that a request may take, and the event loop be held up, before it counts as late. */
  readonly maxDelayMs: number;
  /** The number of requests that wait for a connection to the database now. */
  readonly waiting: () => number;
  readonly log: Logger;
}

/** The state of an open request by which overload is judged. */
export interface OpenRequest {
  readonly startedMs: number;
  readonly request: { readonly complete: boolean };
  readonly response: { readonly headersSent: boolean };
  /** True while it waits for something that need not come soon. */
  readonly isWaiting: boolean;
  /** True if it was admitted, so that it counts among those that are worked on. Written here. */
  isInside: boolean;
  /**
   * The keys of those whose places it takes, from the widest to the narrowest; empty until its caller is known. Written
   * here.
   */
  sharers: readonly string[];
  /** Begins or refuses it, while it waits for its turn. Written here. */
  turn: RequestTurn | null;
}

export interface RequestTurn {
  begin(): void;
  refuse(reason: Overloaded): void;
  readonly sinceMs: number;
}

const CHECK_EVERY_MS = 50;
/** The time for which nothing must be refused before the overload is over. */
const CALM_MS = 3000;
/** The time that it must last before readiness is refused: all processes may have a bad moment at the same time. */
const UNREADY_AFTER_MS = 2000;
/** The number of requests that may be inside at least, at the start, and at most. */
const LEAST_INSIDE = 50;
const USUAL_INSIDE = 200;
const MOST_INSIDE = 10_000;
/**
 * The number that may be inside while the event loop is held up. The machine may be busy, and an idle gateway must
 * admit some.
 */
const INSIDE_WHILE_HELD_UP = 5;
/**
 * A program, and a client, takes more places while it has less than three times what is free: so three quarters alone.
 */
const SHARES = [3, 3];
/**
 * A client with fewer requests inside finds a place beside those of others: as many more as a part, or at least so
 * many.
 */
const FEW = 4;
const MORE_FOR_FEW = 0.25;
/** The part of what may wait for the database that clients with more than a few requests may use. */
const WAITING_SHARE = 0.75;
/**
 * The least number of requests that are worked on at once while several clients are here: the event loop does them in
 * turns, so another one is done so many times more slowly. There are more where the loop has time left, and fewer again
 * where it has none.
 */
const LEAST_AT_ONCE = 4;
const IDLE = 0.75;
const OCCUPIED = 0.9;
/** A client with fewer requests in work need not wait for a turn. */
const FEW_AT_ONCE = 2;
/** The longest time that a request waits for its turn. */
const MAX_TURN_MS = 10_000;
/** A few slow requests, such as those that wait for the lock of an account, are no sign of overload. */
const LATE_SHARE = 0.1;
const FEWEST_LATE = 5;
/** The factors by which the limit shrinks while requests are late, and grows while they are not, at each check. */
const SHRINK = 0.9;
const GROW = 1.02;
const SETTLE = 0.995;

/**
 * Refuses new requests that would only delay those inside: a refusal costs next to nothing, and those inside are
 * answered in time. The limit follows from whether they are, so it fits any machine, database and mix of requests.
 */
export class Overload {
  private inside = 0;
  private maxInside = USUAL_INSIDE;
  /** The number of those inside that wait for their own clients or for events, as of the last check. */
  private stalled = 0;
  /** The numbers of those inside of each program and client, and of these that are stalled. */
  private readonly insideOf = new Map<string, number>();
  private stalledOf = new Map<string, number>();
  private readonly waiting = new TurnList<OpenRequest>();
  private atOnce = LEAST_AT_ONCE;
  private loop = performance.eventLoopUtilization();
  private isHeldUp = false;
  private wasLateCheck = false;
  /** When the present overload began, and when a request was last refused. */
  private overSinceMs: number | null = null;
  private overAtMs = -Infinity;
  private checkedAtMs = performance.now();
  private readonly timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();

  constructor(
    private readonly options: OverloadOptions,
    private readonly open: Iterable<OpenRequest>,
  ) {}

  /** Admits a request whose caller is not known yet, or throws `Overloaded`. */
  admit(request: OpenRequest): void {
    const { maxWaiting, waiting } = this.options;
    const more = Math.max(FEW, this.most * MORE_FOR_FEW);
    if (this.busy >= this.most + more || waiting() >= maxWaiting) this.refuse();
    this.inside += 1;
    request.isInside = true;
  }

  /**
   * Gives an admitted request a place among those of its client. Throws `Overloaded` where the client has its part, so
   * that one that sends too much is refused and the others are not.
   */
  share(request: OpenRequest, identity: Identity): void {
    if (!request.isInside || request.sharers.length > 0) return;
    const [program, client] = sharerOf(identity);
    const sharers = [program, client];
    const { maxWaiting, waiting } = this.options;
    const countOf = (level: number): number =>
      level === 0 ? this.busy - 1 : this.busyOf(sharers[level - 1] as string);
    const isOver = waiting() >= maxWaiting * WAITING_SHARE || !hasPlace({ most: this.most, parts: SHARES }, countOf);
    if (countOf(2) >= FEW && isOver) this.refuse();
    request.sharers = sharers;
    for (const key of sharers) this.insideOf.set(key, (this.insideOf.get(key) ?? 0) + 1);
    notePresence(client);
  }

  /**
   * Waits until the work for a request may begin. It begins at once where no other client is here, for a client that
   * has next to nothing in work, and while few requests are worked on. Otherwise clients take turns, so that none is
   * delayed by all that another has sent. Throws `Overloaded` for one that waits too long.
   */
  async takeTurn(request: OpenRequest): Promise<void> {
    const { sharers } = request;
    if (sharers.length === 0 || this.mayBegin(1) || this.workingOf(sharers) <= FEW_AT_ONCE) return;
    await new Promise<void>((begin, refuse) => {
      request.turn = { begin, refuse, sinceMs: performance.now() };
      this.waiting.add(sharers, request);
    });
  }

  /** The request is over, whether it was admitted or not. */
  leave(request: OpenRequest): void {
    if (request.isInside) this.inside -= 1;
    for (const key of request.sharers) {
      const left = (this.insideOf.get(key) ?? 1) - 1;
      if (left > 0) this.insideOf.set(key, left);
      else this.insideOf.delete(key);
    }
    const { sharers } = request;
    request.sharers = [];
    if (request.turn) this.giveUp(request, sharers, request.turn);
    else if (this.waiting.sizeOf(sharers) > 0 && this.workingOf(sharers) < FEW_AT_ONCE) {
      this.begin(this.waiting.next(sharers));
    }
    this.beginWaiting();
  }

  /** The number of requests that are worked on: of all, or of a client. */
  private workingOf(sharers: readonly string[]): number {
    const [, client] = sharers;
    return (client === undefined ? this.busy : this.busyOf(client)) - this.waiting.sizeOf(sharers);
  }

  /** True if a request may begin; `counted` is 1 where it counts as worked on already. */
  private mayBegin(counted: number): boolean {
    return !hasSeveralClients() || this.workingOf([]) - counted < this.atOnce;
  }

  private beginWaiting(): void {
    while (this.waiting.sizeOf([]) > 0 && this.mayBegin(0)) this.begin(this.waiting.next());
  }

  private begin(request: OpenRequest | undefined): void {
    const turn = request?.turn;
    if (request) request.turn = null;
    turn?.begin();
  }

  /** Throws `Overloaded` from two seconds after an overload began until it is over. */
  refuseReadiness(): void {
    if (this.overSinceMs !== null && performance.now() - this.overSinceMs > UNREADY_AFTER_MS) throw new Overloaded();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private get busy(): number {
    return this.inside - this.stalled;
  }

  private busyOf(sharer: string): number {
    return (this.insideOf.get(sharer) ?? 0) - (this.stalledOf.get(sharer) ?? 0);
  }

  private get most(): number {
    return this.isHeldUp ? INSIDE_WHILE_HELD_UP : this.maxInside;
  }

  private isOver(): boolean {
    const { maxWaiting, waiting } = this.options;
    return this.busy >= this.most || waiting() >= maxWaiting;
  }

  private refuse(): never {
    this.overAtMs = performance.now();
    throw new Overloaded();
  }

  private check(): void {
    const nowMs = performance.now();
    // A late timer means that everything is late.
    const delayMs = nowMs - this.checkedAtMs - CHECK_EVERY_MS;
    this.checkedAtMs = nowMs;
    const isLateCheck = delayMs > this.options.maxDelayMs;
    // A single late check is a hiccup.
    this.isHeldUp = isLateCheck && this.wasLateCheck;
    this.wasLateCheck = isLateCheck;
    const late = this.countLate(nowMs - this.options.maxDelayMs);
    const { busy } = this;
    this.maxInside = this.fitting(late, busy);
    this.atOnce = this.fittingTurns();
    this.beginWaiting();
    if (this.isOver()) this.overAtMs = nowMs;
    this.remember(nowMs, { delayMs: Math.round(delayMs), late, busy });
  }

  /** Fewer while requests are late, more while most places are used, and otherwise slowly back to the usual number. */
  private fitting(late: number, busy: number): number {
    const { maxInside } = this;
    if (late >= Math.max(FEWEST_LATE, busy * LATE_SHARE)) {
      return Math.max(LEAST_INSIDE, Math.min(maxInside, busy) * SHRINK);
    }
    if (busy * 2 >= maxInside || maxInside < USUAL_INSIDE) return Math.min(MOST_INSIDE, maxInside * GROW + 1);
    return Math.max(USUAL_INSIDE, maxInside * SETTLE);
  }

  /** More while requests wait although the event loop is idle, fewer while it is not. */
  private fittingTurns(): number {
    const loop = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(loop, this.loop);
    this.loop = loop;
    if (this.waiting.sizeOf([]) > 0 && utilization < OCCUPIED) {
      return utilization < IDLE ? Math.min(MOST_INSIDE, this.atOnce * 2) : this.atOnce;
    }
    return Math.max(LEAST_AT_ONCE, this.atOnce / 2);
  }

  /** Counts requests from before a time whose answer has not begun, and those that wait for something else. */
  private countLate(beforeMs: number): number {
    let late = 0;
    this.stalled = 0;
    this.stalledOf = new Map();
    for (const one of this.open) {
      const { request, response, startedMs, isInside, isWaiting, sharers, turn } = one;
      if (!isInside) continue;
      if (!turn && (!request.complete || response.headersSent || isWaiting)) {
        this.stalled += 1;
        for (const key of sharers) this.stalledOf.set(key, (this.stalledOf.get(key) ?? 0) + 1);
        continue;
      }
      const [, client] = sharers;
      if (client !== undefined) notePresence(client);
      if (startedMs < beforeMs) late += 1;
      if (turn && performance.now() - turn.sinceMs > MAX_TURN_MS) this.giveUp(one, sharers, turn);
    }
    return late;
  }

  /** Ends the wait of a request whose client has gone, or that has waited for too long. */
  private giveUp(request: OpenRequest, sharers: readonly string[], turn: RequestTurn): void {
    this.waiting.remove(sharers, request);
    request.turn = null;
    turn.refuse(new Overloaded());
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
/** The number of answers in each period: a thousand a second, a fraction of what a processor could send. */
const AT_ONCE = 10;
/** Where more wait, the share of them in each period, so that hardly any waits longer than a third of a second. */
const SHARE = 0.1;

/**
 * Slows refusals down so that time is left for admitted requests. Some clients send their next request as soon as they
 * are refused, and a few hundred of them would occupy the process. Ordinarily a refusal is sent at once.
 */
export class PacedRefusals {
  private readonly due: (() => void)[] = [];
  private sent = 0;
  private timer: NodeJS.Timeout | null = null;

  /** Runs `answer` now or later, in order. At most as many wait as there are connections. */
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

/** The time for which a client counts as present after its last request. */
const PRESENT_MS = 1000;

/** The client that was here last, and the last one before it that is another. */
let last = { client: '', atMs: -Infinity };
let another = last;

/** Notes that a client is here. */
function notePresence(client: string): void {
  const nowMs = performance.now();
  if (last.client !== client) another = last;
  last = { client, atMs: nowMs };
}

/** True while more than one client is here. A client that is alone makes nobody wait, so nothing holds it up. */
export function hasSeveralClients(): boolean {
  return performance.now() - another.atMs < PRESENT_MS;
}
