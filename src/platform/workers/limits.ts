import { LRUCache } from 'lru-cache';

/** The use of a key in its present window. */
export interface WindowUsage {
  readonly count: number;
  /** Until the window ends. */
  readonly resetMs: number;
}

/** Counts uses by key, in windows that begin with the first use of the key. */
export interface Tally {
  /** Gives the count with these uses. A negative number takes uses back. */
  add(key: string, uses: number): Promise<WindowUsage>;
}

export interface TallyOrder {
  readonly windowMs: number;
  /** The number of keys that are remembered. A further one takes the place of the one that was used least recently. */
  readonly maxKeys: number;
}

export class LocalTally implements Tally {
  private readonly counts: LRUCache<string, { count: number }>;

  constructor({ windowMs, maxKeys }: TallyOrder) {
    this.counts = new LRUCache({ max: maxKeys, ttl: windowMs });
  }

  async add(key: string, uses: number): Promise<WindowUsage> {
    return this.addNow(key, uses);
  }

  addNow(key: string, uses: number): WindowUsage {
    const stored = this.counts.get(key);
    const counted = stored ?? { count: 0 };
    counted.count = Math.max(0, counted.count + uses);
    if (!stored) this.counts.set(key, counted);
    return { count: counted.count, resetMs: this.counts.getRemainingTTL(key) };
  }
}

/** Places that are taken for a while, such as those of open subscriptions. */
export interface PlaceLimits {
  readonly max: number;
  readonly maxPerClient: number;
}

/** The limit that leaves no place. */
export type ReachedLimit = 'all' | 'client';

export interface PlaceLimiter {
  /** Takes a place. Gives the function that gives it back, or the limit that is reached. */
  take(client: string): Promise<(() => void) | ReachedLimit>;
}

export class LocalPlaces implements PlaceLimiter {
  private taken = 0;
  private readonly byClient = new Map<string, number>();

  constructor(private readonly limits: PlaceLimits) {}

  async take(client: string): Promise<(() => void) | ReachedLimit> {
    return this.takeNow(client, this.limits) ?? (() => this.giveBack(client));
  }

  /** Null where a place was taken. */
  takeNow(client: string, { max, maxPerClient }: PlaceLimits): ReachedLimit | null {
    const ofClient = this.byClient.get(client) ?? 0;
    if (this.taken >= max) return 'all';
    if (ofClient >= maxPerClient) return 'client';
    this.taken += 1;
    this.byClient.set(client, ofClient + 1);
    return null;
  }

  giveBack(client: string): void {
    const left = (this.byClient.get(client) ?? 0) - 1;
    this.taken -= 1;
    if (left > 0) this.byClient.set(client, left);
    else this.byClient.delete(client);
  }
}
