import { RateLimited } from './rate.errors.js';

/** So many tokens of one address, and of all, may wait: some tens of milliseconds, and less than the gateway lets in at once. */
const MAX_WAITING_OF_ADDRESS = 100;
const MAX_WAITING = 1_000;
/** What is told to whom the queue has no place for. */
const AGAIN_MS = 1_000;

/**
 * Verifies tokens that come from addresses with many bad ones. A good one among them cannot be told before its signature is verified, so
 * all of them are, but one at a time in the whole process: a flood of bad signatures costs a part of one processor at most, whatever its
 * size. The addresses take turns, so that none waits for the whole flood of another.
 */
export class VerificationTurns {
  /** The next to have a turn comes first. */
  private readonly waiting = new Map<string, (() => Promise<void>)[]>();
  private count = 0;
  private isRunning = false;

  /** Runs `work` when its turn comes. Throws `RateLimited` where too many wait already. */
  take<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.waiting.get(address) ?? [];
    if (queue.length >= MAX_WAITING_OF_ADDRESS || this.count >= MAX_WAITING) {
      return Promise.reject(new RateLimited(AGAIN_MS));
    }
    this.waiting.set(address, queue);
    this.count += 1;
    const result = new Promise<Result>((resolve, reject) => {
      queue.push(() => work().then(resolve, reject));
    });
    if (!this.isRunning) void this.run();
    return result;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let next = this.next(); next; next = this.next()) await next();
    this.isRunning = false;
  }

  private next(): (() => Promise<void>) | null {
    const [turn] = this.waiting;
    if (!turn) return null;
    const [address, queue] = turn;
    const work = queue.shift() ?? null;
    this.count -= 1;
    this.waiting.delete(address);
    if (queue.length > 0) this.waiting.set(address, queue);
    return work;
  }
}
