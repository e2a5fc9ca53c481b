import type { AccountView } from '../account/account.entity.js';
import { VISIBLE_TO_EACH, type Sight } from '../account/account.service.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import type { Statement } from '../../lib/pg-wire/statement.js';
import { MAX_PAGE_SIZE } from '../shared/page.js';
import { TransactionRead, transactionColumns, type TransactionRow } from './transaction.row.js';

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
export interface UncheckedRange extends Sight {
  readonly bound: number;
  readonly skip: number;
  readonly size: number;
  readonly lists: boolean;
}

/** Such a range while it is being read. */
export interface RangeAhead extends UncheckedRange {
  readonly rows: Promise<readonly TransactionRow[]>;
}

interface RangeKey extends LedgerRange {
  readonly accountId: string;
}

// The numbers have no gaps, so page N is a range of the primary key, and costs the same however deep it is. Without
// the limit PostgreSQL could not know how short the ranges are, and would read the whole table where one account is
// large. Each range is read in its own order, so the rows need not be sorted.
const rangesOf = (keys: string, high: string, low: string): string =>
  `SELECT ${transactionColumns('k.lists')}, k.n::int FROM ${keys} CROSS JOIN LATERAL (
    SELECT * FROM transaction t WHERE t.account_id = k.account_id AND t.seq <= ${high} AND t.seq > ${low}
    ORDER BY t.seq DESC LIMIT ${MAX_PAGE_SIZE + 1}
  ) t`;

const CHECKED: Statement = {
  name: 'transaction_ranges',
  text: rangesOf(
    'unnest($1::text[], $2::int8[], $3::int8[], $4::bool[]) WITH ORDINALITY k(account_id, high, low, lists, n)',
    'k.high',
    'k.low',
  ),
};

const UNCHECKED: Statement = {
  name: 'transaction_ranges_ahead',
  text: rangesOf(
    `unnest($1::text[], $2::text[], $3::uuid[], $4::int8[], $5::int8[], $6::int8[], $7::bool[])
      WITH ORDINALITY k(account_id, program, customer_id, bound, skip, size, lists, n)
    JOIN account a ON a.account_id = k.account_id AND ${VISIBLE_TO_EACH}`,
    'LEAST(k.bound, a.last_seq) - k.skip',
    'LEAST(k.bound, a.last_seq) - k.skip - k.size',
  ),
};

/** Reads ranges of ledgers, for all requests of the process together. */
export class LedgerRanges {
  private readonly checked = batcher<RangeKey, TransactionRow[]>(keys =>
    this.rowsOf(CHECKED, [
      keys.map(key => key.accountId),
      keys.map(key => key.high),
      keys.map(key => Math.max(0, key.high - key.size)),
      keys.map(key => key.lists),
    ]),
  );

  private readonly unchecked = batcher<UncheckedRange, TransactionRow[]>(keys =>
    this.rowsOf(UNCHECKED, [
      keys.map(key => key.accountId),
      keys.map(key => key.program),
      keys.map(key => key.customerId),
      keys.map(key => key.bound),
      keys.map(key => key.skip),
      keys.map(key => key.size),
      keys.map(key => key.lists),
    ]),
  );

  constructor(private readonly database: Database) {}

  /** A range of an account that the caller sees. What was read `ahead` is used if it has this range. */
  async read(account: AccountView, range: LedgerRange, ahead: RangeAhead | null): Promise<TransactionRead[]> {
    if (range.high < 1 || range.size < 1) return [];
    const { accountId } = account;
    const rows = (ahead && (await rowsAhead(accountId, range, ahead))) ?? (await this.checked({ ...range, accountId }));
    return rows.map(row => new TransactionRead(row, account));
  }

  begin(range: UncheckedRange): RangeAhead {
    const rows = this.unchecked(range);
    // `read` reports the failure. If the account turns out not to be visible, nothing awaits the rows.
    rows.catch(() => undefined);
    return { ...range, rows };
  }

  private async rowsOf(statement: Statement, values: readonly (readonly unknown[])[]): Promise<TransactionRow[][]> {
    const rows = await this.database.queryTogether<WithOrdinal<TransactionRow>>(statement, values);
    return byOrdinal(rows, values[0]?.length ?? 0, row => row);
  }
}

async function rowsAhead(
  accountId: string,
  { high, size, lists }: LedgerRange,
  ahead: RangeAhead,
): Promise<readonly TransactionRow[] | null> {
  if (ahead.accountId !== accountId || ahead.lists !== lists || ahead.size < size) return null;
  const rows = await ahead.rows;
  // It begins with another number if something was posted in between, and is empty if the account became visible only
  // then.
  return rows[0]?.[0] === high ? rows.slice(0, size) : null;
}
