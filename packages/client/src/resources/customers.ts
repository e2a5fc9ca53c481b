import type { Customer, CustomerChange, CustomerInput } from '../generated/rest.js';
import type { Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

export class Customers {
  constructor(private readonly rest: Rest) {}

  get(customerId: string, options?: CallOptions): Promise<Customer> {
    return this.rest.call('GET /customers/{customerId}', { path: { customerId }, ...options });
  }

  create(customer: CustomerInput, options?: WriteOptions): Promise<Customer> {
    return this.rest.call('POST /customers', { body: customer, ...options });
  }

  update(customerId: string, patch: CustomerChange, options?: WriteOptions): Promise<Customer> {
    return this.rest.call('PATCH /customers/{customerId}', { path: { customerId }, body: patch, ...options });
  }
}
