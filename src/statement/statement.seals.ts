import type { SealedColumn } from '../platform/crypto/sealed-column.js';
import { statementIdentity } from './statement.vault.js';

export const STATEMENT_SEALED: SealedColumn = {
  table: 'statement',
  key: { account_id: 'text', statement_id: 'uuid' },
  column: 'sealed_key',
  identityOf: statementIdentity,
};
