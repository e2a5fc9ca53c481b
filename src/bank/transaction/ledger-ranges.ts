import type { AccountView } from '../account/account.entity.js';
import { VIEWER_COLUMNS, viewerValues, visibleToEach, type AccountViewer } from '../account/account.service.js';
import { batcher } from '../../platform/repository/batcher.js';
import { byOrdinal, transpose, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import type { TransactionRead } from './transaction.entity.js';
import type { TransactionRepository } from './transaction.repository.js';

/** `size` entries from number `high` downwards, with their lists or without. */
export interface LedgerRange {
  readonly high: number;
  readonly size: number;
  readonly lists: boolean;
}

/**
 * A range of an account of which it is not known yet whether the caller sees it, nor how long its ledger is: `size`
 * entries downwards from number `bound`, or from the end of the ledger if that is before, without the first `skip` of
 * them.
 */
export interface UncheckedRange extends AccountViewer {
  readonly bound: number;
  readonly skip: number;
  readonly size: number;
  readonly lists: boolean;
}

/** A range that is being prefetched, before it is known whether the caller sees the account. */
export interface RangePrefetch extends UncheckedRange {
  readonly rows: Promise<readonly Row[]>;
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
  private readonly checked: (key: RangeKey) => Promise<Row[]>;
  private readonly unchecked: (key: UncheckedRange) => Promise<Row[]>;

  constructor(
    private readonly database: Database,
    private readonly repository: TransactionRepository,
  ) {
    const checked = keyed(
      'transaction_ranges',
      { account_id: 'text', high: 'int8', low: 'int8', lists: 'bool' },
      ({ k, rowsOf }) => rowsOf(repository.columns('t', k.lists), rangeOf(k.account_id, k.high, k.low)),
    );
    const unchecked = keyed(
      'transaction_ranges_ahead',
      { ...VIEWER_COLUMNS, bound: 'int8', skip: 'int8', size: 'int8', lists: 'bool' },
      build => {
        const { k, each } = build;
        const high = `LEAST(${k.bound}, a.last_seq) - ${k.skip}`;
        return `SELECT ${repository.columns('t', k.lists)}, ${k.n}::int FROM ${each}account a
          CROSS JOIN LATERAL (SELECT * FROM ${rangeOf(k.account_id, high, `${high} - ${k.size}`)}) t
          WHERE a.account_id = ${k.account_id} AND ${visibleToEach(build)}`;
      },
      { isAhead: true },
    );
    this.checked = batcher(keys =>
      this.rows(
        checked,
        keys.map(({ accountId, high, size, lists }) => [accountId, high, Math.max(0, high - size), lists]),
      ),
    );
    this.unchecked = batcher(keys =>
      this.rows(
        unchecked,
        keys.map(key => [...viewerValues(key), key.bound, key.skip, key.size, key.lists]),
      ),
    );
  }

  /** A range of an account that the caller sees. What was prefetched is used if it has this range. */
  async read(account: AccountView, range: LedgerRange, prefetch: RangePrefetch | null): Promise<TransactionRead[]> {
    if (range.high < 1 || range.size < 1) return [];
    const prefetched = prefetch && (await this.prefetched(account, range, prefetch));
    return prefetched ?? this.readsOf(await this.checked({ ...range, accountId: account.accountId }), account);
  }

  prefetch(range: UncheckedRange): RangePrefetch {
    const rows = this.unchecked(range);
    // `read` reports the failure. If the account turns out not to be visible, nothing awaits the rows.
    rows.catch(() => undefined);
    return { ...range, rows };
  }

  private async prefetched(
    account: AccountView,
    { high, size, lists }: LedgerRange,
    prefetch: RangePrefetch,
  ): Promise<TransactionRead[] | null> {
    if (prefetch.accountId !== account.accountId || prefetch.lists !== lists || prefetch.size < size) return null;
    const reads = this.readsOf(await prefetch.rows, account);
    // It begins with another number if something was posted in between, and is empty if the account became visible
    // only then.
    return reads[0]?.seq === high ? reads.slice(0, size) : null;
  }

  private readsOf(rows: readonly Row[], account: AccountView): TransactionRead[] {
    return rows.map(row => this.repository.read(row, account));
  }

  private async rows(statement: Statement, keys: readonly (readonly unknown[])[]): Promise<Row[][]> {
    const rows = await this.database.queryTogether<WithOrdinal<unknown[]>>(statement, transpose(keys));
    return byOrdinal(rows, keys.length, row => row);
  }
}
