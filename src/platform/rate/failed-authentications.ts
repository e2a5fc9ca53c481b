import { LRUCache } from 'lru-cache';
import { RateLimited } from './rate.errors.js';

const WINDOW_MS = 60_000;
/** Addresses that are remembered. An attacker with more of them is not held up by a limit on each. */
const MAX_ADDRESSES = 50_000;

/**
 * Counts credentials that did not hold, by address, in windows of a minute. Whoever has sent too many is refused before the next one is
 * looked at: verifying a signature costs a hundred times of what refusing costs. Each process counts for itself.
 */
export class FailedAuthentications {
  private readonly failures = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: WINDOW_MS });

  constructor(private readonly perMinute: number) {}

  /** Whether nobody has failed lately, so that no address has to be found out. */
  get none(): boolean {
    return this.failures.size === 0;
  }

  /** Throws `RateLimited` for an address with too many failures. */
  refuse(address: string): void {
    const found = this.failures.get(address);
    if (found && found.count >= this.perMinute) throw new RateLimited(this.failures.getRemainingTTL(address));
  }

  /** Counts one. True for the one after which the address is refused. */
  count(address: string): boolean {
    const found = this.failures.get(address);
    if (!found) this.failures.set(address, { count: 1 });
    else found.count += 1;
    return (found?.count ?? 1) === this.perMinute;
  }
}
