import { FairQueue } from '../../../lib/collections/fair-queue.js';
import type { PlaceShares } from '../../../lib/collections/shared-places.js';
import { Refusal } from '../../shared/errors.js';

/** The caller has used what it may use for now. Nothing was done. */
export class RateLimited extends Refusal {
  readonly code = 'rate_limited';
  override readonly retryAfterSeconds: number;
  constructor(afterMs: number) {
    super(
      'The client has sent more requests than its limit allows. Nothing was done. Try again after the seconds in Retry-After.',
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}

/** When to try again after a queue had no place. */
const QUEUE_FULL_MS = 1_000;

/** A queue for work that holds up the whole process. Rejects with `RateLimited` when too much waits already. */
export function queueOf(places: PlaceShares): FairQueue {
  return new FairQueue({ places, full: () => new RateLimited(QUEUE_FULL_MS) });
}
