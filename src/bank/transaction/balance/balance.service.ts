import { startOfDay } from '../../../shared/days.js';
import type { AccountView } from '../../account/account.entity.js';
import type { AccountService } from '../../account/account.service.js';
import { keyed } from '../../../platform/database/keyed.js';
import type { Database } from '../../../platform/database/orm.js';
import { brokenRules } from '../../../platform/input/read-input.js';
import { batcher } from '../../../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../../../platform/repository/by-ordinal.js';
import type { Caller } from '../../../shared/caller.js';
import { InvalidInput } from '../../../shared/errors.js';
import { decimalOfText } from '../../../shared/money.js';
import { MOVED_SQL } from '../transaction.entity.js';
import type { DailyBalance } from './daily-balance.entity.js';
import { BalanceQuery } from './balance.inputs.js';
import { READ_TRANSACTIONS } from '../transaction.operations.js';

/** The days of an account, the first and the last. */
interface Days {
  readonly account: AccountView;
  readonly from: string;
  readonly to: string;
}

/**
 * The balances at the end of each day of accounts, from the first day to the last: the last mark before the end of the
 * day, and the entries between them, of which there are few.
 */
// The ledger: balances of days follow from marks and from what was moved since.
export const BALANCES = keyed(
  'balances_at',
  { account_id: 'text', zone: 'text', first: 'date', last: 'date' },
  ({ k, each }) => `SELECT d.day::date, (coalesce(m.balance_minor, 0) + e.moved)::text, ${k.n}::int
    FROM ${each}LATERAL (SELECT day, ${startOfDay('day::date + 1', k.zone)} AS until
      FROM generate_series(${k.first}::timestamp, ${k.last}::timestamp, interval '1 day') day) d
    LEFT JOIN LATERAL (SELECT b.until, b.balance_minor FROM balance_mark b
      WHERE b.account_id = ${k.account_id} AND b.until <= d.until ORDER BY b.until DESC LIMIT 1) m ON true
    CROSS JOIN LATERAL (SELECT coalesce(sum(${MOVED_SQL}), 0) AS moved FROM transaction t
      WHERE t.account_id = ${k.account_id} AND t.posted_timestamp >= coalesce(m.until, '-infinity')
        AND t.posted_timestamp < d.until) e
    ORDER BY ${k.n}, d.day`,
);

/** Reads what was posted to accounts by the end of days, as statements have it. */
export class BalanceService {
  private readonly read = batcher<Days, DailyBalance[]>(async keys => {
    const rows = await this.database.queryTogether<WithOrdinal<[date: string, minor: string]>>(BALANCES, [
      keys.map(({ account }) => account.accountId),
      keys.map(({ account }) => account.timeZone),
      keys.map(({ from }) => from),
      keys.map(({ to }) => to),
    ]);
    return byOrdinal(rows, keys.length, ([date, minor], index) => {
      const { currency } = (keys[index] as Days).account;
      return { date, currency, balance: decimalOfText(minor, currency) };
    });
  });

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
  ) {}

  /** The balance of an account that the caller sees, at the end of a day in its time zone. */
  async at(caller: Caller, account: AccountView, date: string): Promise<string> {
    const [day] = await this.between(caller, account, date, date);
    return (day as DailyBalance).balance;
  }

  /** The closing balance of every day from the first to the last. Throws `InvalidInput`. */
  async between(caller: Caller, account: AccountView, from: string, to: string): Promise<DailyBalance[]> {
    caller.require(READ_TRANSACTIONS);
    const broken = brokenRules(Object.assign(new BalanceQuery(), { from, to }), '');
    if (broken.length > 0) throw new InvalidInput('rule_broken', broken);
    return this.read({ account, from, to });
  }

  /** The closing balance of every day of an account by its id. Throws `AccountNotFound`, `InvalidInput`. */
  async ofAccount(
    caller: Caller,
    accountId: string,
    from: string,
    to: string,
  ): Promise<{ readonly account: AccountView; readonly days: readonly DailyBalance[] }> {
    caller.require(READ_TRANSACTIONS);
    const account = await this.accounts.mustSee(caller, accountId);
    return { account, days: await this.between(caller, account, from, to) };
  }
}
