import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { beneficiaryIdentity } from './beneficiary.row.js';

export const BENEFICIARY_SEALED: SealedColumn = {
  table: 'beneficiary',
  key: { account_id: 'text', beneficiary_id: 'uuid' },
  column: 'sealed',
  identityOf: beneficiaryIdentity,
};
