export interface FairQueueLimits {
  /** How much work may wait under one key. */
  readonly ofKey: number;
  /** How much work may wait in all. */
  readonly inAll: number;
  /** The error for work that finds no place. */
  readonly full: () => Error;
}

/** Does work one piece at a time. The keys take turns, so that none waits for all the work of another. */
export class FairQueue {
  /** The key that is served next comes first. */
  private readonly waiting = new Map<string, (() => Promise<void>)[]>();
  private count = 0;
  private isRunning = false;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Does `work` after earlier work. Rejects with the error of `full` where too much waits already. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.waiting.get(key) ?? [];
    const { ofKey, inAll, full } = this.limits;
    if (queue.length >= ofKey || this.count >= inAll) return Promise.reject(full());
    this.waiting.set(key, queue);
    this.count += 1;
    const result = new Promise<Result>((resolve, reject) => {
      queue.push(() => work().then(resolve, reject));
    });
    if (!this.isRunning) void this.runAll();
    return result;
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    for (let next = this.next(); next; next = this.next()) await next();
    this.isRunning = false;
  }

  private next(): (() => Promise<void>) | null {
    const [first] = this.waiting;
    if (!first) return null;
    const [key, queue] = first;
    const work = queue.shift() ?? null;
    this.count -= 1;
    this.waiting.delete(key);
    if (queue.length > 0) this.waiting.set(key, queue);
    return work;
  }
}
