import type {
  Transfer,
  TransferLimits,
  TransferLimitsPatchRecord,
  TransferRecord,
  TransferResult,
} from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { Filters, Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

type ListRoute = 'GET /accounts/{accountId}/transfers';

export class Transfers {
  constructor(private readonly rest: Rest) {}

  /** From and to an account, the newest first. */
  list(accountId: string, filters?: Filters<ListRoute>, options?: CallOptions): Listing<Transfer> {
    const call = { path: { accountId }, query: { ...filters }, ...options };
    return this.rest.list('GET /accounts/{accountId}/transfers', call, page => page.transfers);
  }

  get(transferId: string, options?: CallOptions): Promise<Transfer> {
    return this.rest.call('GET /transfers/{transferId}', { path: { transferId }, ...options });
  }

  make(transfer: TransferRecord, options?: WriteOptions): Promise<Transfer> {
    return this.rest.call('POST /transfers', { body: transfer, ...options });
  }

  /** Up to 100, each of which is made or refused by itself. */
  async makeSeveral(transfers: readonly TransferRecord[], options?: WriteOptions): Promise<readonly TransferResult[]> {
    return (await this.rest.call('POST /transfers/batch', { body: { transfers }, ...options })).results;
  }

  reverse(transferId: string, reason: string, options?: WriteOptions): Promise<Transfer> {
    const call = { path: { transferId }, body: { reason }, ...options };
    return this.rest.call('POST /transfers/{transferId}/reverse', call);
  }

  /** Returns what may leave an account, and what is left of it. */
  limits(accountId: string, options?: CallOptions): Promise<TransferLimits> {
    return this.rest.call('GET /accounts/{accountId}/transfer-limits', { path: { accountId }, ...options });
  }

  /** Null means the limit of the program again. */
  setLimits(accountId: string, limits: TransferLimitsPatchRecord, options?: WriteOptions): Promise<TransferLimits> {
    const call = { path: { accountId }, body: limits, ...options };
    return this.rest.call('PATCH /accounts/{accountId}/transfer-limits', call);
  }
}
