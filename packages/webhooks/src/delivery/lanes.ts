import type { DueDelivery } from './deliverable.js';

/** The number of deliveries of one lane. Further ones are held in the database, so that others behind them are not. */
const MAX_OF_LANE = 32;
/** The number of lanes that are held up and known. While there are more, nothing new is sent. */
export const MAX_LANES = 5000;

interface Lane {
  readonly name: string;
  queue: DueDelivery[];
  /** The one that is being sent. */
  current: DueDelivery | null;
  /** When the first one of the lane may be tried again; null where none failed. */
  dueMs: number | null;
  /** True if the database holds more of the lane, which come before all that is not loaded. */
  hasHeld: boolean;
  /** True if that is on record. */
  isSaved: boolean;
}

/**
 * The deliveries of one endpoint, in lanes of which each is sent in order and one at a time. A lane that fails holds
 * only itself: what it has is held in the database until it is due.
 */
export class Lanes {
  private lanes = new Map<string, Lane>();
  /** Lanes of which one can be sent, in the order in which they became so. */
  private readonly ready = new Set<Lane>();
  private loaded = 0;
  private failing = 0;
  /** True if there were more lanes that are held than are known. */
  private isCut = false;

  /** True if there is nothing to be sent here, now or later. */
  get isEmpty(): boolean {
    return this.lanes.size === 0 && !this.isCut;
  }

  get hasReady(): boolean {
    return this.ready.size > 0;
  }

  /** When the first lane that failed is due, in milliseconds since 1970; `Infinity` for none. */
  get dueMs(): number {
    if (this.failing === 0) return Infinity;
    let dueMs = Infinity;
    for (const lane of this.lanes.values()) if (lane.dueMs !== null) dueMs = Math.min(dueMs, lane.dueMs);
    return dueMs;
  }

  /** The number of deliveries that are in memory and not being sent. */
  get size(): number {
    return this.loaded;
  }

  /** True if new lanes may begin. */
  get takesMore(): boolean {
    return !this.isCut && this.lanes.size < MAX_LANES;
  }

  /**
   * Begins anew with the lanes that the database holds, but for those of which one is being sent or of which the
   * database does not know yet that they failed.
   */
  reset(held: readonly (readonly [lane: string, dueMs: number | null])[]): void {
    const lanesLeft = [...this.lanes.values()].filter(lane => lane.current !== null || !lane.isSaved);
    this.ready.clear();
    this.lanes = new Map(lanesLeft.map(lane => [lane.name, lane]));
    for (const lane of lanesLeft) lane.queue = [];
    this.loaded = 0;
    this.failing = lanesLeft.filter(lane => lane.dueMs !== null).length;
    for (const [name, dueMs] of held) {
      const lane = this.laneOf(name);
      lane.hasHeld = true;
      if (lane.current === null && lane.isSaved) this.setDue(lane, dueMs);
    }
    this.isCut = held.length >= MAX_LANES;
  }

  /** True if the lanes of the database should be looked at again, since not all of them were. */
  get shouldReset(): boolean {
    return this.isCut && this.lanes.size < MAX_LANES / 2;
  }

  /**
   * Takes what comes next in the feed. Gives those that the database has to hold. If it holds one of a lane, it holds
   * all before it that are not delivered, so that another process that takes over begins with the first of them.
   */
  add(deliverables: readonly DueDelivery[]): DueDelivery[] {
    const held: DueDelivery[] = [];
    for (const deliverable of deliverables) {
      const lane = this.laneOf(deliverable.lane);
      const isFull = lane.queue.length >= MAX_OF_LANE;
      if (isFull && !lane.hasHeld) held.push(...(lane.current ? [lane.current] : []), ...lane.queue);
      if (isFull || lane.hasHeld || lane.dueMs !== null) {
        lane.hasHeld = true;
        held.push(deliverable);
      } else {
        this.push(lane, deliverable);
      }
    }
    return held;
  }

  /** Lanes that can go on with what the database holds: at most so many. */
  toContinue(nowMs: number, most: number): string[] {
    const names: string[] = [];
    for (const { name, queue, current, dueMs, hasHeld, isSaved } of this.lanes.values()) {
      if (names.length === most) break;
      const isDue = dueMs === null || dueMs <= nowMs;
      if (hasHeld && isDue && isSaved && current === null && queue.length === 0) names.push(name);
    }
    return names;
  }

  static readonly CONTINUE_ROOM = MAX_OF_LANE;

  /**
   * Goes on with what the database holds of a lane: all of it, or the first `CONTINUE_ROOM`. Those that `isKnown` were
   * sent, and the database does not know it yet.
   */
  continue(
    name: string,
    deliverables: readonly DueDelivery[],
    nowMs: number,
    isKnown: (deliverable: DueDelivery) => boolean,
  ): void {
    const lane = this.lanes.get(name);
    if (!lane) return;
    lane.hasHeld = deliverables.length === MAX_OF_LANE;
    this.setDue(lane, null);
    for (const deliverable of deliverables) {
      if (isKnown(deliverable)) continue;
      if (deliverable.dueMs !== null && deliverable.dueMs > nowMs) {
        // Somebody has sent an earlier event again: the one that failed still waits for its time.
        lane.hasHeld = true;
        if (lane.queue.length === 0) this.setDue(lane, deliverable.dueMs);
        return;
      }
      this.push(lane, deliverable);
    }
    this.forgetIfEmpty(lane);
  }

  /** The next one to be sent, or null. Its lane is busy until `succeed`, `fail` or `giveUp` is called. */
  take(): DueDelivery | null {
    const [lane] = this.ready;
    if (!lane) return null;
    this.ready.delete(lane);
    lane.current = lane.queue.shift() ?? null;
    this.loaded -= 1;
    return lane.current;
  }

  /** The lane goes on with its next one. */
  succeed({ lane: name }: DueDelivery): void {
    const lane = this.laneOf(name);
    lane.current = null;
    if (lane.queue.length > 0) this.ready.add(lane);
    else this.forgetIfEmpty(lane);
  }

  /**
   * The lane is held until the one that failed is due. Gives the others of the lane, which the database has to hold;
   * `saved` must be called when it does.
   */
  fail({ lane: name }: DueDelivery, dueMs: number): { readonly followers: string[]; readonly saved: () => void } {
    const lane = this.laneOf(name);
    const followers = lane.queue.map(({ deliveryId }) => deliveryId);
    this.loaded -= lane.queue.length;
    [lane.queue, lane.current, lane.hasHeld, lane.isSaved] = [[], null, true, false];
    this.setDue(lane, dueMs);
    return { followers, saved: () => (lane.isSaved = true) };
  }

  private push(lane: Lane, deliverable: DueDelivery): void {
    lane.queue.push(deliverable);
    this.loaded += 1;
    if (lane.current === null) this.ready.add(lane);
  }

  private laneOf(name: string): Lane {
    const existing = this.lanes.get(name);
    if (existing) return existing;
    const lane = { name, queue: [], current: null, dueMs: null, hasHeld: false, isSaved: true };
    this.lanes.set(name, lane);
    return lane;
  }

  private setDue(lane: Lane, dueMs: number | null): void {
    this.failing += (dueMs === null ? 0 : 1) - (lane.dueMs === null ? 0 : 1);
    lane.dueMs = dueMs;
  }

  private forgetIfEmpty(lane: Lane): void {
    const { queue, current, hasHeld, dueMs, name } = lane;
    if (queue.length === 0 && current === null && !hasHeld && dueMs === null) this.lanes.delete(name);
  }
}
