import type { SealedColumn } from '../crypto/sealed-column.js';
import { outcomeIdentity } from './idempotency-record.js';

export const OUTCOME_SEALED: SealedColumn = {
  table: 'idempotency_key',
  key: { key_hash: 'bytea' },
  column: 'outcome',
  // PostgreSQL shows bytes as \x and their hexadecimal digits.
  identityOf: (keyHash: string) => outcomeIdentity(Buffer.from(keyHash.slice(2), 'hex')),
};
