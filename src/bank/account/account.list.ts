import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import { apart } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { metadataCondition, wantedPairs } from '../../platform/repository/metadata-column.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import { sliceOf, type Slice, type Window } from '../../shared/page.js';
import { AccountStatus, AccountType, type AccountView } from './account.entity.js';
import type { AccountFilter } from './account.inputs.js';
import type { AccountRepository } from './account.repository.js';
import { visible } from './account.visibility.js';

/**
 * The lists of accounts. They are hot, and a page of a large program reads no more than it shows: conditions are fixed
 * texts, so a list is one of a few statements, each of which is prepared once a connection and planned for any values.
 */
export class AccountList {
  constructor(
    private readonly database: Database,
    private readonly repository: AccountRepository,
  ) {}

  /** A part of the accounts that the caller sees, by their ids. */
  async slice(caller: Caller, filter: AccountFilter, window: Window<string>): Promise<Slice<AccountView>> {
    const { after, before, limit, fromEnd } = window;
    const values: unknown[] = [];
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    const conditions = conditionsOf(caller, filter, parameter);
    const bounds = [
      `account_id > ${parameter(after ?? '')}`,
      ...(before === null ? [] : [`account_id < ${parameter(before)}`]),
    ];
    const order = `ORDER BY account_id ${fromEnd ? 'DESC' : 'ASC'} LIMIT ${parameter(limit + 1)}`;
    const rows = await this.database.read(
      this.statement(kindOf(caller, filter), { conditions, bounds, order }),
      values,
    );
    return sliceOf(
      rows.map(row => this.repository.read(row)),
      window,
      account => account.accountId,
    );
  }

  /** The number of the accounts that the caller sees. */
  async count(caller: Caller, filter: AccountFilter): Promise<number> {
    const values: unknown[] = [];
    const conditions = conditionsOf(caller, filter, value => `$${values.push(value)}`);
    const text = `SELECT count(*)::int FROM account a WHERE ${conditions.map(({ text: is }) => is).join(' AND ')}`;
    const [row] = await this.database.read<[number]>(statementOf(text), values);
    return row?.[0] ?? 0;
  }

  private statement(kind: ListKind, { conditions, bounds, order }: ListText): Statement {
    const columns = this.repository.columns('a');
    const all = [...conditions.map(({ text }) => text), ...bounds].join(' AND ');
    const plain = `SELECT ${columns} FROM account a WHERE ${all} ${order}`;
    const named = (ids: string): string =>
      `SELECT ${columns} FROM (${ids} ${order}) p JOIN account a USING (account_id) ${order}`;
    if (kind === 'plain') return statementOf(plain);
    if (kind === 'chosen') {
      // The planner, which does not know the values, would walk through the ids of all accounts.
      const chosen = `SELECT a.account_id FROM account a WHERE ${conditions.map(({ text }) => text).join(' AND ')}`;
      return statementOf(
        `WITH chosen AS MATERIALIZED (${chosen}) ${named(`SELECT account_id FROM chosen WHERE ${bounds.join(' AND ')}`)}`,
      );
    }
    // The first accounts of each combination of values, each from a range of an index.
    const lists = conditions.flatMap(({ list }) => list ?? []);
    const sources = lists.map(({ column, values }) => `unnest(${values}) ${column}_list(${column})`);
    const equal = lists.map(({ column }) => `a.${column} = ${column}_list.${column}`);
    const fixed = conditions.flatMap(({ text, list }) => (list ? [] : [text]));
    const each = [...fixed, ...equal, ...bounds.map(bound => `a.${bound}`)].join(' AND ');
    const first = `SELECT a.account_id FROM account a WHERE ${each} ${order.replace('account_id', 'a.account_id')}`;
    const combined = named(`SELECT account_id FROM ${sources.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${first}) one`);
    return apart(statementOf(combined), plain);
  }
}

/** The parts of which the statement of a list is made. */
interface ListText {
  readonly conditions: readonly Condition[];
  readonly bounds: readonly string[];
  readonly order: string;
}

/** A condition on an account `a`. */
interface Condition {
  readonly text: string;
  /** For a column that has one of the values of a list. */
  readonly list?: { readonly column: string; readonly values: string };
}

/**
 * The way in which a list is read: in the order of the ids, as a customer's accounts and those that are named are few;
 * by an index that does not have that order; or from the beginning of each combination of values.
 */
type ListKind = 'plain' | 'chosen' | 'combined';

function kindOf({ customerId }: Caller, filter: AccountFilter): ListKind {
  if (customerId !== null || filter.customerId || filter.accountIds) return 'plain';
  if (filter.openedOnFrom || filter.openedOnTo || wantedPairs(filter.metadata)) return 'chosen';
  return filter.types || filter.currencies || filter.statuses ? 'combined' : 'plain';
}

function conditionsOf(caller: Caller, filter: AccountFilter, parameter: (value: unknown) => string): Condition[] {
  const { accountIds, types, currencies, statuses, customerId, openedOnFrom, openedOnTo } = filter;
  const pairs = wantedPairs(filter.metadata);
  const oneOf = (column: string, listed: readonly string[]): Condition => {
    const values = `${parameter(listed)}::text[]`;
    return { text: `a.${column} = ANY(${values})`, list: { column, values } };
  };
  const is = (text: string): Condition => ({ text });
  const program = parameter(caller.program);
  const isByList = [types, currencies, statuses].some(list => list);
  return [
    is(visible(program, caller.customerId === null ? null : parameter(caller.customerId))),
    ...(accountIds ? [is(`a.account_id = ANY(${parameter(accountIds.filter(id => BANK_ID.test(id)))}::text[])`)] : []),
    // The indexes have these columns in this order, so a list of all values stands for those that are not asked for.
    ...(currencies ? [oneOf('currency', currencies)] : []),
    ...(isByList ? [oneOf('account_type', types ?? Object.keys(AccountType))] : []),
    ...(isByList ? [oneOf('status', statuses ?? Object.keys(AccountStatus))] : []),
    ...(openedOnFrom ? [is(`a.opened_on >= ${parameter(openedOnFrom)}::date`)] : []),
    ...(openedOnTo ? [is(`a.opened_on <= ${parameter(openedOnTo)}::date`)] : []),
    ...(pairs === null ? [] : [is(metadataCondition('program', program, parameter(pairs)))]),
    ...(customerId
      ? [
          is(
            `EXISTS (SELECT FROM account_owner f WHERE f.account_id = a.account_id AND f.customer_id = ${parameter(customerId)})`,
          ),
        ]
      : []),
  ];
}
