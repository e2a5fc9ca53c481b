import { CustomerErased, CustomerNotFound, PreconditionFailed, operation } from 'tillgate/noun';
import { CustomerInUse } from './erasure.errors.js';

export const ERASE_CUSTOMER = operation('customer.erase', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new CustomerNotFound(),
    new CustomerErased(),
    new CustomerInUse({ accountIds: ['demo-1001'], cardIds: [], keptAccounts: [] }),
    new PreconditionFailed(),
  ],
});
