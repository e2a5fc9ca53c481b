import { REPORT_FORMATS } from '../../lib/account-report/formats.js';
import type { Database } from '../platform/database/orm.js';
import { statementOf } from '../../lib/pg-wire/statement.js';
import { utcInstantOf } from '../shared/calendar.js';
import type { Caller } from '../shared/caller.js';
import { pageRequestOf, positionOf, sliceOf, type CursorRequest, type Listing, type Slice } from '../shared/page.js';
import { LedgerQuery, isUnfiltered, type TransactionCriteria } from './transaction.criteria.js';
import { MAX_REPORT_ENTRIES } from './report/report.service.js';
import type { TransactionView } from './transaction.entity.js';
import { TooManyTransactions } from './transaction.errors.js';
import type { TransactionRepository } from './transaction.repository.js';

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,16}) ([\x21-\x7e]{1,64})$/;
const FORM = { test: (position: string) => utcInstantOf(POSITION.exec(position)?.[1] ?? '') !== null };
/** Before every position that a transaction can have. */
const NEWEST = ['infinity', '9007199254740991', '\x7f'];

/** The forms in which a whole history is written: pages of it are for GraphQL. */
export const PROGRAM_HISTORY_FORMS = [{ format: 'csv', contentType: REPORT_FORMATS.csv.contentType }] as const;

/** So many rows of a file are read at once. */
const FILE_PAGE_ROWS = 1000;

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
    caller.require('transactions.read');
    caller.requireProgramWide();
    const { limit } = pageRequestOf(request);
    const after = request.after ? positionOf(request.after, FORM) : null;
    return {
      page: () => this.slice(caller.program, criteria, limit, after),
      total: () => this.count(caller.program, criteria),
    };
  }

  /**
   * All of it, in pages, and how many there are. Throws `ProgramWideOnly`, and `TooManyTransactions` for more than one
   * file may have.
   */
  async all(caller: Caller, criteria: TransactionCriteria): Promise<WholeHistory> {
    caller.require('transactions.read');
    caller.requireProgramWide();
    const { program } = caller;
    const query = new LedgerQuery(null);
    const where = whereOf(query, program, criteria);
    const most = query.parameter(MAX_REPORT_ENTRIES + 1);
    const text = `SELECT count(*)::int FROM (SELECT 1 FROM transaction t JOIN account a ON a.account_id = t.account_id
      WHERE ${where} LIMIT ${most}::int) found`;
    const [[count] = [0]] = await this.database.read<[number]>(statementOf(text), query.values);
    if (count > MAX_REPORT_ENTRIES) throw new TooManyTransactions(MAX_REPORT_ENTRIES);
    return { count, pages: this.pages(program, criteria) };
  }

  private async *pages(program: string, criteria: TransactionCriteria): AsyncGenerator<readonly TransactionView[]> {
    for (let position: string | null = null; ;) {
      const slice: Slice<TransactionView> = await this.slice(program, criteria, FILE_PAGE_ROWS, position);
      const { nodes, hasNextPage } = slice;
      yield nodes;
      const last = nodes.at(-1);
      if (!hasNextPage || !last) return;
      position = positionAt(last);
    }
  }

  private async slice(
    program: string,
    criteria: TransactionCriteria,
    limit: number,
    position: string | null,
  ): Promise<Slice<TransactionView>> {
    const [, ...after] = position === null ? [null, ...NEWEST] : (POSITION.exec(position) ?? []);
    const query = new LedgerQuery(null);
    const where = whereOf(query, program, criteria);
    const [occurredAt, seq, accountId] = after.map(part => query.parameter(part));
    const text = `SELECT ${this.repository.columns('t')}, t.account_id, a.currency FROM transaction t JOIN account a ON a.account_id = t.account_id
      WHERE ${where} AND (t.occurred_at, t.account_id, t.seq) < (${occurredAt}::timestamptz, ${accountId}::text, ${seq}::int8)
      ORDER BY t.occurred_at DESC, t.account_id DESC, t.seq DESC LIMIT ${query.parameter(limit + 1)}::int`;
    const rows = await this.database.read<unknown[]>(statementOf(text), query.values);
    const views = rows.map(row => {
      const [of, currency] = row.slice(-2) as [accountId: string, currency: string];
      return this.repository.read(row, { accountId: of, currency });
    });
    return sliceOf(views, limit, position !== null, positionAt);
  }

  private async count(program: string, criteria: TransactionCriteria): Promise<number> {
    const query = new LedgerQuery(null);
    const where = whereOf(query, program, criteria);
    const text = isUnfiltered(criteria)
      ? 'SELECT coalesce(sum(a.last_seq), 0)::int8 FROM account a WHERE a.program = $1'
      : `SELECT count(*)::int8 FROM transaction t JOIN account a ON a.account_id = t.account_id WHERE ${where}`;
    const [row] = await this.database.read<[bigint]>(statementOf(text), query.values);
    return Number(row?.[0] ?? 0n);
  }
}

function positionAt({ postedTimestamp, transactionTimestamp, seq, accountId }: TransactionView): string {
  return `${postedTimestamp ?? transactionTimestamp} ${seq} ${accountId}`;
}

/** The program is `$1`. */
function whereOf(query: LedgerQuery, program: string, criteria: TransactionCriteria): string {
  return [`t.program = ${query.parameter(program)}`, ...query.conditionsOf(criteria)].join(' AND ');
}
