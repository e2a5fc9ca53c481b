import { CustomerNotFound, operation } from 'tillgate/noun';

export const EXPORT_CUSTOMER = operation('customer.export', {
  scope: ['operations.read', 'pii.read'],
  refusals: () => [new CustomerNotFound()],
});
