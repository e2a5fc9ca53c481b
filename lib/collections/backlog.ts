import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BacklogOptions<Item> {
  /** The number of items that may wait. */
  readonly most: number;
  /** The number of items that are done at once. */
  readonly batch: number;
  /** The time for which the first item waits for others. */
  readonly gatherMs: number;
  /** The pause after a temporary failure. */
  readonly retryMs: number;
  readonly work: (items: readonly Item[]) => Promise<void>;
  /** True if the same items may succeed later. Otherwise they are lost. */
  readonly passes: (error: unknown) => boolean;
  /** Called for items that will never be done: too many waited, they failed for good, or there was no time left. */
  readonly lost: (count: number, reason: unknown) => void;
}

// A batch belongs to many callers, so it must not run in the async context (deadline, trace) of the first of them.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** Work that no caller waits for. It is done in batches, one after another, in the order in which it was added. */
export class Backlog<Item> {
  private readonly waiting: Item[] = [];
  private running: Promise<void> | null = null;
  private readonly hurry = new AbortController();

  constructor(private readonly options: BacklogOptions<Item>) {}

  add(item: Item): void {
    if (this.waiting.length >= this.options.most) return this.options.lost(1, new Error('too many are waiting'));
    this.waiting.push(item);
    this.running ??= outsideOfRequests(() => this.run());
  }

  /** Resolves when every item is done or lost. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Does what waits now, without gathering more. Items that are not done in time are lost. */
  async close(withinMs: number): Promise<void> {
    this.hurry.abort();
    const late = new AbortController();
    await Promise.race([this.settled(), sleep(withinMs, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    this.lose(this.waiting.length, new Error('the process stops'));
  }

  private async run(): Promise<void> {
    const { batch, gatherMs, retryMs, work, passes } = this.options;
    await this.pause(gatherMs);
    while (this.waiting.length > 0) {
      const items = this.waiting.slice(0, batch);
      try {
        await work(items);
        this.waiting.splice(0, items.length);
      } catch (error) {
        if (passes(error)) await sleep(retryMs);
        else this.lose(items.length, error);
      }
    }
    this.running = null;
  }

  private lose(count: number, reason: unknown): void {
    const lost = this.waiting.splice(0, count).length;
    if (lost > 0) this.options.lost(lost, reason);
  }

  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.hurry.signal }).catch(() => undefined);
  }
}
