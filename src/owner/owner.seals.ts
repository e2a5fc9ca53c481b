import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { customerIdentity } from './owner.row.js';

export const CUSTOMER_SEALED: SealedColumn = {
  table: 'customer',
  key: { customer_id: 'uuid' },
  column: 'sealed',
  identityOf: customerIdentity,
};
