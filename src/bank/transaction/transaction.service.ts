import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import {
  positionOf,
  sliceOf,
  windowOf,
  type CursorRequest,
  type Listing,
  type Page,
  type PageRequest,
  type Slice,
  type Window,
} from '../../shared/page.js';
import { LedgerQuery, isUnfiltered, type TransactionCriteria } from './transaction.criteria.js';
import type { LedgerRanges } from './ledger-ranges.js';
import type { TransactionRead, TransactionView } from './transaction.entity.js';
import type { TransactionRepository } from './transaction.repository.js';
import { READ_TRANSACTIONS } from './transaction.operations.js';

const SEQ = /^[1-9]\d{0,15}$/;
/** Above every number that an entry can have. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

/** The number that a cursor names. Throws `InvalidInput`. */
function seqAt(cursor: string, pointer: string): number {
  return Number(positionOf(cursor, SEQ, pointer));
}

export interface HistoryPage extends Page<TransactionRead> {
  /** The last number that the page knows of. Later postings stay out of the pages that are asked for with it. */
  readonly snapshot: number;
}

/** The history of one account, newest first in ledger order. */
export class TransactionService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly repository: TransactionRepository,
    private readonly ranges: LedgerRanges,
  ) {}

  /**
   * A page by offset. `snapshot` is the bound that an earlier page gave, so that postings in between shift nothing.
   * Throws `AccountNotFound`.
   */
  async page(
    caller: Caller,
    accountId: string,
    request: PageRequest,
    criteria: TransactionCriteria,
    snapshot: number | null,
  ): Promise<HistoryPage> {
    caller.require(READ_TRANSACTIONS);
    const { offset, limit } = request;
    const account = await this.accounts.mustSee(caller, accountId);
    const bound = Math.min(snapshot ?? NO_BOUND, account.lastSeq);
    if (isUnfiltered(criteria)) {
      const items = await this.ranges.read(account, { high: bound - offset, size: limit, lists: true });
      return { items, total: bound, snapshot: bound };
    }
    const [items, total] = await Promise.all([
      this.filtered(account, criteria, { high: bound, low: 0, offset, size: limit, upwards: false, lists: true }),
      this.count(account, criteria, bound),
    ]);
    return { items, total, snapshot: bound };
  }

  /**
   * A page by cursor, in either direction, of an account that the caller sees. Without `lists` the transactions have
   * no additional information and no lines. Throws `InvalidInput`.
   */
  list(
    caller: Caller,
    account: AccountView,
    request: CursorRequest,
    criteria: TransactionCriteria,
    { lists }: { readonly lists: boolean },
  ): Listing<TransactionView> {
    caller.require(READ_TRANSACTIONS);
    const window = windowOf(request, seqAt);
    return {
      page: () => this.slice(account, criteria, { ...window, lists }),
      total: () => this.count(account, criteria, account.lastSeq),
    };
  }

  /** One transaction of an account that the caller sees, or null. */
  async find(caller: Caller, account: AccountView, transactionId: string): Promise<TransactionView | null> {
    caller.require(READ_TRANSACTIONS);
    return BANK_ID.test(transactionId) ? this.repository.find({ account, transactionId }) : null;
  }

  private async slice(
    account: AccountView,
    criteria: TransactionCriteria,
    window: Window<number> & { readonly lists: boolean },
  ): Promise<Slice<TransactionView>> {
    const { after, before, skip: offset, limit, fromEnd: upwards, lists } = window;
    // Newest first: what comes after a cursor has a lower number, what comes before it a higher one.
    const high = Math.min(after === null ? NO_BOUND : after - 1, account.lastSeq);
    const low = before ?? 0;
    // One more than the page has tells whether the list goes on.
    const size = limit + 1;
    const range = upwards
      ? { high: Math.min(high, low + size), size: Math.min(size, high - low), lists }
      : { high: high - offset, size: Math.min(size, high - offset - low), lists };
    if (!isUnfiltered(criteria)) {
      const rows = await this.filtered(account, criteria, { high, low, offset, size, upwards, lists });
      return sliceOf(rows, window, seqText);
    }
    const rows = await this.ranges.read(account, range);
    return sliceOf(upwards ? rows.reverse() : rows, window, seqText);
  }

  private async filtered(
    account: AccountView,
    criteria: TransactionCriteria,
    { offset, size, upwards, lists, ...bounds }: Part,
  ): Promise<TransactionRead[]> {
    const query = new LedgerQuery(account);
    const direction = upwards ? 'ASC' : 'DESC';
    // The ledger, by conditions of its own for each combination of filters; columns and rows are those of the entity.
    // The numbers are found in an index that covers the filters; only the rows of the page itself are fetched.
    const text = `SELECT ${this.repository.columns('t', String(lists))} FROM (
        SELECT t.seq FROM transaction t WHERE ${whereOf(query, account, criteria, bounds)}
        ORDER BY t.seq + 0 ${direction} LIMIT ${query.parameter(size)}::int OFFSET ${query.parameter(offset)}::int
      ) k JOIN transaction t ON t.account_id = $1 AND t.seq = k.seq ORDER BY t.seq ${direction}`;
    const rows = await this.database.read<unknown[]>(statementOf(text), query.values);
    return rows.map(row => this.repository.read(row, account));
  }

  private async count(account: AccountView, criteria: TransactionCriteria, high: number): Promise<number> {
    if (isUnfiltered(criteria)) return high;
    const query = new LedgerQuery(account);
    const where = whereOf(query, account, criteria, { high, low: 0 });
    const statement = statementOf(`SELECT count(*)::int FROM transaction t WHERE ${where}`);
    const [row] = await this.database.read<[number]>(statement, query.values);
    return row?.[0] ?? 0;
  }
}

function seqText({ seq }: TransactionView): string {
  return String(seq);
}

/** A part of a ledger: the numbers above `low` up to `high`, and a page of them from one end. */
interface Part {
  readonly high: number;
  readonly low: number;
  readonly offset: number;
  readonly size: number;
  readonly upwards: boolean;
  readonly lists: boolean;
}

/** The account is `$1`. */
function whereOf(
  query: LedgerQuery,
  { accountId }: AccountView,
  criteria: TransactionCriteria,
  { high, low }: Pick<Part, 'high' | 'low'>,
): string {
  return [
    `t.account_id = ${query.parameter(accountId)}`,
    // `+ 0` keeps the planner from walking the whole ledger by its numbers, which suits no filter.
    `t.seq + 0 <= ${query.parameter(high)}::int8`,
    `t.seq + 0 > ${query.parameter(low)}::int8`,
    ...query.conditionsOf(criteria),
  ].join(' AND ');
}
