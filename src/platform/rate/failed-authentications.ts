import { LRUCache } from 'lru-cache';
import { RateLimited } from './rate.errors.js';

const WINDOW_MS = 60_000;
/** Addresses that are remembered. An attacker with more of them is not held up by a limit on each. */
const MAX_ADDRESSES = 50_000;

/**
 * Counts credentials that did not hold, by address, in windows of a minute. Whoever has sent too many is told of the limit in place of what
 * was wrong, and waits for others with the next one: see `Gate`. Each process counts for itself.
 */
export class FailedAuthentications {
  private readonly failures = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: WINDOW_MS });

  constructor(private readonly perMinute: number) {}

  /** Whether nobody has failed lately, so that no address has to be found out. */
  get none(): boolean {
    return this.failures.size === 0;
  }

  /** What an address with too many failures is refused with; null for any other. */
  limit(address: string): RateLimited | null {
    const found = this.failures.get(address);
    return found && found.count >= this.perMinute ? new RateLimited(this.failures.getRemainingTTL(address)) : null;
  }

  /** Counts one. True for the one after which the address is limited. */
  count(address: string): boolean {
    const found = this.failures.get(address);
    if (!found) this.failures.set(address, { count: 1 });
    else found.count += 1;
    return (found?.count ?? 1) === this.perMinute;
  }
}
