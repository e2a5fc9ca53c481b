import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import { BatchedRepository } from '../platform/repository/batched-repository.js';
import { Statement } from './statement.entity.js';
import type { StatementRead } from './statement.row.js';

/**
 * The documents of accounts, the newest first. One never changes and is never deleted, so its id names its place in the
 * list.
 */
export class StatementRepository extends BatchedRepository<Statement, StatementRead> {
  constructor(database: Database, keys: KeyRing) {
    super(database, Statement, keys, {
      parent: 'accountId',
      order: ['statementDate', 'issuedAt', 'statementId'],
      descending: true,
      cursor: 'statementId',
      filter: 'documentType',
    });
  }
}
