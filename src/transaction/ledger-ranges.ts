import { VISIBLE_TO_EACH, type Sight } from '../account/account.service.js';
import type { AccountView } from '../account/account.entity.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import type { Statement } from '../../lib/pg-wire/statement.js';
import { MAX_PAGE_SIZE } from '../shared/page.js';
import { transactionColumns, transactionOf, type TransactionRead, type TransactionRow } from './transaction.row.js';

/** `size` entries from number `high` downwards, with their lists or without. */
export interface LedgerRange {
  readonly high: number;
  readonly size: number;
  readonly lists: boolean;
}

/**
 * A range of an account of which nobody knows yet whether the caller sees it, nor how long its ledger is: `size` entries downwards from number `bound`,
 * or where the ledger ends before that, from its end; the first `skip` of them left out.
 */
export interface RangeToCome extends Sight {
  readonly bound: number;
  readonly skip: number;
  readonly size: number;
  readonly lists: boolean;
}

/** Such a range while it is being read. */
export interface RangeAhead extends RangeToCome {
  readonly rows: Promise<readonly TransactionRow[]>;
}

interface RangeKey extends LedgerRange {
  readonly account: AccountView;
}

// The numbers have no gaps, so page N is a range of the primary key, and costs the same however deep it is. The limit changes nothing
// but the plan: without it PostgreSQL cannot know how short the ranges are, and reads the whole table where one account is large.
// What is lateral and limited is read key by key, each in its order, so sorting the whole would be for nothing.
const numbered = (from: string, zone: string, high: string, low: string): string =>
  `SELECT ${transactionColumns(zone, 'k.lists')}, k.n::int FROM ${from} CROSS JOIN LATERAL (
    SELECT * FROM transaction t WHERE t.account_id = k.account_id AND t.seq <= ${high} AND t.seq > ${low}
    ORDER BY t.seq DESC LIMIT ${MAX_PAGE_SIZE + 1}
  ) t`;

const KNOWN: Statement = {
  name: 'transaction_ranges',
  text: numbered(
    'unnest($1::text[], $2::text[], $3::int8[], $4::int8[], $5::bool[]) WITH ORDINALITY k(account_id, zone, high, low, lists, n)',
    ...(['k.zone', 'k.high', 'k.low'] as const),
  ),
};

const TO_COME: Statement = {
  name: 'transaction_ranges_ahead',
  text: numbered(
    `unnest($1::text[], $2::text[], $3::uuid[], $4::int8[], $5::int8[], $6::int8[], $7::bool[])
      WITH ORDINALITY k(account_id, program, customer_id, bound, skip, size, lists, n)
    JOIN account a ON a.account_id = k.account_id AND ${VISIBLE_TO_EACH}`,
    'a.time_zone',
    'LEAST(k.bound, a.last_seq) - k.skip',
    'LEAST(k.bound, a.last_seq) - k.skip - k.size',
  ),
};

/** Reads ranges of ledgers. */
export class LedgerRanges {
  private readonly known = batcher<RangeKey, TransactionRow[]>(keys =>
    this.rowsOf(KNOWN, [
      keys.map(key => key.account.accountId),
      keys.map(key => key.account.timeZone),
      keys.map(key => key.high),
      keys.map(key => Math.max(0, key.high - key.size)),
      keys.map(key => key.lists),
    ]),
  );

  private readonly toCome = batcher<RangeToCome, TransactionRow[]>(keys =>
    this.rowsOf(TO_COME, [
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

  /** A range of an account that the caller sees. What was read `ahead` is taken over if it is this range, else it is read now. */
  async read(account: AccountView, range: LedgerRange, ahead: RangeAhead | null): Promise<TransactionRead[]> {
    if (range.high < 1 || range.size < 1) return [];
    const rows = (ahead && (await begun(account, range, ahead))) ?? (await this.known({ ...range, account }));
    return rows.map(row => transactionOf(row, account));
  }

  begin(range: RangeToCome): RangeAhead {
    const rows = this.toCome(range);
    // Who asks for them is told what became of them. Where the account turns out not to be there, nobody asks.
    rows.catch(() => undefined);
    return { ...range, rows };
  }

  private async rowsOf(statement: Statement, values: readonly (readonly unknown[])[]): Promise<TransactionRow[][]> {
    const rows = await this.database.queryTogether<WithOrdinal<TransactionRow>>(statement, [...values]);
    return byOrdinal(rows, values[0]?.length ?? 0, row => row);
  }
}

async function begun(
  { accountId }: AccountView,
  { high, size, lists }: LedgerRange,
  ahead: RangeAhead,
): Promise<readonly TransactionRow[] | null> {
  if (ahead.accountId !== accountId || ahead.lists !== lists || ahead.size < size) return null;
  const rows = await ahead.rows;
  // It begins with another number where something was posted in between, and is empty where the caller sees the account only since then.
  return rows[0]?.[0] === high ? rows.slice(0, size) : null;
}
