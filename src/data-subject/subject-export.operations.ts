import { CustomerNotFound } from '../owner/customer.errors.js';
import { operation } from '../shared/operation.js';

export const EXPORT_CUSTOMER = operation('customer.export', {
  scope: ['operations.read', 'pii.read'],
  refusals: () => [new CustomerNotFound()],
});
