import type { ConsoleAccountQuery } from '../../generated/graphql.js';

export type Account = NonNullable<ConsoleAccountQuery['account']>;

export interface TabProps {
  readonly account: Account;
  /** The id in the address behind the tab, such as that of a transaction. */
  readonly item: string | undefined;
  /** The transactions that came while the account was looked at. */
  readonly fresh: ReadonlySet<string>;
}

/** The address of an account, of one of its parts, or of one thing there. */
export function pathOf(accountId: string, tab = '', item = ''): string {
  return ['/accounts', accountId, tab, item]
    .filter(Boolean)
    .map((part, at) => (at ? encodeURIComponent(part) : part))
    .join('/');
}
