import type { AccountView } from '../account/account.entity.js';
import { batcher } from '../../platform/repository/batcher.js';
import { byOrdinal, transpose, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import type { TransactionRead } from './transaction.entity.js';
import type { TransactionRepository } from './transaction.repository.js';

/** `size` entries from number `high` downwards, with their lists or without. */
export interface LedgerRange {
  readonly high: number;
  readonly size: number;
  readonly lists: boolean;
}

type Row = readonly unknown[];

interface RangeKey extends LedgerRange {
  readonly accountId: string;
}

// The numbers have no gaps, so page N is a range of the primary key, and costs the same however deep it is. Without
// the limit PostgreSQL could not know how short the ranges are, and would read the whole table where one account is
// large. Each range is read in its own order, so the rows need not be sorted.
const rangeOf = (accountId: string, high: string, low: string): string =>
  `transaction t WHERE t.account_id = ${accountId} AND t.seq <= ${high} AND t.seq > ${low}
    ORDER BY t.seq DESC LIMIT ${MAX_PAGE_SIZE + 1}`;

/** Reads ranges of ledgers, for all requests of the process together. */
export class LedgerRanges {
  private readonly ranges: (key: RangeKey) => Promise<Row[]>;

  constructor(
    database: Database,
    private readonly repository: TransactionRepository,
  ) {
    const statement = keyed(
      'transaction_ranges',
      { account_id: 'text', high: 'int8', low: 'int8', lists: 'bool' },
      ({ k, rowsOf }) => rowsOf(repository.columns('t', k.lists), rangeOf(k.account_id, k.high, k.low)),
    );
    this.ranges = batcher(async keys => {
      const values = keys.map(({ accountId, high, size, lists }) => [accountId, high, Math.max(0, high - size), lists]);
      const rows = await database.queryTogether<WithOrdinal<unknown[]>>(statement, transpose(values));
      return byOrdinal(rows, keys.length, row => row);
    });
  }

  /** A range of an account that the caller sees. */
  async read(account: AccountView, range: LedgerRange): Promise<TransactionRead[]> {
    if (range.high < 1 || range.size < 1) return [];
    const rows = await this.ranges({ ...range, accountId: account.accountId });
    return rows.map(row => this.repository.read(row, account));
  }
}
