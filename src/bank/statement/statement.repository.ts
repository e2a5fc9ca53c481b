import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { batcher } from '../../platform/repository/batcher.js';
import { transpose, oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { Statement } from './statement.entity.js';
import type { StatementRead } from './statement.row.js';

// Lists of documents are hot: the corrections of all their rows come in one statement.
const CORRECTIONS = keyed(
  'statement_corrections',
  { account_id: 'text', statement_id: 'uuid' },
  ({ k, each }) => `SELECT s.statement_id, ${k.n}::int FROM ${each}statement s
    WHERE s.account_id = ${k.account_id} AND s.corrects_statement_id = ${k.statement_id}`,
);

/**
 * The documents of accounts, the newest first. One never changes and is never deleted, so its id names its place in the
 * list.
 */
export class StatementRepository extends BatchedRepository<Statement, StatementRead> {
  /** The id of the document that corrects one, or null. The key is the account and the document. */
  readonly correctionOf = batcher<readonly [accountId: string, statementId: string], string | null>(async keys => {
    const rows = await this.database.queryTogether<WithOrdinal<[string]>>(CORRECTIONS, transpose(keys));
    return oneByOrdinal(rows, keys.length, ([statementId]) => statementId);
  });

  constructor(database: Database) {
    super(database, Statement, null, {
      parent: 'accountId',
      order: ['statementDate', 'issuedAt', 'statementId'],
      descending: true,
      cursor: 'statementId',
      filter: 'documentType',
    });
  }
}
