import { LRUCache } from 'lru-cache';
import { RateLimited } from './rate-limited.js';

const WINDOW_MS = 60_000;
/** Addresses that are remembered. A limit on each address does not stop an attacker who has more of them. */
const MAX_ADDRESSES = 50_000;

/**
 * Counts invalid credentials by address, in windows of a minute. An address with too many is answered with the limit
 * instead of the reason, and its next credentials are verified one at a time: see `Gate`. Each process counts for
 * itself.
 */
export class FailedAuthentications {
  private readonly failures = new LRUCache<string, { count: number }>({ max: MAX_ADDRESSES, ttl: WINDOW_MS });

  constructor(private readonly perMinute: number) {}

  /** Whether nobody has failed lately, so that the address of a request need not be computed. */
  get none(): boolean {
    return this.failures.size === 0;
  }

  /** The refusal for an address with too many failures; null for any other. */
  limit(address: string): RateLimited | null {
    const found = this.failures.get(address);
    return found && found.count >= this.perMinute ? new RateLimited(this.failures.getRemainingTTL(address)) : null;
  }

  /** Counts one failure. True for the one after which the address is limited. */
  count(address: string): boolean {
    const found = this.failures.get(address);
    if (!found) this.failures.set(address, { count: 1 });
    else found.count += 1;
    return (found?.count ?? 1) === this.perMinute;
  }
}
