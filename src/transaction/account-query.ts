import type { AccountView } from '../account/account.entity.js';
import { conditionsOf, minorUnitsOf, type AccountTerms, type TransactionCriteria } from './transaction.criteria.js';

/** Conditions on one account's transactions. The text depends only on which filters are given, so it is one of a few. */
export class AccountQuery implements AccountTerms {
  readonly values: unknown[] = [];
  readonly where: string;
  readonly minorUnits: string;
  private zoneParameter: string | undefined;
  constructor(
    private readonly account: AccountView,
    criteria: TransactionCriteria,
    high: number,
    low: number,
  ) {
    this.minorUnits = String(minorUnitsOf(account.currency));
    const own = this.parameter(account.accountId);
    // `+ 0` keeps the planner from walking the whole ledger by its numbers, which suits no filter.
    const bounds = `t.seq + 0 <= ${this.parameter(high)}::int8 AND t.seq + 0 > ${this.parameter(low)}::int8`;
    this.where = [
      `t.account_id = ${own}`,
      bounds,
      ...conditionsOf(criteria, this, value => this.parameter(value)),
    ].join(' AND ');
  }
  /** Becomes a parameter when it is first used: PostgreSQL takes none that its statement does not mention. */
  get zone(): string {
    return (this.zoneParameter ??= `${this.parameter(this.account.timeZone)}::text`);
  }
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
