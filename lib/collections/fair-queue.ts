import { hasPlace, type PlaceShares } from './shared-places.js';
import { TurnList, type Sharer } from './turn-list.js';

export interface FairQueueLimits {
  /** The most work that may wait at a time. */
  readonly places: PlaceShares;
  /** The error for work that finds no place. */
  readonly full: () => Error;
}

/** Does work one piece at a time. Sharers take turns, so that none waits for all the work of another. */
export class FairQueue {
  private readonly waiting = new TurnList<() => Promise<void>>();
  private isRunning = false;

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Does `work` after earlier work. Rejects with the error of `full` where too much waits already, unless it is a part
   * of work that has begun.
   */
  run<Result>(sharer: Sharer, work: () => Promise<Result>, hasBegun = false): Promise<Result> {
    const { waiting } = this;
    const { places, full } = this.limits;
    if (!hasBegun && !hasPlace(places, level => waiting.sizeOf(sharer.slice(0, level)))) return Promise.reject(full());
    const result = new Promise<Result>((resolve, reject) => {
      waiting.add(sharer, () => work().then(resolve, reject));
    });
    if (!this.isRunning) void this.runAll();
    return result;
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    for (let next = this.waiting.next(); next; next = this.waiting.next()) await next();
    this.isRunning = false;
  }
}
