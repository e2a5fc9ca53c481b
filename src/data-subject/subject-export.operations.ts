import { CustomerNotFound } from '../bank/owner/customer.errors.js';
import { operation } from '../shared/operation.js';

export const EXPORT_CUSTOMER = operation('customer.export', {
  scope: ['operations.read', 'pii.read'],
  refusals: () => [new CustomerNotFound()],
});
