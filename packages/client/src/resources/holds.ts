import type { CaptureRecord, Hold, HoldRecord } from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { Filters, Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

export class Holds {
  constructor(private readonly rest: Rest) {}

  /** The newest first. */
  list(accountId: string, filters?: Filters<'GET /accounts/{accountId}/holds'>, options?: CallOptions): Listing<Hold> {
    const call = { path: { accountId }, query: { ...filters }, ...options };
    return this.rest.list('GET /accounts/{accountId}/holds', call, page => page.holds);
  }

  get(accountId: string, holdId: string, options?: CallOptions): Promise<Hold> {
    return this.rest.call('GET /accounts/{accountId}/holds/{holdId}', { path: { accountId, holdId }, ...options });
  }

  place(accountId: string, hold: HoldRecord, options?: WriteOptions): Promise<Hold> {
    return this.rest.call('POST /accounts/{accountId}/holds', { path: { accountId }, body: hold, ...options });
  }

  /** All that remains of it, unless `amount` says less. */
  capture(accountId: string, holdId: string, capture: CaptureRecord = {}, options?: WriteOptions): Promise<Hold> {
    const call = { path: { accountId, holdId }, body: capture, ...options };
    return this.rest.call('POST /accounts/{accountId}/holds/{holdId}/capture', call);
  }

  release(accountId: string, holdId: string, options?: WriteOptions): Promise<Hold> {
    const path = { accountId, holdId };
    return this.rest.call('POST /accounts/{accountId}/holds/{holdId}/release', { path, ...options });
  }
}
