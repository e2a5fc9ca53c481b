import type { AddedOwners, RemovedOwners } from '../generated/rest.js';
import type { Rest } from '../rest.js';
import type { WriteOptions } from '../transport.js';

export class Owners {
  constructor(private readonly rest: Rest) {}

  /** One result for each customer, in this order. A customer who cannot be added does not affect the others. */
  async add(
    accountId: string,
    customerIds: readonly string[],
    options?: WriteOptions,
  ): Promise<AddedOwners['holders']> {
    const call = { path: { accountId }, body: holders(customerIds), ...options };
    return (await this.rest.call('POST /accounts/{accountId}/owners/add', call)).holders;
  }

  async remove(
    accountId: string,
    customerIds: readonly string[],
    options?: WriteOptions,
  ): Promise<RemovedOwners['holders']> {
    const call = { path: { accountId }, body: holders(customerIds), ...options };
    return (await this.rest.call('POST /accounts/{accountId}/owners/remove', call)).holders;
  }
}

function holders(customerIds: readonly string[]) {
  return { holders: customerIds.map(customerId => ({ customerId })) };
}
