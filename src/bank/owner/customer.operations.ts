import { PreconditionFailed } from '../../shared/errors.js';
import { operation } from '../../shared/operation.js';
import { CustomerErased, CustomerExists, CustomerNotFound } from './customer.errors.js';

export const READ_CUSTOMERS = operation('customer.read', { scope: 'operations.read' });

export const CREATE_CUSTOMER = operation('customer.create', {
  scope: 'operations',
  refusals: () => [new CustomerExists()],
});

export const UPDATE_CUSTOMER = operation('customer.update', {
  scope: 'operations',
  refusals: () => [new CustomerNotFound(), new CustomerErased(), new PreconditionFailed()],
});
