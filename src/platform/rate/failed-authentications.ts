import { LRUCache } from 'lru-cache';
import type { Tally, TallyOrder } from '../workers/limits.js';
import { RateLimited } from './rate-limited.js';

/** Addresses are counted by the minute. A limit on each address does not stop an attacker who has more of them. */
export const BY_ADDRESS: TallyOrder = { windowMs: 60_000, maxKeys: 50_000 };

/** The consequence of a failure for the next one. */
export interface Failure {
  /** True if it is the one after which the address is limited. */
  readonly isLast: boolean;
  /** The refusal of this failure, if the address was limited before, which another process may have found. */
  readonly limit: RateLimited | null;
}

/**
 * Counts invalid credentials by address. An address with too many is answered with the limit instead of the reason, and
 * its next credentials are verified one at a time: see `Gate`.
 */
export class FailedAuthentications {
  /** Addresses that are known here to be limited. */
  private readonly limited = new LRUCache<string, true>({ max: BY_ADDRESS.maxKeys, ttl: BY_ADDRESS.windowMs });

  constructor(
    private readonly perMinute: number,
    private readonly tally: Tally,
  ) {}

  /** True if no address is limited now, so that the address of a request need not be computed. */
  get none(): boolean {
    return this.limited.size === 0;
  }

  /** The refusal for an address with too many failures; null for any other. */
  limit(address: string): RateLimited | null {
    return this.limited.has(address) ? new RateLimited(this.limited.getRemainingTTL(address)) : null;
  }

  async count(address: string): Promise<Failure> {
    const { count, resetMs } = await this.tally.add(address, 1);
    if (count >= this.perMinute) this.limited.set(address, true, { ttl: Math.max(1, resetMs) });
    return { isLast: count === this.perMinute, limit: count > this.perMinute ? new RateLimited(resetMs) : null };
  }
}
