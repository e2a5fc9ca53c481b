import { REPORT_FORMATS } from '../../../lib/account-report/formats.js';
import { raw } from '@mikro-orm/core';
import { Account } from '../account/account.entity.js';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { utcInstantOf } from '../../shared/calendar.js';
import type { Caller } from '../../shared/caller.js';
import {
  positionOf,
  sliceOf,
  windowOf,
  type CursorRequest,
  type Listing,
  type Slice,
  type Window,
} from '../../shared/page.js';
import { LedgerQuery, isUnfiltered, type TransactionCriteria } from './transaction.criteria.js';
import { nextPart } from '../../platform/rate/reading-queue.js';
import { PAGE_ROWS } from './report/report-query.js';
import { MAX_REPORT_ENTRIES } from './report/report.service.js';
import type { TransactionView } from './transaction.entity.js';
import { TooManyTransactions } from './transaction.errors.js';
import type { TransactionRepository } from './transaction.repository.js';
import { READ_PROGRAM_HISTORY } from './transaction.operations.js';

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,16}) ([\x21-\x7e]{1,64})$/;
const FORM = { test: (position: string) => utcInstantOf(POSITION.exec(position)?.[1] ?? '') !== null };
/** When a transaction was posted, its number, and its account. */
type Place = readonly string[];
/** Before every place that a transaction can have. */
const NEWEST: Place = ['infinity', '9007199254740991', '\x7f'];

/** The forms in which a whole history is written: pages of it are for GraphQL. */
export const PROGRAM_HISTORY_FORMS = [{ format: 'csv', contentType: REPORT_FORMATS.csv.contentType }] as const;

/** A history of a program as a file has it. */
export interface WholeHistory {
  readonly count: number;
  /** Newest first. They are read as they are taken. */
  readonly pages: AsyncIterable<readonly TransactionView[]>;
}

/** The history of a whole program, newest first: for the program's own clients, not for tokens of one customer. */
export class ProgramHistoryService {
  constructor(
    private readonly database: Database,
    private readonly repository: TransactionRepository,
  ) {}

  /** Throws `ProgramWideOnly`, `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, criteria: TransactionCriteria): Listing<TransactionView> {
    caller.require(READ_PROGRAM_HISTORY);
    const window = windowOf(request, placeOf);
    return {
      page: () => this.slice(caller.program, criteria, window),
      total: () => this.count(caller.program, criteria),
    };
  }

  /**
   * All of it, in pages, and how many there are. Throws `ProgramWideOnly`, and `TooManyTransactions` for more than one
   * file may have.
   */
  async all(caller: Caller, criteria: TransactionCriteria): Promise<WholeHistory> {
    caller.require(READ_PROGRAM_HISTORY);
    const { program } = caller;
    const count = await nextPart(caller, () => this.count(program, criteria, MAX_REPORT_ENTRIES + 1));
    if (count > MAX_REPORT_ENTRIES) throw new TooManyTransactions(MAX_REPORT_ENTRIES);
    return { count, pages: this.pages(caller, criteria) };
  }

  private async *pages(caller: Caller, criteria: TransactionCriteria): AsyncGenerator<readonly TransactionView[]> {
    for (let after: Place | null = null; ;) {
      const window: Window<Place> = { after, before: null, skip: 0, limit: PAGE_ROWS, fromEnd: false };
      const slice: Slice<TransactionView> = await nextPart(caller, () => this.slice(caller.program, criteria, window));
      const { nodes, hasNextPage } = slice;
      yield nodes;
      const last = nodes.at(-1);
      if (!hasNextPage || !last) return;
      after = partsOf(positionAt(last));
    }
  }

  private async slice(
    program: string,
    criteria: TransactionCriteria,
    window: Window<Place>,
  ): Promise<Slice<TransactionView>> {
    // The ledger, by the conditions that filters of one account have. A transaction has the currency of its account,
    // and comes with it; columns and rows are those of the entity.
    const { after, before, limit, fromEnd } = window;
    const query = new LedgerQuery(null);
    const where = whereOf(query, program, criteria);
    const place = (parts: Place): string => {
      const [occurredAt, seq, accountId] = parts.map(part => query.parameter(part));
      return `(${occurredAt}::timestamptz, ${accountId}::text, ${seq}::int8)`;
    };
    const bounds = [
      `(t.occurred_at, t.account_id, t.seq) < ${place(after ?? NEWEST)}`,
      ...(before === null ? [] : [`(t.occurred_at, t.account_id, t.seq) > ${place(before)}`]),
    ];
    const order = fromEnd ? 'ASC' : 'DESC';
    const text = `SELECT ${this.repository.columns('t')}, t.account_id, a.currency FROM transaction t JOIN account a ON a.account_id = t.account_id
      WHERE ${where} AND ${bounds.join(' AND ')}
      ORDER BY t.occurred_at ${order}, t.account_id ${order}, t.seq ${order} LIMIT ${query.parameter(limit + 1)}::int`;
    const rows = await this.database.read<unknown[]>(statementOf(text), query.values);
    const views = rows.map(row => {
      const [of, currency] = row.slice(-2) as [accountId: string, currency: string];
      return this.repository.read(row, { accountId: of, currency });
    });
    return sliceOf(views, window, positionAt);
  }

  /** Counts the transactions, or returns `most` if there are more. */
  private async count(program: string, criteria: TransactionCriteria, most: number | null = null): Promise<number> {
    // The numbers of a ledger have no gaps, so the last of each account is how many it has.
    if (isUnfiltered(criteria)) {
      const entries = raw('sum(last_seq) AS entries');
      const accounts = this.database.em().createQueryBuilder(Account, 'a').select(entries).where({ program });
      return Number((await accounts.execute<{ entries: string | null }>('get')).entries ?? 0);
    }
    const query = new LedgerQuery(null);
    const where = whereOf(query, program, criteria);
    const limit = most === null ? '' : `LIMIT ${query.parameter(most)}::int`;
    const text = `SELECT count(*)::int8 FROM (
      SELECT 1 FROM transaction t JOIN account a ON a.account_id = t.account_id WHERE ${where} ${limit}) found`;
    const [row] = await this.database.read<[bigint]>(statementOf(text), query.values);
    return Number(row?.[0] ?? 0n);
  }
}

/** Throws `InvalidInput`. */
function placeOf(cursor: string, pointer: string): Place {
  return partsOf(positionOf(cursor, FORM, pointer));
}

function partsOf(position: string): Place {
  return POSITION.exec(position)?.slice(1) ?? [];
}

function positionAt({ postedTimestamp, transactionTimestamp, seq, accountId }: TransactionView): string {
  return `${postedTimestamp ?? transactionTimestamp} ${seq} ${accountId}`;
}

/** The program is `$1`. */
function whereOf(query: LedgerQuery, program: string, criteria: TransactionCriteria): string {
  return [`t.program = ${query.parameter(program)}`, ...query.conditionsOf(criteria)].join(' AND ');
}
