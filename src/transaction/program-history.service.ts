import type { Database } from '../platform/database/orm.js';
import { statementOf } from '../../lib/pg-wire/statement.js';
import { utcInstantOf } from '../shared/calendar.js';
import type { Caller } from '../shared/caller.js';
import { currenciesOf } from '../shared/money.js';
import { pageRequestOf, positionOf, sliceOf, type CursorRequest, type Listing, type Slice } from '../shared/page.js';
import { conditionsOf, type AccountTerms, type TransactionCriteria } from './transaction.criteria.js';
import type { TransactionView } from './transaction.entity.js';
import { transactionColumns, transactionOf, type TransactionRow } from './transaction.row.js';

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,16}) ([\x21-\x7e]{1,64})$/;
const FORM = {
  test: (position: string) => utcInstantOf(POSITION.exec(position)?.[1] ?? '') !== null,
};
/** Before everything: the newest position there can be. */
const NEWEST = ['infinity', '9007199254740991', '\x7f'];

const currencyIs = (digits: number): string =>
  `a.currency IN (${currenciesOf(digits)
    .map(currency => `'${currency}'`)
    .join(', ')})`;
const TERMS: AccountTerms = {
  zone: 'a.time_zone',
  minorUnits: `CASE WHEN ${currencyIs(0)} THEN 1 WHEN ${currencyIs(3)} THEN 1000 WHEN ${currencyIs(4)} THEN 10000 ELSE 100 END`,
};

type ProgramRow = [...TransactionRow, accountId: string, currency: string];

/** The history of a whole program, newest first: for the program's own clients, not for tokens of one customer. */
export class ProgramHistoryService {
  constructor(private readonly database: Database) {}

  /** Throws `ProgramWideOnly`, `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, criteria: TransactionCriteria): Listing<TransactionView> {
    refuseCustomers(caller);
    const { limit } = pageRequestOf(request);
    const after = request.after ? positionOf(request.after, FORM) : null;
    return {
      page: () => this.slice(caller.program, criteria, limit, after),
      total: () => this.count(caller.program, criteria),
    };
  }

  private async slice(
    program: string,
    criteria: TransactionCriteria,
    limit: number,
    position: string | null,
  ): Promise<Slice<TransactionView>> {
    const [, ...after] = position === null ? [null, ...NEWEST] : (POSITION.exec(position) ?? []);
    const query = new ProgramQuery(program, criteria);
    const [occurredAt, seq, accountId] = after.map(part => query.parameter(part));
    const text = `SELECT ${transactionColumns('a.time_zone')}, t.account_id, a.currency FROM transaction t JOIN account a ON a.account_id = t.account_id
      WHERE ${query.where} AND (t.occurred_at, t.account_id, t.seq) < (${occurredAt}::timestamptz, ${accountId}::text, ${seq}::int8)
      ORDER BY t.occurred_at DESC, t.account_id DESC, t.seq DESC LIMIT ${query.parameter(limit + 1)}::int`;
    const rows = await this.database.query<ProgramRow>(statementOf(text), query.values);
    const views = rows.map(row => transactionOf(row, { accountId: row[18], currency: row[19] }));
    return sliceOf(
      views,
      limit,
      position !== null,
      view => `${view.postedTimestamp ?? view.transactionTimestamp} ${view.seq} ${view.accountId}`,
    );
  }

  private async count(program: string, criteria: TransactionCriteria): Promise<number> {
    const query = new ProgramQuery(program, criteria);
    const text = query.isUnfiltered
      ? 'SELECT coalesce(sum(a.last_seq), 0)::int8 FROM account a WHERE a.program = $1'
      : `SELECT count(*)::int8 FROM transaction t JOIN account a ON a.account_id = t.account_id WHERE ${query.where}`;
    const [row] = await this.database.query<[bigint]>(statementOf(text), query.values);
    return Number(row?.[0] ?? 0n);
  }
}

/** Conditions on a program's transactions `t` and their accounts `a`. The text depends only on which filters are given. */
class ProgramQuery {
  readonly values: unknown[] = [];
  readonly where: string;
  readonly isUnfiltered: boolean;
  constructor(program: string, criteria: TransactionCriteria) {
    const own = `t.program = ${this.parameter(program)}`;
    const conditions = conditionsOf(criteria, TERMS, value => this.parameter(value));
    this.isUnfiltered = conditions.length === 0;
    this.where = [own, ...conditions].join(' AND ');
  }
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

function refuseCustomers(caller: Caller): void {
  caller.require('transactions.read');
  caller.requireProgramWide();
}
